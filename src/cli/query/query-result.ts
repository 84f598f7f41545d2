import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '../../core/app-error.ts';
import { failure, warning, type Problem } from '../../core/problem.ts';
import type { ItemCell, LeftOutPart, ReadItem, SourceRow } from '../csv/source-row.ts';
import { counted } from '../output/text/text.ts';
import { NO_CELL } from '../mapping/column-map.ts';
import type { CheckedQuery, ResultRow } from './checked-query.ts';
import { quoted, running, TABLE_STEP, textOf } from './query-database.ts';
import type { TableReading } from './table-reading.ts';

/** The lines of a `_row` of the result, as a list. */
const listOf = ({ at, isList }: ResultRow): string => (isList ? `c${at}` : `[c${at}]`);

/**
 * Runs a query into a table, so that every error comes before the first row.
 * @returns why the result cannot be sent
 * @throws AppError `query_ended`
 */
export async function* runQuery(
  db: DuckDBConnection,
  { sql, columns, rows }: CheckedQuery,
  { limitMs, mayRepeat, table }: { limitMs: number; mayRepeat: boolean; table: string },
): AsyncGenerator<readonly ReadItem[], Problem | undefined> {
  const width = Math.max(...[...columns, ...rows].map(({ at }) => at)) + 1;
  const names = Array.from({ length: width }, (_, at) => `c${at}`).join(', ');
  try {
    for await (const _ of running(
      db,
      `CREATE TABLE own.result AS SELECT * FROM (${sql}) AS result(${names})`,
      limitMs,
    ))
      yield [];
  } catch (error) {
    return raisedProblem(error);
  }
  const isEmpty = (await countOf(db, 'FROM own.result')) === 0 && (await countOf(db, 'FROM own.line')) > 0;
  if (isEmpty)
    return failure('query_invalid', [], { reason: `its result has no row, and \`${table}\` has rows` });
  const lines = `SELECT unnest(${listOf(rows[0])}) AS line FROM own.result`;
  const unknown = await countOf(
    db,
    `SELECT list_min(${listOf(rows[0])}) AS line FROM own.result EXCEPT SELECT firstLine FROM own.line WHERE part IS NULL`,
  );
  if (unknown > 0) return failure('query_row_missing', [], { table });
  const repeated = await countOf(db, `SELECT line FROM (${lines}) GROUP BY line HAVING count(*) > 1`);
  return repeated > 0 && !mayRepeat
    ? failure('query_row_repeated', [], {
        what: `the result has ${counted(repeated, 'row')} of \`${table}\``,
      })
    : undefined;
}

const countOf = async (db: DuckDBConnection, sql: string): Promise<number> =>
  Number.parseInt(await textOf(db, `SELECT count(*) FROM (${sql})`), 10);

/** What an error of a query means. The messages of DuckDB may have values of cells, between quotes or as numbers. */
function raisedProblem(error: unknown): Problem {
  if (error instanceof AppError) throw error;
  const { message } = error as Error;
  const raised = /@(query_float|query_any_value|query_row_repeated)/.exec(message)?.[1];
  if (raised === 'query_row_repeated')
    return failure(raised, [], { what: 'a sum or a list of the query has a row' });
  if (raised === 'query_float') return failure(raised, [], { what: 'a number in a text or a list' });
  const several =
    raised === 'query_any_value' ? 'a group has several values where the query takes any of them' : undefined;
  const reason = message.split('\n')[0]!.replaceAll(/'[^']*'|"[^"]*"|\d+(?:\.\d+)?/g, '…');
  return failure('query_invalid', [], { reason: several ?? reason });
}

/** The rows of the result as rows of the first table; then every other line of that table, and what is to say of the others. */
export async function* resultItems(
  db: DuckDBConnection,
  query: CheckedQuery,
  { readings, place }: { readings: readonly TableReading[]; place: string },
): AsyncGenerator<readonly ReadItem[]> {
  const { columns, rows, hasOrder } = query;
  const texts = columns.map(({ at, type }) => `coalesce(${writtenAs(`c${at}`, type)}, '')`);
  const firsts = rows.map((row) => `list_min(${listOf(row)})::DOUBLE`);
  const ranges = ['firstLine', 'lastLine', 'byteStart', 'byteEnd'].map((each) => `line.${each}::DOUBLE`);
  const record = `list_min(${listOf(rows[0])})`;
  const order = hasOrder ? 'result.rowid' : `${record}, result.rowid`;
  const found = await db.stream(`SELECT ${[...ranges, ...firsts, ...texts].join(', ')}
    FROM own.result AS result JOIN own.line AS line ON line.firstLine = ${record} ORDER BY ${order}`);
  for await (const part of found.yieldRowsJs())
    yield part.map((values): ReadItem => {
      const lines = new Map(
        rows.map(({ at }, index) => [at, values[ranges.length + index] as number | null]),
      );
      const row = rowOf(values, values.slice(ranges.length + rows.length) as string[]);
      return { kind: 'row', row: { ...row, cellAt: (index) => cellOf(query, index, lines) } };
    });
  const used = rows.map((row) => `SELECT unnest(${listOf(row)}) AS line FROM own.result`);
  const left = await db.stream(`SELECT ${ranges.join(', ')}, part FROM own.line AS line
    WHERE firstLine NOT IN (${used[0]}) ORDER BY firstLine`);
  for await (const part of left.yieldRowsJs())
    yield part.map((values): ReadItem => {
      const by = (values.at(-1) ?? 'query') as LeftOutPart;
      return { kind: 'left_out', row: rowOf(values, []), by, place: by === 'query' ? place : '' };
    });
  for (const [index, { name: table, file }] of readings.entries()) {
    if (index === 0 || !rows.some((row) => row.table === table)) continue;
    const all = await countOf(db, `FROM ${quoted(table)}`);
    const count = await countOf(
      db,
      `SELECT _row FROM ${quoted(table)} WHERE _row NOT IN (SELECT line FROM (${used.join(' UNION ALL ')}) WHERE line IS NOT NULL)`,
    );
    const problem = warning('query_table_left', [], { table, count, all });
    if (count > 0) yield [{ kind: 'notice', line: 1, problem, cell: { ...NO_CELL, file: file.name } }];
  }
}

/** The cell of a value; none where an outer join has found no row. */
function cellOf(
  { columns }: CheckedQuery,
  index: number,
  lines: ReadonlyMap<number, number | null>,
): ItemCell {
  const { cell, rowAt } = columns[index]!;
  if (rowAt === null) return cell;
  const line = lines.get(rowAt) ?? null;
  return line === null ? NO_CELL : { ...cell, line: line % TABLE_STEP };
}

function rowOf(values: readonly unknown[], cells: readonly string[]): SourceRow {
  const [firstLine, lastLine, byteStart, byteEnd] = values as number[];
  return { firstLine: firstLine!, lastLine: lastLine!, byteStart: byteStart!, byteEnd: byteEnd!, cells };
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
