import { failure, pathOfAttr } from '../../../core/problem.ts';
import { withoutAlternative, type ColumnMap } from '../column-map.ts';
import type { ContinuationSpec } from '../language/mapping.ts';
import type { MappingPlan } from '../mapping-plan.ts';
import type { Columns } from './columns.ts';
import { allOf } from './condition.ts';
import { readColumn, sourceCell, type Level } from './level.ts';
import { noteKey, recordScope, report, type Scope } from './scope.ts';

/** Which rows are one record together. */
interface Continuation {
  readonly continues: MappingPlan['continues'];
  /** Notes the cells by which the rows of a record were put together. */
  noteKeys(scope: Scope): void;
}

export function continuation(spec: ContinuationSpec | undefined, level: Level): Continuation {
  if (!spec) return { continues: () => false, noteKeys: () => undefined };
  const when = allOf(spec.when, level);
  if (when) return { continues: (row) => when(recordScope([row], 0)), noteKeys: () => undefined };
  const keys = spec.key!.map((name) => readColumn(level, name));
  return {
    continues(row, first) {
      const own = keys.map(({ read }) => read(row.cells));
      if (own.every((cell) => cell === undefined)) return true;
      return first !== undefined && keys.every(({ read }, at) => own[at] === read(first.cells));
    },
    noteKeys(scope) {
      for (const { column, read } of keys) noteKey(scope, column, { path: [], text: read(scope.cells) });
    },
  };
}

/** Reports cells of later rows that differ from the first row, in columns that feed a field of the whole record. */
export function differences(columns: Columns, level: Level, mapped: ColumnMap): (scope: Scope) => void {
  const shared = columns.names.flatMap((header, index) =>
    columns.isUsed(index, 'record') && !columns.isUsed(index, 'row') ? [{ index, header }] : [],
  );
  const readers = shared.map((column) => {
    const fed = mapped.find(({ index, file }) => index === column.index && file === undefined);
    return {
      column,
      read: sourceCell(level, column),
      path: fed ? pathOfAttr(withoutAlternative(fed.attr)) : [],
    };
  });
  return (scope) => {
    const [first, ...later] = scope.record.rows;
    for (const row of later) {
      for (const { column, read, path } of readers) {
        const cell = read(row.cells);
        if (cell === undefined || cell === read(first.cells)) continue;
        const reason = `differs from the first row of the record, on line ${first.firstLine}`;
        report({ ...scope, line: row.firstLine }, path, column, failure('rows_not_joined', [], { reason }));
      }
    }
  };
}
