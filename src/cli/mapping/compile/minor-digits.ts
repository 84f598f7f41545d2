import { warning } from '../../../core/problem.ts';
import { isCurrencyCode, minorDigitsOf, namesCurrency } from '../language/currency-code.ts';
import { isLeaf, visitFields } from '../language/field-visits.ts';
import type { Mapping } from '../language/mapping.ts';
import { NO_CELL, type RecordCell } from '../column-map.ts';
import type { CellProblem, RecordRows } from '../mapping-plan.ts';
import { mostDecimals } from './amount-decimals.ts';
import { currencyOf } from './currency-columns.ts';
import { countLine, type LineTally, type WrittenAmounts } from './level.ts';

/** A field that changes its amounts between major and minor units. */
interface ConvertedField {
  readonly place: RecordCell;
  readonly column: string | undefined;
  readonly unit: string;
  readonly digits: number;
}

/** Columns that may say the currency of the row: their values, or null once they had something else. */
type CurrencyValues = Map<string, LineTally> | null;

/** Digits of the minor unit that the amounts, or the currencies beside them, do not have. */
export function minorDigits(
  mapping: Mapping,
  names: readonly string[],
  amounts: ReadonlyMap<string, WrittenAmounts>,
): { see(rows: RecordRows): void; warnings(): Iterable<CellProblem> } {
  const fields = convertedFields(mapping);
  const isNamed = names.map(namesCurrency);
  const currencies: CurrencyValues[] = names.map(() => (fields.length > 0 ? new Map() : null));
  return {
    see(rows) {
      if (fields.length > 0)
        for (const { cells, firstLine } of rows)
          currencies.forEach((values, index) => {
            const text = values && (cells[index] ?? '').trim();
            if (!text) return;
            const currency = currencyOf(text, isNamed[index]!);
            if (currency === undefined) currencies[index] = null;
            else countLine(values, currency, firstLine);
          });
    },
    *warnings() {
      for (const { place, column, unit, digits } of fields) {
        const written = column === undefined ? undefined : amounts.get(column);
        const most = written && mostDecimals(written);
        if (unit === 'major' && most !== undefined && most < digits) {
          yield {
            problem: warning('minor_digits_unused', [], { digits, column: column!, most }),
            cell: place,
          };
        }
      }
      const [digits, ...others] = new Set(fields.map((field) => field.digits));
      // Alternatives with other digits have chosen by the currency.
      if (digits === undefined || others.length > 0) return;
      for (const [index, values] of currencies.entries())
        for (const [code, { count, line }] of values ?? []) {
          if (!isCurrencyCode(code) || minorDigitsOf(code) === digits) continue;
          const facts = { digits, currency: code, right: minorDigitsOf(code), count };
          const cell = { ...NO_CELL, line, column: index + 1, header: names[index]! };
          yield { problem: warning('minor_digits_of_currency', [], facts), cell };
        }
    },
  };
}

function convertedFields({ document, positionOf }: Mapping): readonly ConvertedField[] {
  return [...visitFields(document)].filter(isLeaf).flatMap(({ spec, path, shape }) => {
    const { unit, minor_digits: digits = 2, column } = spec;
    if (unit === undefined || unit === (shape.facts.unit ?? 'major')) return [];
    const at = positionOf([...path, spec.minor_digits === undefined ? 'unit' : 'minor_digits']);
    return [{ place: { ...NO_CELL, file: at.file, line: at.line, column: at.column }, column, unit, digits }];
  });
}
