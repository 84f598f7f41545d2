import type { DuckDBConnection } from '@duckdb/node-api';
import { failure, type Problem } from '../../core/problem.ts';
import { planProblem } from './plan-checks.ts';
import { literal, textOf } from './query-database.ts';
import { placesIn, type QueryNode } from './query-node.ts';
import type { QueryTable } from './query-table.ts';

/** A column of the result: its index, and its type as DuckDB writes it, such as DECIMAL(38,2). */
export type QueryColumn = Readonly<{ name: string; at: number; type: string }>;

/** A query that is changed. `columnsNow`: its columns as it is now; undefined where DuckDB cannot run it. */
type Draft = Readonly<{
  tree: QueryNode;
  tables: readonly QueryTable[];
  columnsNow: () => Promise<readonly QueryColumn[] | undefined>;
}>;

/** A query that can run, and the columns that a mapping can name. The result has them as c0, c1 …, and as `lines` the `_row` of the record. */
export type CheckedQuery = Readonly<{ sql: string; columns: readonly QueryColumn[] }>;

/** What the plan does not show any more: joins without a condition of their own, and a query in a text. */
const BY_NAMES =
  /"(?:ref_type":"(?:NATURAL|POSITIONAL)|using_columns":\[[^\]]*"_row"|function_name":"query(?:_table)?")/i;

const invalid = (reason: string): Problem => failure('query_invalid', [], { reason });

/** Checks a query against its tables, which are loaded. @returns the query, or why it is refused */
export async function checkedQuery(
  db: DuckDBConnection,
  { sql, mayRepeat }: { sql: string; mayRepeat: boolean },
  tables: readonly QueryTable[],
): Promise<CheckedQuery | Problem> {
  const document = parsedTree(await textOf(db, `SELECT json_serialize_sql(${literal(sql)})`));
  if (!document.statements) return invalid(document.error_message!);
  const [{ node: tree } = {}, ...others] = document.statements;
  if (!tree || others.length > 0 || tree.from_table?.type === 'SHOW_REF')
    return invalid('it is not one SELECT');
  if (tree.type !== 'SELECT_NODE' || isDistinct(tree))
    return invalid(
      'nobody knows whose rows the result of DISTINCT, UNION, INTERSECT or EXCEPT has; write GROUP BY ALL, or a mapping for each SELECT',
    );
  if (BY_NAMES.test(JSON.stringify(tree)))
    return invalid(
      'it joins by all equal names, by `_row`, which is the line of one file, or by the order of the rows, or has a query in a text; write ON',
    );
  const refused = await problemOfPlan(db, sql);
  if (refused) return refused;

  const written = () => textOf(db, `SELECT json_deserialize_sql(${literal(JSON.stringify(document))})`);
  const columnsNow: Draft['columnsNow'] = async () => {
    const described = await db.runAndReadAll(`DESCRIBE ${await written()}`).catch(() => undefined);
    const found = described?.getRowsJS() as [string, string][] | undefined;
    return found?.map(([name, type], at) => ({ name, at, type }));
  };
  await selectRows({ tree, tables, columnsNow });
  await raiseErrors({ tree, tables, columnsNow }, mayRepeat);
  const columns = (await columnsNow())!;
  const float = columns.find(({ type }) => /DOUBLE|FLOAT/.test(type));
  if (float) return failure('query_float', [], { what: `\`${float.name}\`` });
  const row = columns.findLast(({ name, type }) => name === '_row' && /^UBIGINT(?:\[\])?$/.test(type));
  if (!row) return failure('query_row_missing', [], { table: tables[0]!.name });
  const lines = row.type.endsWith(']') ? `c${row.at}` : `[c${row.at}]`;
  const names = columns.map(({ at }) => `c${at}`).join(', ');
  return {
    sql: `SELECT *, ${lines} AS lines FROM (${await written()}) AS result(${names})`,
    columns: columns.filter(({ name }) => name !== '_row'),
  };
}

const isDistinct = ({ modifiers = [] }: QueryNode): boolean =>
  modifiers.some(({ type, distinct_on_targets: on = [] }) => type === 'DISTINCT_MODIFIER' && on.length === 0);

/** Why a query is refused by what it means; or why it has no meaning, which names columns and has no values. */
async function problemOfPlan(db: DuckDBConnection, sql: string): Promise<Problem | undefined> {
  const text = await textOf(db, `SELECT json_serialize_plan(${literal(sql)}, optimize := false)`);
  const { plans, error_message: why = '' } = JSON.parse(text) as { plans?: object; error_message?: string };
  const hint = why.includes('VARCHAR') ? '; a column is text (VARCHAR) unless `types` says what it is' : '';
  if (!plans) return invalid(why.split('\n')[0]! + hint);
  const changing = await textOf(
    db,
    "SELECT string_agg(function_name, ' ') FROM duckdb_functions() WHERE stability <> 'CONSISTENT' AND function_name <> 'error'",
  );
  return planProblem(plans, new Set(changing.split(' ')));
}

/** Functions that add up their values, so that a row that comes twice counts twice. */
const ADDS_UP = /^(?:\w*(?:sum|avg|count)\w*|mean|product|list|array_agg|string_agg|group_concat|regr_\w+)$/;
const LISTS = /list|agg|concat/;
const TAKES_ANY = /^(?:any_value|arbitrary|first|last)$/;
const ASKS_NULL = /^OPERATOR_(?:IS_(?:NOT_)?NULL|COALESCE)$/;

/** Has the query raise an error: for any value of several, an empty cell that is asked whether it is NULL, a row that is added up twice. */
async function raiseErrors({ tree, tables, columnsNow }: Draft, mayRepeat: boolean): Promise<void> {
  for (const { node, parent, key, select } of placesIn(tree).toReversed()) {
    const { children: values } = node;
    if (!values) continue;
    const name = functionName(node);
    // The last value of COALESCE stays as it is.
    if (ASKS_NULL.test(node.type!) || name === 'count')
      node.children = values.map((value, at) =>
        at > 0 && at === values.length - 1 ? value : callNode('not_empty', value),
      );
    if (TAKES_ANY.test(name) && !node.order_bys?.orders?.[0] && !node.filter && node.class === 'FUNCTION')
      parent[key] = { ...callNode('single', values[0]!), alias: node.alias };
    if (mayRepeat || !ADDS_UP.test(name) || node.distinct) continue;
    for (const term of values.flatMap(termsOf)) {
      const rows = rowsOf(term, select.from_table!, tables);
      const whole = parent[key] as QueryNode;
      const inGroup = rows[1] && LISTS.test(name) ? [callNode('row', ...rows)] : rows;
      const repeats = inGroup[1] ? repeatsInAll(rows, select) : repeatsInGroup(inGroup[0]!, node);
      if (rows[0]) parent[key] = callNode('unlike', whole, repeats);
      if (!(await columnsNow())) parent[key] = whole;
    }
  }
}

/** What is added up each for itself: the parts of a sum. A product or an object is one. */
function termsOf(value: QueryNode): readonly QueryNode[] {
  const isSum = value.class === 'CAST' || /^[+-]$/.test(functionName(value));
  return isSum ? [value.child ?? [], value.children ?? []].flat().flatMap(termsOf) : [value];
}

/** The `_row` of each joined table or subquery whose columns a value names. */
function rowsOf(value: QueryNode, from: QueryNode, tables: readonly QueryTable[]): readonly QueryNode[] {
  const leaves = leavesOf(from);
  const used = leaves.filter((leaf) =>
    columnsIn(value).some(([name, column]) => {
      if (column !== undefined) return name === leaf.alias;
      const has = ({ table }: Leaf) =>
        tables.find((each) => each.name === table)?.columns.some((own) => own.name.toLowerCase() === name);
      return has(leaf) ?? !leaves.some(has);
    }),
  );
  return used.map(({ alias }) => rowNode(alias));
}

/** How often a group has a row once more. */
function repeatsInGroup(row: QueryNode, node: QueryNode): QueryNode {
  const unordered = node.order_bys && { order_bys: { type: 'ORDER_MODIFIER', orders: [] } };
  const count = { ...node, ...unordered, function_name: 'count', children: [row], alias: '' };
  return callNode('-', count, { ...count, distinct: true });
}

/** The same for a value of several tables: one has to have each row once in the whole join, and the others are looked up for it. */
function repeatsInAll(rows: readonly QueryNode[], select: QueryNode): QueryNode {
  const ungrouped = { group_expressions: [], group_sets: [], having: null, qualify: null, modifiers: [] };
  const select_list = [callNode('least', ...rows.map((row) => callNode('repeats', row)))];
  const subquery = { node: { ...select, ...ungrouped, select_list } };
  const scalar = { subquery_type: 'SCALAR', comparison_type: 'INVALID', subquery };
  return { class: 'SUBQUERY', type: 'SUBQUERY', ...scalar };
}

/**
 * Selects the `_row` of the records in each SELECT, as a list where it has groups: that of the first table, unless it is read twice and
 * the query has to say which one; else that of a subquery; in a subquery, where rows are only told apart, that of any table.
 */
async function selectRows({ tree, tables, columnsNow }: Draft): Promise<void> {
  for (const [at, { node }] of placesIn({ tree }).toReversed().entries()) {
    if (node.subquery && !node.class) node.alias ||= `subquery_${at}`;
    if (!node.select_list || isDistinct(node)) continue;
    const leaves = leavesOf(node.from_table!);
    const own = leavesOf(node.from_table!, false).filter(({ table }) => table === tables[0]!.name);
    const subquery = leaves.find(({ table }) => !tables.some(({ name }) => name === table));
    const leaf = own[0] ?? subquery ?? (node === tree ? undefined : leaves[0]);
    if (!leaf || own.length > 1) continue;
    const row = rowNode(leaf.alias);
    const list = { ...callNode('list', row), distinct: true, alias: '_row' };
    // In GROUP BY ALL, `_row` itself would make a group of each row.
    for (const form of node.aggregate_handling === 'FORCE_AGGREGATES' ? [list] : [row, list]) {
      node.select_list.push(form);
      if (await columnsNow()) break;
      node.select_list.pop();
    }
  }
}

/** Parses the answer of `json_serialize_sql`. Numbers stay as they were written: a float would lose digits, and `1.0` its kind. */
function parsedTree(text: string): {
  error_message?: string;
  statements?: readonly { node: QueryNode }[];
} {
  const exact = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && String(value) !== context!.source ? JSON.rawJSON(context!.source!) : value;
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown) as ReturnType<typeof parsedTree>;
}

/** The names of each column that an expression reads, in lower case, such as `b` and `gross`. */
const columnsIn = (node: QueryNode): readonly (readonly string[])[] =>
  placesIn({ node }).flatMap(({ node: { type, column_names: names } }) =>
    // ARRAY(SELECT …) names its column by its place.
    names ? [names.map((name) => name.toLowerCase())] : type === 'POSITIONAL_REFERENCE' ? [['']] : [],
  );

const functionName = ({ function_name: name = '' }: QueryNode): string => name.toLowerCase();

/** A table or a subquery of a FROM, under its name in the query. */
type Leaf = Readonly<{ alias: string; table: string }>;

/** The leaves of a FROM, from left to right; with those that a LEFT JOIN only looks up, unless they are not wanted. */
function leavesOf(from: QueryNode, withLookups = true): readonly Leaf[] {
  const isLookup = from.join_type === 'LEFT' && !withLookups;
  if (from.type === 'JOIN')
    return [from.left!, ...(isLookup ? [] : [from.right!])].flatMap((each) => leavesOf(each, withLookups));
  const table = (from.table_name ?? '').toLowerCase();
  const alias = (from.alias ?? '').toLowerCase() || table;
  return alias === '' ? [] : [{ alias, table }];
}

/** Calls a function with an expression, under the name of the expression. DuckDB fills in the keys that are left out. */
const callNode = (name: string, ...values: readonly QueryNode[]): QueryNode => ({
  class: 'FUNCTION',
  type: 'FUNCTION',
  alias: values[0]!.alias ?? '',
  function_name: name,
  children: values.map((value) => ({ ...value, alias: '' })),
});

const rowNode = (alias: string): QueryNode => ({
  class: 'COLUMN_REF',
  type: 'COLUMN_REF',
  column_names: [alias, '_row'],
});
