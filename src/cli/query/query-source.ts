import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '../../core/app-error.ts';
import { failure } from '../../core/problem.ts';
import type { SourceFile } from '../csv/source-file.ts';
import type { LeftOutPart, ReadItem, SourceRow } from '../csv/source-row.ts';
import { byKeyPath } from '../mapping/compile/key-path-plan.ts';
import type { Mapping } from '../mapping/language/mapping.ts';
import type { QuerySpec } from '../mapping/language/source.ts';
import type { PlanResult } from '../mapping/mapping-plan.ts';
import { counted } from '../output/text/text.ts';
import { checkedQuery, refuseUntraced, type CheckedQuery } from './checked-query.ts';
import { openQueryDatabase, refuse, running, textOf } from './query-database.ts';
import { readTable, type QueryTable } from './query-table.ts';

/**
 * The result of a query in place of a file: its items, and what ties its columns to the fields.
 * @param plan makes the plan for a header. `typed`: columns whose values are written as the interface writes them
 */
export function querySource(
  { mapping, query, files }: { mapping: Mapping; query: QuerySpec; files: readonly SourceFile[] },
  plan: (names: readonly string[], typed: ReadonlySet<string>) => PlanResult,
): { items: AsyncIterable<readonly ReadItem[]>; mapping: (names: readonly string[]) => PlanResult } {
  const place = mapping.positionOf(['source', 'sql']);
  let typed: ReadonlySet<string> = new Set();

  async function* items(): AsyncGenerator<readonly ReadItem[]> {
    const db = await openQueryDatabase(mapping.document.source?.time_zone);
    try {
      const tables: QueryTable[] = [];
      let count = 0;
      for (const [index, spec] of query.tables.entries()) {
        const { errors, ...table } = yield* readTable(spec, index, { file: files[index]!, mapping, db });
        tables.push(table);
        count += errors;
      }
      const problem = failure('query_invalid', [], {
        reason: `its tables have problems: ${count}`,
        todo: 'Correct the rows in the files of the tables. A query over some of the rows could choose wrong ones.',
      });
      if (count > 0)
        return yield [{ kind: 'unreadable', line: 1, problem, cell: { header: null, ...place } }];
      const checked = await checkedQuery(db, query, tables);
      typed = new Set(checked.columns.flatMap(({ name, type }) => (type === 'VARCHAR' ? [] : [name])));
      yield [{ kind: 'header', names: checked.columns.map(({ name }) => name), line: 1 }];
      yield* runQuery(db, checked, { ...query, table: tables[0]!.name });
      yield* resultItems(db, checked, `${place.file}:${place.line}:${place.column}`);
    } catch (error) {
      const isInvalid = error instanceof AppError && error.code === 'query_invalid';
      throw isInvalid ? new AppError(error.code, { ...error.facts, ...place }) : error;
    } finally {
      db.closeSync();
    }
  }

  return {
    items: { [Symbol.asyncIterator]: items },
    mapping(names) {
      const { plan: keyed, problems } = byKeyPath(plan(names, typed));
      return {
        plan: keyed,
        problems: problems.map((each) => ({ ...each, cell: { ...each.cell!, ...place } })),
      };
    },
  };
}

/** Runs a query into a table, so that every error comes before the first row, and refuses a result that cannot be sent. */
async function* runQuery(
  db: DuckDBConnection,
  { sql }: CheckedQuery,
  { mayRepeat, table }: { mayRepeat: boolean; table: string },
): AsyncGenerator<readonly ReadItem[]> {
  try {
    for await (const _ of running(db, `CREATE TABLE own.result AS ${sql}`)) yield [];
  } catch (error) {
    if (error instanceof AppError) throw error;
    const [first = ''] = (error as Error).message.split('\n');
    // A message of DuckDB may have values of cells, between quotes or as numbers; our own has none.
    const own = /^Invalid Input Error: query: (.*)/.exec(first)?.[1];
    const kind = first.replace(/^(Invalid Input Error): (?!More than one row|Could not parse).*/, '$1');
    refuse(own ?? kind.replaceAll(/'.*'|".*"|\d+(?:\.\d+)?/g, '…'));
  }
  if ((await countOf(db, 'FROM own.result')) === 0 && (await countOf(db, 'FROM own.line')) > 0)
    refuse(`its result has no row, and \`${table}\` has rows`);
  const known = 'SELECT firstLine FROM own.line WHERE part IS NULL';
  if ((await countOf(db, `SELECT list_min(lines) FROM own.result EXCEPT ${known}`)) > 0)
    refuseUntraced(table);
  const repeated = await countOf(db, `SELECT line FROM (${USED}) GROUP BY line HAVING count(*) > 1`);
  if (repeated > 0 && !mayRepeat)
    refuse(
      `the result has ${counted(repeated, 'row')} of \`${table}\` more than once`,
      'Correct the JOIN, or write `rows: many` in `source` when one row is several records.',
    );
}

/** The lines that the rows of the result are made of. */
const USED = 'SELECT line FROM (SELECT unnest(lines) AS line FROM own.result) WHERE line IS NOT NULL';

const countOf = async (db: DuckDBConnection, rows: string): Promise<number> =>
  Number.parseInt(await textOf(db, `SELECT count(*) FROM (${rows})`), 10);

/** The lines of the first table in its order: the rows of the result that begin there, or what is left out. */
async function* resultItems(
  db: DuckDBConnection,
  { columns }: CheckedQuery,
  place: string,
): AsyncGenerator<readonly ReadItem[]> {
  const cells = columns.map(({ at, type }) => `coalesce(${writtenAs(`c${at}`, type)}, '')`);
  const ranges = ['firstLine', 'lastLine', 'byteStart', 'byteEnd'].map((each) => `${each}::DOUBLE`);
  const found =
    await db.stream(`SELECT ${[...ranges, `if(lines IS NULL, coalesce(part, 'query'), '')`, ...cells].join(', ')}
    FROM own.line LEFT JOIN own.result AS result ON firstLine = list_min(lines)
    WHERE lines IS NOT NULL OR firstLine NOT IN (${USED}) ORDER BY firstLine, result.rowid`);
  for await (const part of found.yieldRowsJs())
    yield part.map(([firstLine, lastLine, byteStart, byteEnd, by, ...values]): ReadItem => {
      const row = { firstLine, lastLine, byteStart, byteEnd, cells: values } as SourceRow;
      if (by === '') return { kind: 'row', row };
      return { kind: 'left_out', row, by: by as LeftOutPart, place: by === 'query' ? place : '' };
    });
}

/** A value as the interface writes it. The zeros at the end of a decimal depend on other rows, so they go. */
function writtenAs(column: string, type: string): string {
  const text = `${column}::VARCHAR`;
  if (type.startsWith('DECIMAL')) return String.raw`regexp_replace(${text}, '(\.\d*[1-9])0+$|\.0+$', '\1')`;
  if (type === 'TIMESTAMP WITH TIME ZONE')
    return `replace((${column} AT TIME ZONE 'UTC')::VARCHAR, ' ', 'T') || 'Z'`;
  if (type.startsWith('TIMESTAMP'))
    return `CASE WHEN ${column} = ${column}::DATE THEN ${column}::DATE::VARCHAR ELSE replace(${text}, ' ', 'T') END`;
  return /^(?:STRUCT|MAP)|\]$/.test(type) ? `to_json(${column})::VARCHAR` : text;
}
