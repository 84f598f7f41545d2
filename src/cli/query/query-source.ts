import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '../../core/app-error.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { failure, type Problem } from '../../core/problem.ts';
import type { SourceFile } from '../csv/source-file.ts';
import type { ReadItem } from '../csv/source-row.ts';
import { NO_CELL } from '../mapping/column-map.ts';
import { byQuery } from './query-plan.ts';
import type { Mapping } from '../mapping/language/mapping.ts';
import type { QuerySpec } from '../mapping/language/source.ts';
import type { PlanResult } from '../mapping/mapping-plan.ts';
import { checkedQuery, type CheckedQuery } from './checked-query.ts';
import { createTable, openQueryDatabase, settleTypes, TABLE_STEP } from './query-database.ts';
import { resultItems, runQuery } from './query-result.ts';
import { TableReading } from './table-reading.ts';

/** A mapping with a query, and the files of its tables in their order. */
export interface QueryFiles {
  readonly mapping: Mapping;
  readonly query: QuerySpec;
  readonly files: readonly SourceFile[];
  /** Longest time of the query in milliseconds. One that takes longer compares every row with every other. */
  readonly limitMs?: number;
}

/** Makes the plan for a header. `typed`: columns whose values are written as the interface writes them. */
type MakePlan = (names: readonly string[], typed: ReadonlySet<string>) => PlanResult;

const LIMIT_MS = 10 * 60_000;
/** Lines between two looks whether the command is to end. */
const LOOK_EVERY = 1000;

/** The result of a query in place of a file: its items, and what ties its columns to the cells of the tables. */
export function querySource(
  of: QueryFiles,
  plan: MakePlan,
): { items: AsyncIterable<readonly ReadItem[]>; mapping: (names: readonly string[]) => PlanResult } {
  let checked: CheckedQuery | undefined;
  const place = of.mapping.positionOf(['source', 'sql']);
  return {
    items: { [Symbol.asyncIterator]: () => itemsOf(of, (found) => (checked = found)) },
    mapping: (names) =>
      byQuery(plan(names, typedNames(checked!)), {
        columns: checked!.columns.map(({ cell }) => cell),
        place,
      }),
  };
}

/** What is wrong with a query and the headers of its tables. Reads each file up to its header. */
export async function queryProblems(of: QueryFiles): Promise<readonly Problem[]> {
  const { checked, close } = await openTables(of);
  await close();
  return 'sql' in checked ? [] : checked;
}

const typedNames = ({ columns }: CheckedQuery): ReadonlySet<string> =>
  new Set(columns.flatMap(({ name, type }) => (type === 'VARCHAR' ? [] : [name])));

async function* itemsOf(
  of: QueryFiles,
  onChecked: (query: CheckedQuery) => void,
): AsyncGenerator<readonly ReadItem[]> {
  const { mapping, query, limitMs = LIMIT_MS } = of;
  const { db, readings, checked, close } = await openTables(of);
  const { file, line, column } = mapping.positionOf(['source', 'sql']);
  const problemItems = (): ReadItem[] => {
    const count = readings.reduce((sum, { errors }) => sum + errors, 0);
    const problem = failure('query_tables_wrong', [], { count });
    const last: ReadItem = { kind: 'unreadable', line: 1, problem, cell: { ...NO_CELL, file, line } };
    const notices = readings.flatMap((reading) =>
      reading.problems.map((each): ReadItem => ({ kind: 'notice', line: 1, ...each })),
    );
    return count > 0 ? [...notices, last] : notices;
  };
  try {
    if (readings.some(({ errors }) => errors > 0)) return yield problemItems();
    if (!('sql' in checked)) throw invalidMapping(mapping, checked);
    onChecked(checked);
    yield [{ kind: 'header', names: checked.columns.map(({ name }) => name), line: 1 }];
    for (const [index, reading] of readings.entries()) yield* load(db, reading, index);
    yield problemItems();
    if (readings.some(({ errors }) => errors > 0)) return;
    const problem = yield* runQuery(db, checked, {
      limitMs,
      mayRepeat: query.mayRepeat,
      table: readings[0]!.name,
    });
    if (problem) throw invalidMapping(mapping, [problem]);
    yield* resultItems(db, checked, { readings, place: `${file}:${line}:${column}` });
  } finally {
    await close();
  }
}

/** Reads a file into its table. Nothing now and then, so that the command can end. */
async function* load(
  db: DuckDBConnection,
  reading: TableReading,
  index: number,
): AsyncGenerator<readonly ReadItem[]> {
  await createTable(db, reading.name, reading.columns);
  const rows = await db.createAppender(reading.name);
  const ranges = index === 0 ? await db.createAppender('line', 'own') : undefined;
  let lines = 0;
  try {
    for await (const { row, part, values } of reading.lines()) {
      if (part === null) {
        rows.appendBigInt(BigInt(row.firstLine + index * TABLE_STEP));
        for (const value of values)
          if (value === null) rows.appendNull();
          else rows.appendVarchar(value);
        rows.endRow();
      }
      if (ranges) {
        for (const each of [row.firstLine, row.lastLine, row.byteStart, row.byteEnd])
          ranges.appendBigInt(BigInt(each));
        if (part === null) ranges.appendNull();
        else ranges.appendVarchar(part);
        ranges.endRow();
      }
      if (++lines % LOOK_EVERY === 0) yield [];
    }
  } finally {
    rows.closeSync();
    ranges?.closeSync();
  }
  await settleTypes(db, reading.name, reading.columns);
}

async function openTables({ mapping, query, files }: QueryFiles) {
  const readings = query.tables.map((table, at) => new TableReading(table, files[at]!, mapping));
  const db = await openQueryDatabase();
  const close = async (): Promise<void> => {
    db.closeSync();
    for (const reading of readings) await reading.close();
  };
  try {
    for (const reading of readings) await reading.open();
    const wrong = [
      ...readings.flatMap(({ errors, problems }) =>
        errors > 0 ? problems.map(({ problem }) => problem) : [],
      ),
      ...readings.flatMap(columnsAlike),
    ];
    if (wrong.length > 0) return { db, readings, checked: wrong, close };
    for (const { name, columns } of readings) {
      await createTable(db, name, columns);
      await settleTypes(db, name, columns);
    }
    return { db, readings, checked: await checkedQuery(db, query, readings), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Columns that SQL cannot tell apart, or that have the name of the line of a row. */
function columnsAlike({ columns, file }: TableReading): readonly Problem[] {
  const names = ['_row', ...columns.map(({ name }) => name)];
  return names.flatMap((name, at) => {
    const other = names.slice(0, at).find((each) => each.toLowerCase() === name.toLowerCase());
    return other === undefined ? [] : [failure('query_columns_alike', [], { table: file.name, name, other })];
  });
}

/** The one problem of a query at its place; or that the mapping has several, which `check --map` lists. */
function invalidMapping({ name, positionOf }: Mapping, problems: readonly Problem[]): AppError {
  const [first, ...others] = problems;
  const place = positionOf(['source', 'sql']);
  if (others.length === 0) return new AppError(first!.code, { ...first!.facts, ...place });
  const reason = `source.sql: ${sentenceOf(first!.code, first!.facts)}`;
  return new AppError('mapping_invalid', { mapping: name, count: problems.length, reason, ...place });
}
