import { failure, type Problem } from '../../../core/problem.ts';
import type { ItemCell } from '../../csv/source-row.ts';
import {
  arithmeticProblem,
  expressionOf,
  type QueryText,
} from '../../mapping/language/query/query-guards.ts';
import { refusedFunction, type QueryFunctions } from '../../mapping/language/query/query-functions.ts';
import { isMark, isWord } from '../../mapping/language/query/sql-tokens.ts';
import type { QueryStep, QueryStore, ResultColumn } from '../../scratch/query-store.ts';
import type { TableReading } from './table-reading.ts';

/** A column of the result that a mapping can name. */
export interface QueryColumn {
  readonly name: string;
  /** Its index in the rows of SQLite. */
  readonly at: number;
  /** The index of the table that has it, and its index there; null for a column that is calculated, or whose row is not known. */
  readonly from: Readonly<{ table: number; column: number }> | null;
  /** The cell, without its line. */
  readonly cell: ItemCell;
}

/** A query that was checked. */
export interface CompiledQuery {
  /** In the order of the first table, unless it has an order of its own. */
  readonly sql: string;
  readonly columns: readonly QueryColumn[];
  /** The indexes of the `_row` of each table in the rows of SQLite; undefined for a table that is only looked up. */
  readonly rowsAt: readonly (number | undefined)[];
  /** Whether the rows come in the order of the first table. */
  readonly isInOrder: boolean;
  /** Whether a cell may come from another row of its table, because the query reads the table twice. */
  readonly readsTwice: readonly boolean[];
}

/** Checks a query against its tables. @returns the query, or why it is refused */
export function compiledQuery(
  text: QueryText,
  tables: readonly TableReading[],
  { store, functions }: { store: Pick<QueryStore, 'prepare'>; functions: QueryFunctions },
): CompiledQuery | readonly Problem[] {
  if (text.problems.length > 0) return text.problems;
  const prepared = store.prepare(text.sql, functions);
  if (typeof prepared === 'string') return [failure('query_invalid', [], { reason: prepared })];
  const problems = [...stepProblems(prepared.steps, text)];
  const rowsAt = tables.map(({ name }) => {
    const at = prepared.columns.findIndex(({ table, column }) => table === name && column === '_row');
    return at < 0 ? undefined : at;
  });
  const listAt = prepared.columns.findIndex(isListOfRows);
  const rowAt = rowsAt[0] ?? (listAt < 0 ? undefined : listAt);
  if (rowAt === undefined) problems.push(failure('query_row_missing', [], { table: tables[0]!.name }));
  if (problems.length > 0) return problems;
  const isSingle = rowsAt[0] !== undefined;
  const sql = text.hasOrder ? text.sql : inOrder(text.sql, rowAt!, { isSingle, store, functions });
  return {
    sql,
    columns: prepared.columns.flatMap((column, at) => {
      if (column.column === '_row' || at === rowAt) return [];
      return [{ name: column.name, at, ...originOf(column, tables, { rowsAt, text }) }];
    }),
    rowsAt: [rowAt, ...rowsAt.slice(1)],
    isInOrder: isSingle && !text.hasOrder,
    readsTwice: tables.map(({ name }) => timesRead(name, text) > 1),
  };
}

/** `group_concat(_row)`, under that name or as `_row`. */
const isListOfRows = ({ name, table }: ResultColumn): boolean =>
  table === null &&
  (name === '_row' || /^(?:group_concat|string_agg)\s*\([^()]*\b_row\b[^()]*\)$/i.test(name));

/** The query in the order of the first table. A list of rows is ordered by its first one. */
function inOrder(
  sql: string,
  rowAt: number,
  {
    isSingle,
    store,
    functions,
  }: { isSingle: boolean; store: Pick<QueryStore, 'prepare'>; functions: QueryFunctions },
): string {
  // The query may end in a comment of one line.
  if (isSingle) return `${sql}\nORDER BY ${rowAt + 1}`;
  const whole = `SELECT * FROM (${sql}\n)`;
  const prepared = store.prepare(whole, functions);
  if (typeof prepared === 'string') throw new TypeError(`a query cannot be ordered: ${prepared}`);
  return `${whole} ORDER BY CAST("${prepared.columns[rowAt]!.name.replaceAll('"', '""')}" AS INTEGER)`;
}

function originOf(
  { name, table, column }: ResultColumn,
  tables: readonly TableReading[],
  { rowsAt, text }: { rowsAt: readonly (number | undefined)[]; text: QueryText },
): Pick<QueryColumn, 'from' | 'cell'> {
  const at = tables.findIndex((each) => each.name === table);
  if (at < 0 || column === null)
    return { from: null, cell: { file: null, line: null, column: null, header: expressionOf(text, name) } };
  const { names, file, isJsonLines } = tables[at]!;
  const index = names.indexOf(column);
  if (at > 0 && rowsAt[at] === undefined)
    return { from: null, cell: { file: null, line: null, column: null, header: `${table}.${column}` } };
  return {
    from: { table: at, column: index },
    cell: {
      file: at === 0 ? null : file.name,
      line: null,
      column: isJsonLines ? null : index + 1,
      header: column,
    },
  };
}

function timesRead(name: string, { tokens }: QueryText): number {
  return tokens.filter(
    (token, at) =>
      token.text === name &&
      token.kind !== 'text' &&
      !isMark(tokens[at + 1], '.') &&
      !isMark(tokens[at - 1], '.') &&
      (isWord(tokens[at - 1], 'from', 'join') || isMark(tokens[at - 1], ',', '(')),
  ).length;
}

const CALCULATING: Readonly<Record<string, string>> = {
  BitAnd: '&',
  BitOr: '|',
  BitNot: '~',
  ShiftLeft: '<<',
  ShiftRight: '>>',
};

/** What SQLite would do that is not exact, or not the same each time. */
function* stepProblems(steps: readonly QueryStep[], { tokens }: QueryText): Generator<Problem> {
  const refused = new Set<string>();
  let isCalculated = false;
  for (const { opcode, p2, p4 } of steps) {
    const called = /^(?:Function|PureFunc|Agg(?:Step1?|Inverse|Value|Final))$/.test(opcode)
      ? /^(.+)\(-?\d+\)$/.exec(p4 ?? '')?.[1]?.toLowerCase()
      : undefined;
    if (called !== undefined && refusedFunction(called) !== undefined) refused.add(called);
    if (/^(?:Add|Subtract|Multiply|Divide|Remainder)$/.test(opcode)) isCalculated = true;
    const bits = CALCULATING[opcode];
    if (bits !== undefined) yield failure('query_arithmetic', [], { operator: bits, line: lineWith(bits) });
    if (opcode === 'Real')
      yield failure('query_makes_float', [], { reason: 'a number with a point or an exponent' });
    if (opcode === 'Cast' && (p2 === NUMERIC || p2 === REAL))
      yield failure('query_makes_float', [], { reason: 'a CAST to a number that is no INTEGER' });
    if (opcode === 'VOpen')
      yield failure('query_invalid', [], { reason: 'it reads something that is no table of the mapping' });
  }
  for (const name of refused)
    yield failure('query_function_refused', [], {
      name,
      line: lineWith(name),
      instead: refusedFunction(name)!,
    });
  const problem = isCalculated ? arithmeticProblem(tokens) : undefined;
  if (problem) yield problem;

  function lineWith(text: string): number {
    return tokens.find((token) => token.text === text)?.line ?? 1;
  }
}

/** Affinities of SQLite in the program, `SQLITE_AFF_NUMERIC` and `SQLITE_AFF_REAL`. */
const [NUMERIC, REAL] = [0x43, 0x45];
