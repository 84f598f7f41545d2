import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '../../core/app-error.ts';
import { failure, type Problem } from '../../core/problem.ts';
import type { LeftOutPart, ReadItem, SourceRow } from '../csv/source-row.ts';
import { counted } from '../output/text/text.ts';
import type { CheckedQuery } from './checked-query.ts';
import { running, textOf } from './query-database.ts';

/**
 * Runs a query into a table, so that every error comes before the first row.
 * @returns why the result cannot be sent
 * @throws AppError `query_ended`
 */
export async function* runQuery(
  db: DuckDBConnection,
  { sql, columns, row }: CheckedQuery,
  { mayRepeat, table }: { mayRepeat: boolean; table: string },
): AsyncGenerator<readonly ReadItem[], Problem | undefined> {
  const width = Math.max(row.at, ...columns.map(({ at }) => at)) + 1;
  const names = Array.from({ length: width }, (_, at) => `c${at}`).join(', ');
  const lines = row.type.endsWith(']') ? `c${row.at}` : `[c${row.at}]`;
  try {
    const statement = `CREATE TABLE own.result AS SELECT *, ${lines} AS lines FROM (${sql}) AS result(${names})`;
    for await (const _ of running(db, statement)) yield [];
  } catch (error) {
    return raisedProblem(error);
  }
  if ((await countOf(db, 'FROM own.result')) === 0 && (await countOf(db, 'FROM own.line')) > 0)
    return failure('query_invalid', [], { reason: `its result has no row, and \`${table}\` has rows` });
  const known = 'SELECT firstLine FROM own.line WHERE part IS NULL';
  if ((await countOf(db, `SELECT list_min(lines) FROM own.result EXCEPT ${known}`)) > 0)
    return failure('query_row_missing', [], { table });
  const repeated = await countOf(db, `SELECT line FROM (${USED}) GROUP BY line HAVING count(*) > 1`);
  const what = `the result has ${counted(repeated, 'row')} of \`${table}\``;
  return repeated > 0 && !mayRepeat ? failure('query_row_repeated', [], { what }) : undefined;
}

/** The lines that the rows of the result are made of. */
const USED = 'SELECT unnest(lines) AS line FROM own.result';

const countOf = async (db: DuckDBConnection, rows: string): Promise<number> =>
  Number.parseInt(await textOf(db, `SELECT count(*) FROM (${rows})`), 10);

/** What an error of a query means. The messages of DuckDB may have values of cells, between quotes or as numbers. */
function raisedProblem(error: unknown): Problem {
  if (error instanceof AppError) throw error;
  const { message } = error as Error;
  const [first = ''] = message.split('\n');
  const raised = /^Invalid Input Error: query: (.*)/.exec(first)?.[1];
  const masked = first.replaceAll(/'[^']*'|"[^"]*"|\d+(?:\.\d+)?/g, '…');
  return failure('query_invalid', [], { reason: raised ?? masked });
}

/** The rows of the result as rows of the first table, in its order; then every other line of that table. */
export async function* resultItems(
  db: DuckDBConnection,
  { columns }: CheckedQuery,
  place: string,
): AsyncGenerator<readonly ReadItem[]> {
  const cells = columns.map(({ at, type }) => `coalesce(${writtenAs(`c${at}`, type)}, '')`);
  const ranges = 'firstLine::DOUBLE, lastLine::DOUBLE, byteStart::DOUBLE, byteEnd::DOUBLE';
  const found = await db.stream(`SELECT ${[ranges, ...cells].join(', ')} FROM own.result AS result
    JOIN own.line ON firstLine = list_min(lines) ORDER BY firstLine, result.rowid`);
  for await (const part of found.yieldRowsJs())
    yield part.map((values): ReadItem => ({ kind: 'row', row: rowOf(values) }));
  const left = await db.stream(`SELECT ${ranges}, coalesce(part, 'query') FROM own.line
    WHERE firstLine NOT IN (${USED}) ORDER BY firstLine`);
  for await (const part of left.yieldRowsJs())
    yield part.map((values): ReadItem => {
      const by = values.at(-1) as LeftOutPart;
      return { kind: 'left_out', row: rowOf(values), by, place: by === 'query' ? place : '' };
    });
}

function rowOf([firstLine, lastLine, byteStart, byteEnd, ...cells]: readonly unknown[]): SourceRow {
  return { firstLine, lastLine, byteStart, byteEnd, cells } as SourceRow;
}

/** A value as the interface writes it. The zeros at the end of a decimal depend on other rows, so they go. */
function writtenAs(column: string, type: string): string {
  const text = `${column}::VARCHAR`;
  if (type.startsWith('DECIMAL'))
    return `CASE WHEN contains(${text}, '.') THEN rtrim(rtrim(${text}, '0'), '.') ELSE ${text} END`;
  if (type === 'TIMESTAMP WITH TIME ZONE')
    return `replace((${column} AT TIME ZONE 'UTC')::VARCHAR, ' ', 'T') || 'Z'`;
  if (type.startsWith('TIMESTAMP'))
    return `CASE WHEN ${column} = ${column}::DATE THEN ${column}::DATE::VARCHAR ELSE replace(${text}, ' ', 'T') END`;
  return /^(?:STRUCT|MAP)|\]$/.test(type) ? `to_json(${column})::VARCHAR` : text;
}
