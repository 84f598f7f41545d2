import { failure, type Problem } from '../../../core/problem.ts';
import type { ComparedColumn, QueryText } from '../../mapping/language/query/query-guards.ts';
import type { TableReading } from './table-reading.ts';

/** A number, which as a text has another place among texts than among numbers. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** The texts of a column of a table. */
interface ColumnTexts {
  readonly compared: readonly ComparedColumn[];
  readonly table: number;
  readonly index: number;
  readonly lengths: Set<number>;
  areNumbers: boolean;
  isNegative: boolean;
}

/** Finds numbers that a query would compare as texts, where 10 is before 9. */
export class ComparedTexts {
  private readonly columns: readonly ColumnTexts[];

  constructor({ compared }: QueryText, tables: readonly Pick<TableReading, 'names'>[]) {
    this.columns = tables.flatMap(({ names }, table) =>
      names.flatMap((name, index) => {
        const own = compared.filter(({ column }) => column === name.toLowerCase());
        if (own.length === 0) return [];
        return [{ compared: own, table, index, lengths: new Set(), areNumbers: true, isNegative: false }];
      }),
    );
  }

  see(table: number, cells: readonly string[]): void {
    for (const column of this.columns) {
      const text = column.table === table ? cells[column.index]! : '';
      if (text === '' || !column.areNumbers) continue;
      column.areNumbers = NUMBER.test(text);
      column.isNegative ||= text.startsWith('-');
      column.lengths.add(text.length);
    }
  }

  *problems(): Generator<Problem> {
    for (const { compared, lengths, areNumbers, isNegative } of this.columns) {
      if (!areNumbers || lengths.size === 0) continue;
      const differs = isNegative || lengths.size > 1;
      const wrong = compared.find(
        ({ with: other }) =>
          differs || (other !== 'each other' && (other === 'anything' || !lengths.has(other))),
      );
      if (wrong) yield failure('query_text_order', [], { column: wrong.column, line: wrong.line });
    }
  }
}
