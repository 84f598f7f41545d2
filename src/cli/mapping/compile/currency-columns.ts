import { warning } from '../../../core/problem.ts';
import { currencyReader, isCurrencyCode, minorDigitsOf } from '../language/currency-code.ts';
import { isLeaf, visitFields } from '../language/field-visits.ts';
import type { MappingDocument } from '../language/mapping.ts';
import { NO_CELL } from '../column-map.ts';
import type { Columns } from './columns.ts';
import { countIn } from '../../../core/values/counts.ts';
import type { LineTally } from './level.ts';
import type { RowOddities } from './oddities.ts';

/** More different values than this are no currencies of one file. */
const MOST = 20;

/** Columns that have the currencies of the rows, where the minor unit of one has other digits than the mapping says. */
export function currencyColumns(document: MappingDocument, { names }: Columns): RowOddities {
  const digits = minorDigitsIn(document);
  const open = new Set(
    (digits === undefined ? [] : names).map((header, index) => {
      return { index, header, currencyOf: currencyReader(header), values: new Map<string, LineTally>() };
    }),
  );
  return {
    see(rows) {
      for (const column of open)
        for (const { cells, firstLine } of rows) {
          const value = (cells[column.index] ?? '').trim();
          if (value === '') continue;
          const currency = column.currencyOf(value);
          if (currency !== undefined) countIn(column.values, currency, firstLine);
          if (currency === undefined || column.values.size > MOST) open.delete(column);
        }
    },
    *warnings() {
      for (const { index, header, values } of open)
        for (const [currency, { count, first }] of values) {
          if (!isCurrencyCode(currency) || minorDigitsOf(currency) === digits) continue;
          const oddity = `are changed with ${digits} digits of the minor unit, and ${currency} has ${minorDigitsOf(currency)}`;
          const facts = { count, oddity };
          const cell = { ...NO_CELL, line: first, column: index + 1, header };
          yield { problem: warning('gross_amounts_look_like_major_units', [], facts), cell };
        }
    },
  };
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
