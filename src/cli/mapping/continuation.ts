import { failure, pathOfAttr } from '../../core/problem.ts';
import type { SourceRow } from '../csv/source-row.ts';
import type { ColumnMap } from './column-map.ts';
import type { Columns } from './columns.ts';
import { allOf } from './condition.ts';
import type { FieldMaker } from './field-maker.ts';
import type { MappingDocument } from './mapping-file/mapping-schema.ts';
import { recordScope, report, type Scope } from './scope.ts';

/** Whether a row goes on with the record that `first` began; without one, whether it can only go on with another. */
export type Continues = (row: SourceRow, first: SourceRow | undefined) => boolean;

/** Compiles which rows are one record together. */
export function continuation(spec: MappingDocument['continuation'], maker: FieldMaker): Continues {
  if (!spec) return () => false;
  const when = allOf(spec.when, maker);
  if (when) return (row) => when(recordScope([row], 0));
  const keys = spec.key!.map((name) => maker.cellOf(maker.bind(name)));
  return (row, first) => {
    const own = keys.map((read) => read(row.cells));
    if (own.every((cell) => cell === undefined)) return true;
    return first !== undefined && keys.every((read, at) => own[at] === read(first.cells));
  };
}

/** Reports cells of later rows that say something else than the first row, of columns that the whole record is made from. */
export function differences(columns: Columns, maker: FieldMaker, mapped: ColumnMap): (scope: Scope) => void {
  const shared = columns.names.flatMap((header, index) =>
    columns.isUsed(index, 'record') && !columns.isUsed(index, 'row') ? [{ index, header }] : [],
  );
  const readers = shared.map((column) => {
    const fed = mapped.find(({ index, file }) => index === column.index && file === undefined);
    return { column, read: maker.cellOf(column), path: fed ? pathOfAttr(fed.attr) : [] };
  });
  return (scope) => {
    const [first, ...later] = scope.record.rows;
    for (const row of later) {
      for (const { column, read, path } of readers) {
        const cell = read(row.cells);
        if (cell === undefined || cell === read(first.cells)) continue;
        const facts = { first_line: first.firstLine };
        report({ ...scope, line: row.firstLine }, path, column, failure('continuation_differs', [], facts));
      }
    }
  };
}
