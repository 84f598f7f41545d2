import { warning } from '../../../core/problem.ts';
import { currencyOfWord, isCurrencyCode, minorDigitsOf, namesCurrency } from '../language/currency-code.ts';
import { isLeaf, visitFields } from '../language/field-visits.ts';
import type { MappingDocument } from '../language/mapping.ts';
import { NO_CELL, type RecordCell } from '../column-map.ts';
import type { Columns } from './columns.ts';
import { countLine, type LineTally } from './level.ts';
import type { RowOddities } from './oddities.ts';

/** More different values than this are no currencies of one file. */
const MOST = 20;

/** A column that may have the currency of a row. */
interface CurrencyColumn {
  readonly index: number;
  readonly header: string;
  readonly isNamed: boolean;
  readonly values: Map<string, LineTally>;
}

/** Columns that have the currencies of the rows. The amounts of two currencies are no sum, unless something uses the column. */
export function currencyColumns(document: MappingDocument, { names, isUsed }: Columns): RowOddities {
  const digits = minorDigitsIn(document);
  const open = new Set(
    names.flatMap((header, index): readonly CurrencyColumn[] =>
      isUsed(index) && digits === undefined
        ? []
        : [{ index, header, isNamed: namesCurrency(header), values: new Map() }],
    ),
  );
  return {
    see(rows) {
      for (const column of open)
        for (const { cells, firstLine } of rows) {
          const value = (cells[column.index] ?? '').trim();
          if (value === '') continue;
          const currency = currencyOf(value, column.isNamed);
          if (currency !== undefined) countLine(column.values, currency, firstLine);
          if (currency === undefined || column.values.size > MOST) open.delete(column);
        }
    },
    *warnings() {
      for (const { index, header, values } of open) {
        const cellAt = (line: number): RecordCell => ({ ...NO_CELL, line, column: index + 1, header });
        const [usual, ...others] = [...values.values()].toSorted((a, b) => b.count - a.count);
        if (usual && others.length > 0 && !isUsed(index)) {
          const count = others.reduce((sum, each) => sum + each.count, 0);
          yield {
            problem: warning('currencies_mixed', [], { count, total: count + usual.count }),
            cell: cellAt(Math.min(...others.map((each) => each.line))),
          };
        }
        if (digits === undefined) continue;
        for (const [currency, { count, line }] of values) {
          if (!isCurrencyCode(currency) || minorDigitsOf(currency) === digits) continue;
          const facts = { digits, currency, right: minorDigitsOf(currency), count };
          yield { problem: warning('minor_digits_of_currency', [], facts), cell: cellAt(line) };
        }
      }
    },
  };
}

/** The currency that a value means; undefined for none. A column that is not named has the codes as ISO 4217 writes them. */
function currencyOf(value: string, isNamed: boolean): string | undefined {
  if (isNamed) return currencyOfWord(value);
  return isCurrencyCode(value) ? value : undefined;
}

/** The digits of the minor unit with which a mapping changes all of its amounts; undefined for none, or for several. */
function minorDigitsIn(document: MappingDocument): number | undefined {
  const changed = [...visitFields(document)].filter(isLeaf).flatMap(({ spec, shape }) => {
    const { unit, minor_digits: digits = 2 } = spec;
    return unit === undefined || unit === (shape.facts.unit ?? 'major') ? [] : [digits];
  });
  const [digits, ...others] = new Set(changed);
  return others.length > 0 ? undefined : digits;
}
