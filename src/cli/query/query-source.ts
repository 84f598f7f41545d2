import { VARCHAR, type DuckDBAppender, type DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '../../core/app-error.ts';
import { failure } from '../../core/problem.ts';
import { readSource } from '../csv/read-source.ts';
import type { SourceFile } from '../csv/source-file.ts';
import type { LeftOutPart, ReadItem, SourceRow } from '../csv/source-row.ts';
import { NO_CELL } from '../mapping/column-map.ts';
import { planOfTable, type TablePlan } from '../mapping/compile/plan-of-table.ts';
import type { Mapping } from '../mapping/language/mapping.ts';
import { joinedSource, sourceFormatOf, type QuerySpec } from '../mapping/language/source.ts';
import type { PlanResult } from '../mapping/mapping-plan.ts';
import { counted } from '../output/text/text.ts';
import type { SourcePosition } from '../push/ports/staging.ts';
import { SourceStaging } from '../push/stage/stage-source.ts';
import { checkedQuery, type QueryTable } from './checked-query.ts';
import { openQueryDatabase, quoted, refuse, running, textOf } from './query-database.ts';

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
      for (const [index, spec] of query.tables.entries())
        tables.push(yield* readTable(spec, index, { file: files[index]!, mapping, db }));
      const count = tables.reduce((sum, { errors }) => sum + errors, 0);
      const problem = failure('query_invalid', [], {
        reason: `its tables have problems: ${count}`,
        todo: 'Correct the rows in the files of the tables. A query over some of the rows could choose wrong ones.',
      });
      if (count > 0)
        return yield [{ kind: 'unreadable', line: 1, problem, cell: { header: null, ...place } }];
      const checked = await checkedQuery(db, query, tables);
      typed = new Set(checked.columns.flatMap(({ name, type }) => (type === 'VARCHAR' ? [] : [name])));
      yield [{ kind: 'header', names: checked.columns.map(({ name }) => name), line: 1 }];
      yield* running(db, `CREATE TABLE own.result AS ${checked.sql}`);
      await checkResult(db, tables[0]!.name, query);
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
      const { problems, ...made } = plan(names, typed);
      return { ...made, problems: problems.map((each) => ({ ...each, cell: { ...each.cell!, ...place } })) };
    },
  };
}

/** Refuses a result that cannot be sent. `table`: the name of the first one. */
async function checkResult(db: DuckDBConnection, table: string, { mayRepeat }: QuerySpec): Promise<void> {
  if ((await countOf(db, 'FROM own.result')) === 0 && (await countOf(db, 'FROM own.line')) > 0)
    refuse(`its result has no row, and \`${table}\` has rows`);
  const data = "SELECT line FROM own.line WHERE part = 'query'";
  if ((await countOf(db, `SELECT list_min(lines) FROM own.result EXCEPT ${data}`)) > 0)
    refuse(
      `the rows of its result cannot be traced to rows of the first table \`${table}\`; select \`_row\` of \`${table}\` in each subquery, under the name that it has there (\`b._row\`); in a subquery with GROUP BY, \`list(b._row) AS _row\``,
    );
  const repeated = await countOf(db, `SELECT line FROM (${USED}) GROUP BY line HAVING count(*) > 1`);
  if (repeated > 0 && !mayRepeat)
    refuse(
      `the result has ${counted(repeated, 'row')} of \`${table}\` more than once; correct the JOIN, or write \`rows: many\` in \`source\` when one row is several records`,
    );
}

/** The lines that the rows of the result are made of. */
const USED = 'SELECT line FROM (SELECT unnest(lines) AS line FROM own.result) WHERE line IS NOT NULL';

const countOf = async (db: DuckDBConnection, rows: string): Promise<number> =>
  Number.parseInt(await textOf(db, `SELECT count(*) FROM (${rows})`), 10);

/** The lines of the first table in its order: the rows of the result that begin there, or what is left out. */
async function* resultItems(
  db: DuckDBConnection,
  { columns }: Awaited<ReturnType<typeof checkedQuery>>,
  place: string,
): AsyncGenerator<readonly ReadItem[]> {
  const cells = columns.map(({ at, type }) => `coalesce(${writtenAs(`c${at}`, type)}, '')`);
  const found = await db.stream(`SELECT ${['position', "if(lines IS NULL, part, '')", ...cells].join(', ')}
    FROM own.line LEFT JOIN own.result AS result ON line = list_min(lines)
    WHERE lines IS NOT NULL OR line NOT IN (${USED}) ORDER BY line, result.rowid`);
  for await (const part of found.yieldRowsJs())
    yield (part as string[][]).map(([position, kind, ...values]): ReadItem => {
      const row = { ...(JSON.parse(position!) as SourceRow), cells: values };
      if (kind === '') return { kind: 'row', row };
      return { kind: 'left_out', row, by: kind as LeftOutPart, place: kind === 'query' ? place : '' };
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

/**
 * Reads a file into a table as a push reads its files, and the lines of the first table into `own.line`. Yields now and then what is to
 * say of the file, so that the command can end. `errors` in the result: how many of that are errors.
 */
async function* readTable(
  spec: QuerySpec['tables'][number],
  index: number,
  { file, mapping, db }: { file: SourceFile; mapping: Mapping; db: DuckDBConnection },
): AsyncGenerator<readonly ReadItem[], QueryTable> {
  const [name, own] = spec;
  const items = readSource(file, sourceFormatOf(joinedSource(mapping.document.source, own)));
  const counts = { rows: 0, parts: 0, ofOtherShards: 0, invalid: 0, errors: 0 };
  const notices: ReadItem[] = [];
  let table: TablePlan | undefined;
  let [rows, lines]: DuckDBAppender[] = [];
  const append = (to: DuckDBAppender | undefined, line: number, texts: readonly (string | undefined)[]) => {
    to?.appendBigInt(BigInt(line));
    for (const each of texts) to?.appendValue(each ?? null, VARCHAR);
    to?.endRow();
  };
  const appendLine = (at: SourcePosition, part = 'query'): void =>
    append(lines, at.firstLine, [JSON.stringify({ ...at, cells: [] }), part]);
  const staging = new SourceStaging(
    {
      source: {
        name: file.name,
        items,
        mapping: (header, elements) =>
          (table = planOfTable(mapping, spec, { file: file.name, header, elements })),
      },
      number: 1,
      counts,
      job: { resource: mapping.resource, maxRecords: Infinity },
      emit: () => undefined,
      onProblem: (problem, cell) =>
        void notices.push({ kind: 'notice', line: 1, problem: { ...problem, path: [] }, cell }),
    },
    (report) => ({
      accept([row]) {
        const { values, problems } = table!.read(row);
        for (const { problem, cell } of problems) report.add(problem, row.firstLine, cell ?? NO_CELL);
        // `_row` names its table.
        append(rows, row.firstLine + index * 1_000_000_000_000, values);
        appendLine(report.positionOf([row]));
      },
      appendInvalid: () => undefined,
      leaveOut: ({ kind }, rows) => appendLine(report.positionOf(rows), kind),
      looksLikeRecord: () => false,
    }),
  );
  try {
    for await (const part of items) {
      for (const item of part) {
        staging.accept(item);
        if (item.kind !== 'header' || counts.errors > 0) continue;
        // A text that may be ordered is known by its collation, and `_row` by its type.
        const texts = table!.columns.map(
          ({ name: column, kind, isDeclared }) =>
            `${quoted(column)} VARCHAR${kind === 'text' && isDeclared ? ' COLLATE POSIX' : ''}`,
        );
        await db.run(`CREATE TABLE ${name} (${['_row UBIGINT', ...texts].join(', ')})`);
        rows = await db.createAppender(name);
        if (index === 0) lines = await db.createAppender('line', 'own');
      }
      yield notices.splice(0);
    }
    staging.finish();
  } finally {
    rows?.closeSync();
    lines?.closeSync();
  }
  for (const { name: column, kind } of counts.errors === 0 ? table!.columns : []) {
    if (kind === 'text') continue;
    // A decimal column has as many decimals as its longest cell, and digits to spare, so that two of them fit into a third.
    const longest = (part: number) => `coalesce(max(length(split_part(${quoted(column)}, '.', ${part}))), 0)`;
    const digits = `SELECT greatest(${longest(1)} + ${longest(2)}, 18) || ', ' || ${longest(2)} FROM ${name}`;
    const type = kind === 'decimal' ? `DECIMAL(${await textOf(db, digits)})` : SQL_TYPES[kind];
    await db.run(`ALTER TABLE ${name} ALTER ${quoted(column)} TYPE ${type}`);
  }
  yield notices;
  return { name, columns: table?.columns ?? [], errors: counts.errors };
}

const SQL_TYPES = { integer: 'BIGINT', date: 'DATE', datetime: 'TIMESTAMPTZ' } as const;
