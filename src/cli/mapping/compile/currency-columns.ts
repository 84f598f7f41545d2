import { warning } from '../../../core/problem.ts';
import { currencyOfWord, isCurrencyCode, namesCurrency } from '../language/currency-code.ts';
import { NO_CELL } from '../column-map.ts';
import type { CellProblem, RecordRows } from '../mapping-plan.ts';
import type { Columns } from './columns.ts';
import { countLine, type LineTally } from './level.ts';

/** More different values than this are no currencies of one file. */
const MOST = 20;

/** A column that feeds nothing and may have the currency of a row. */
interface CurrencyColumn {
  readonly index: number;
  readonly header: string;
  readonly isNamed: boolean;
  readonly values: Map<string, LineTally>;
}

/** Columns that nothing uses and that have the currencies of the rows. The amounts of two currencies are no sum. */
export function currencyColumns({ names, isUsed }: Columns): {
  see(rows: RecordRows): void;
  warnings(): Iterable<CellProblem>;
} {
  const open = new Set(
    names.flatMap((header, index): readonly CurrencyColumn[] =>
      isUsed(index) ? [] : [{ index, header, isNamed: namesCurrency(header), values: new Map() }],
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
        const [usual, ...others] = [...values.values()].toSorted((a, b) => b.count - a.count);
        if (!usual || others.length === 0) continue;
        const count = others.reduce((sum, each) => sum + each.count, 0);
        const line = Math.min(...others.map((each) => each.line));
        yield {
          problem: warning('currencies_mixed', [], { count, total: count + usual.count }),
          cell: { ...NO_CELL, line, column: index + 1, header },
        };
      }
    },
  };
}

/** The currency that a value means; undefined for none. A column that is not named has the codes as ISO 4217 writes them. */
export function currencyOf(value: string, isNamed: boolean): string | undefined {
  if (isNamed) return currencyOfWord(value);
  return isCurrencyCode(value) ? value : undefined;
}
