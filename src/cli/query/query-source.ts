import { AppError } from '../../core/app-error.ts';
import { failure, type Problem } from '../../core/problem.ts';
import type { SourceFile } from '../csv/source-file.ts';
import type { ReadItem } from '../csv/source-row.ts';
import { NO_CELL } from '../mapping/column-map.ts';
import { byKeyPath } from '../mapping/compile/key-path-plan.ts';
import type { Mapping } from '../mapping/language/mapping.ts';
import type { QuerySpec } from '../mapping/language/source.ts';
import type { PlanResult } from '../mapping/mapping-plan.ts';
import { checkedQuery } from './checked-query.ts';
import { openQueryDatabase } from './query-database.ts';
import { resultItems, runQuery } from './query-result.ts';
import { readTable, type QueryTable } from './query-table.ts';

/** A mapping with a query, and the files of its tables in their order. */
export interface QueryFiles {
  readonly mapping: Mapping;
  readonly query: QuerySpec;
  readonly files: readonly SourceFile[];
}

/** Makes the plan for a header. `typed`: columns whose values are written as the interface writes them. */
type MakePlan = (names: readonly string[], typed: ReadonlySet<string>) => PlanResult;

/** The result of a query in place of a file: its items, and what ties its columns to the fields. */
export function querySource(
  { mapping, query, files }: QueryFiles,
  plan: MakePlan,
): { items: AsyncIterable<readonly ReadItem[]>; mapping: (names: readonly string[]) => PlanResult } {
  const { file, line, column } = mapping.positionOf(['source', 'sql']);
  let typed: ReadonlySet<string> = new Set();
  const refuse = ({ code, facts }: Problem): never => {
    throw new AppError(code, { ...facts, file, line, column });
  };

  async function* items(): AsyncGenerator<readonly ReadItem[]> {
    const db = await openQueryDatabase();
    try {
      const tables: QueryTable[] = [];
      let count = 0;
      for (const [index, spec] of query.tables.entries()) {
        const { errors, ...table } = yield* readTable(spec, index, { file: files[index]!, mapping, db });
        tables.push(table);
        count += errors;
      }
      const problem = failure('query_tables_wrong', [], { count });
      if (count > 0)
        return yield [{ kind: 'unreadable', line: 1, problem, cell: { ...NO_CELL, file, line } }];
      const checked = await checkedQuery(db, query, tables);
      if ('code' in checked) return refuse(checked);
      typed = new Set(checked.columns.flatMap(({ name, type }) => (type === 'VARCHAR' ? [] : [name])));
      yield [{ kind: 'header', names: checked.columns.map(({ name }) => name), line: 1 }];
      const wrong = yield* runQuery(db, checked, { ...query, table: tables[0]!.name });
      if (wrong) refuse(wrong);
      yield* resultItems(db, checked, `${file}:${line}:${column}`);
    } finally {
      db.closeSync();
    }
  }

  return {
    items: { [Symbol.asyncIterator]: items },
    mapping(names) {
      const { plan: keyed, problems } = byKeyPath(plan(names, typed));
      const inQuery = problems.map(({ problem, cell }) => ({
        problem,
        cell: { ...cell!, file, line, column },
      }));
      return { plan: keyed, problems: inQuery };
    },
  };
}
