import { AppError } from '../../../core/app-error.ts';
import { sentenceOf } from '../../../core/error-codes/sentence.ts';
import { failure, type Problem } from '../../../core/problem.ts';
import type { SourceFile } from '../../csv/source-file.ts';
import type { ItemCell, ReadItem } from '../../csv/source-row.ts';
import { NO_CELL } from '../../mapping/column-map.ts';
import { byQuery } from '../../mapping/compile/query-plan.ts';
import type { Mapping } from '../../mapping/language/mapping.ts';
import { queryFunctions } from '../../mapping/language/query/query-functions.ts';
import { queryText } from '../../mapping/language/query/query-guards.ts';
import type { QuerySpec } from '../../mapping/language/source.ts';
import type { PlanResult } from '../../mapping/mapping-plan.ts';
import type { QueryStore, QueryTable } from '../../scratch/query-store.ts';
import { compiledQuery, type CompiledQuery } from './compiled-query.ts';
import { ComparedTexts } from './compared-texts.ts';
import { QueryResult } from './query-result.ts';
import { rowsOfQuery } from './query-process.ts';
import { TableReading } from './table-reading.ts';

/** A mapping with a query, and the files of its tables in their order. */
export interface QueryFiles {
  readonly mapping: Mapping;
  readonly query: QuerySpec;
  readonly files: readonly SourceFile[];
  /** Longest time without a row, in milliseconds. */
  readonly limitMs?: number | undefined;
}

/** The result of a query in place of a file: its items, and what ties its columns to the cells of the tables. */
export function querySource(
  of: QueryFiles,
  plan: (names: readonly string[]) => PlanResult,
): { items: AsyncIterable<readonly ReadItem[]>; mapping: (names: readonly string[]) => PlanResult } {
  let compiled: CompiledQuery | undefined;
  const place = of.mapping.positionOf(['source', 'sql']);
  return {
    items: { [Symbol.asyncIterator]: () => itemsOf(of, (found) => (compiled = found)) },
    mapping: (names) => byQuery(plan(names), { columns: compiled!.columns.map(({ cell }) => cell), place }),
  };
}

/** What is wrong with a query whose tables are there, else the header of its result. Reads each file up to its header. */
export async function queryHeader(
  of: QueryFiles,
): Promise<readonly Problem[] | { names: readonly string[] }> {
  const { compiled, close } = await openTables(of);
  await close();
  return 'problems' in compiled ? compiled.problems : { names: compiled.columns.map(({ name }) => name) };
}

async function* itemsOf(
  of: QueryFiles,
  onCompiled: (query: CompiledQuery) => void,
): AsyncGenerator<readonly ReadItem[]> {
  const opened = await openTables(of);
  try {
    const { store, tables, compiled, text } = opened;
    if ('problems' in compiled) throw invalidMapping(of.mapping, compiled.problems);
    onCompiled(compiled);
    yield [{ kind: 'header', names: compiled.columns.map(({ name }) => name), line: 1 }];
    const compared = new ComparedTexts(
      text,
      tables.map(({ reading }) => reading),
    );
    for (const [index, { reading, table }] of tables.entries()) {
      let lines = 0;
      for await (const { row, part } of reading.lines()) {
        if (index === 0) store.addLine({ ...row, part });
        if (part === null) {
          table.add(row.firstLine, row.cells);
          compared.see(index, row.cells);
        }
        if (++lines % LOOK_EVERY === 0) yield [];
      }
    }
    store.flush();
    const readings = tables.map(({ reading }) => reading);
    yield readings.flatMap((reading) => reading.problems.map(noticeOf));
    const errors = readings.reduce((sum, reading) => sum + reading.errors, 0);
    if (errors > 0)
      return yield [unreadable(failure('query_tables_wrong', [], { count: errors }), of.mapping)];
    const wrong = [...compared.problems()];
    if (wrong.length > 0) throw invalidMapping(of.mapping, wrong);
    for (const { reading, table } of tables)
      for (const column of reading.names) if (text.found.has(column.toLowerCase())) table.addIndex(column);
    store.analyze();
    yield* rowsOf(opened, compiled, of);
  } finally {
    await opened.close();
  }
}

/** Rows between two looks whether the command is to end. */
const LOOK_EVERY = 1000;

async function* rowsOf(
  { store, tables }: OpenedTables,
  compiled: CompiledQuery,
  { mapping, query, limitMs }: QueryFiles,
): AsyncGenerator<readonly ReadItem[]> {
  const { file, line, column } = mapping.positionOf(['source', 'sql']);
  const result = new QueryResult(compiled, { store, tables, place: `${file}:${line}:${column}` });
  for await (const lines of rowsOfQuery({ path: store.path, sql: compiled.sql }, limitMs)) {
    const items: ReadItem[] = [];
    for (const each of lines) {
      if (Array.isArray(each)) for (const item of result.accept(each)) items.push(item);
      else if ('unread' in each) items.push(...result.unread(each.unread));
    }
    yield items;
  }
  let left: ReadItem[] = [];
  for (const item of result.leftOut()) {
    if (left.push(item) < LOOK_EVERY) continue;
    yield left;
    left = [];
  }
  yield [...left, ...result.warnings(query.mayRepeat)];
}

type OpenedTables = Awaited<ReturnType<typeof openTables>>;

/** SQLite is loaded only where a mapping has a query. */
async function openTables({ mapping, query, files }: QueryFiles) {
  const { openQueryStore } = await import('../../scratch/query-store.ts');
  const readings = query.tables.map((table, at) => new TableReading(table, files[at]!, mapping));
  const store: QueryStore = openQueryStore();
  const close = async (): Promise<void> => {
    store.close();
    for (const reading of readings) await reading.close();
  };
  try {
    const text = queryText(query.sql);
    const problems: Problem[] = [];
    const tables: { reading: TableReading; table: QueryTable }[] = [];
    for (const reading of readings) {
      await reading.open();
      const alike = columnsAlike(reading);
      if (alike) problems.push(alike);
      else tables.push({ reading, table: store.createTable(reading.name, reading.names) });
    }
    const compiled =
      problems.length > 0 ? problems : compiledQuery(text, readings, { store, functions: queryFunctions() });
    return { store, tables, text, compiled: 'sql' in compiled ? compiled : { problems: compiled }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Columns that SQL cannot tell apart, or that have the name of the number of the row. */
function columnsAlike({ names, file }: TableReading): Problem | undefined {
  const known = new Map([['_row', '_row']]);
  for (const name of names) {
    const other = known.get(name.toLowerCase());
    if (other !== undefined) return failure('query_columns_alike', [], { file: file.name, name, other });
    known.set(name.toLowerCase(), name);
  }
  return undefined;
}

function noticeOf({ problem, cell }: { problem: Problem; cell: ItemCell }): ReadItem {
  return { kind: 'notice', line: 1, problem, cell };
}

function unreadable(problem: Problem, mapping: Mapping): ReadItem {
  const { file, line } = mapping.positionOf(['source', 'sql']);
  return { kind: 'unreadable', line: 1, problem, cell: { ...NO_CELL, file, line } };
}

function invalidMapping({ name, positionOf }: Mapping, problems: readonly Problem[]): AppError {
  const [first] = problems;
  const reason = `source.sql: ${sentenceOf(first!.code, first!.facts)}`;
  return new AppError('mapping_invalid', {
    mapping: name,
    count: problems.length,
    reason,
    ...positionOf(['source', 'sql']),
  });
}
