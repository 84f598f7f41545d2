import type { DuckDBConnection } from '@duckdb/node-api';
import { checkPlan, nodesIn, placesIn, refuseFloat, type QueryNode } from './plan-checks.ts';
import { literal, refuse, textOf } from './query-database.ts';
import type { QueryTable } from './query-table.ts';

/** A column of the result: its index, and its type as DuckDB writes it, such as DECIMAL(38,2). */
export type QueryColumn = Readonly<{ name: string; at: number; type: string }>;

/** A query that is changed. `columnsNow`: its columns as it is now; undefined where DuckDB cannot run it. */
type Draft = Readonly<{
  tree: QueryNode;
  tables: readonly QueryTable[];
  columnsNow: () => Promise<readonly QueryColumn[] | undefined>;
  /** What the subqueries and the names of WITH in a FROM stand for. */
  selects: Map<QueryNode, QueryNode>;
  /** The SELECTs and UNIONs that have `_row`, and whether that is of one row of their FROM. */
  ofRows: Map<QueryNode, boolean>;
}>;

/** A query that can run, and the columns that a mapping can name. The result has them as c0, c1 …, and as `lines` the `_row` of the record. */
export type CheckedQuery = Readonly<{ sql: string; columns: readonly QueryColumn[] }>;

/** What the plan does not show any more: joins without a condition of their own, and a query in a text. */
const BY_NAMES =
  /"(?:ref_type":"(?:NATURAL|POSITIONAL)|using_columns":\[[^\]]*"_row"|function_name":"query(?:_table)?")/i;

/** Refuses a query whose rows come from no row of the first table. */
export const refuseUntraced = (table: string): never =>
  refuse(
    `the rows of its result cannot be traced to rows of the first table \`${table}\``,
    `Select \`_row\` of \`${table}\` in each subquery, under the name that it has there (\`b._row\`); in a subquery with GROUP BY, \`list(b._row) AS _row\`.`,
  );

/** Checks a query against its tables, which are loaded. */
export async function checkedQuery(
  db: DuckDBConnection,
  { sql, mayRepeat }: { sql: string; mayRepeat: boolean },
  tables: readonly QueryTable[],
): Promise<CheckedQuery> {
  const treeOf = async (of: string) =>
    parsedTree(await textOf(db, `SELECT json_serialize_sql(${literal(of)})`));
  let document = await treeOf(sql);
  const { error_message: why, statements: [{ node: read } = {}, ...others] = [] } = document;
  if (why !== undefined) refuse(why);
  if (!read || others.length > 0 || read.from_table?.type === 'SHOW_REF')
    return refuse('it is not one SELECT');
  const written = () => textOf(db, `SELECT json_deserialize_sql(${literal(JSON.stringify(document))})`);
  if (isUnion(read)) document = await treeOf(`SELECT * FROM (${await written()})`);
  const tree = document.statements![0]!.node;
  if (tree.type !== 'SELECT_NODE' || isDistinct(tree))
    refuse(
      'nobody knows whose rows the result of DISTINCT, UNION, INTERSECT or EXCEPT has; write GROUP BY ALL around a subquery, or UNION ALL',
    );
  if (BY_NAMES.test(JSON.stringify(tree)))
    refuse(
      'it joins by all equal names, by `_row`, which is the line of one file, or by the order of the rows, or has a query in a text; write ON',
    );
  for (const { node } of placesIn({ tree })) {
    if (node.class === 'COMPARISON' && node.left!.column_names && isSame(node.left!, node.right!))
      refuse('it compares a column with itself; name the table of each, such as b.id = a.id');
    withoutIdleOrder(node, tree);
  }
  await checkPlan(db, await written());
  const columnsNow: Draft['columnsNow'] = async () => {
    const described = await db.runAndReadAll(`DESCRIBE ${await written()}`).catch(() => undefined);
    const found = described?.getRowsJS() as [string, string][] | undefined;
    return found?.map(([name, type], at) => ({ name, at, type }));
  };
  const draft: Draft = { tree, tables, columnsNow, selects: new Map(), ofRows: new Map() };
  await selectRows(draft);
  raiseErrors(draft, mayRepeat);
  const columns = await columnsNow();
  if (!columns) return refuse('its rows cannot be told apart; write it without PIVOT');
  const float = columns.find(({ type }) => /DOUBLE|FLOAT/.test(type));
  if (float) refuseFloat(`\`${float.name}\``);
  const row = columns.findLast(({ name, type }) => name === '_row' && /^UBIGINT(?:\[\])?$/.test(type));
  if (!row) return refuseUntraced(tables[0]!.name);
  const lines = row.type.endsWith(']') ? `c${row.at}` : `[c${row.at}]`;
  const names = columns.map(({ at }) => `c${at}`).join(', ');
  return {
    sql: `SELECT *, ${lines} AS lines FROM (${await written()}) AS result(${names})`,
    columns: columns.filter(({ name }) => !name.startsWith('_row')),
  };
}

const isUnion = ({ setop_type: type, setop_all: isAll }: QueryNode): boolean => type === 'UNION' && isAll!;

/** Whether two nodes are written the same. */
const isSame = (...nodes: readonly QueryNode[]): boolean =>
  new Set(nodes.map((node) => JSON.stringify({ ...node, alias: '', query_location: 0 }))).size === 1;

/** Takes an order away that decides nothing: that of the result, and of the columns by which DISTINCT ON is. */
function withoutIdleOrder(node: QueryNode, tree: QueryNode): void {
  const { modifiers = [] } = node;
  if (modifiers.some(({ type }) => type!.startsWith('LIMIT'))) return;
  const on = modifiers.flatMap(({ distinct_on_targets: targets = [] }) => targets);
  if (on.length === 0 && node === tree) node.modifiers = [];
  for (const each of modifiers)
    if (each.orders)
      each.orders = each.orders.filter(({ expression }) => !on.some((target) => isSame(target, expression!)));
}

const isDistinct = ({ modifiers = [] }: QueryNode): boolean =>
  modifiers.some(({ type, distinct_on_targets: on = [] }) => type === 'DISTINCT_MODIFIER' && on.length === 0);

/** Functions that add up their values, so that a row that comes twice counts twice. */
const ADDS_UP =
  /^(?!list_|bit_)(?:\w*(?:sum|avg|count)\w*|mean|product|list|\w+_?agg|group_concat|json_group_\w+|regr_\w+)$/;
const EXTREME = /^(?:arg_?(max|min)|(max|min)_by)$/;
const TAKES_ANY = /^(?:any_value|arbitrary|first|last)$/;
const ASKS_NULL = /^OPERATOR_(?:IS_(?:NOT_)?NULL|COALESCE)$/;

/** Has the query raise an error: for any value of several, an empty cell that is asked whether it is NULL, a row that is added up twice. */
function raiseErrors(draft: Draft, mayRepeat: boolean): void {
  for (const { node, parent, key, select } of placesIn(draft.tree)) {
    const { children: values } = node;
    if (!values) continue;
    const name = functionName(node);
    // Without a word, an empty value of the newest row would give way to the one before it.
    if (values.length === 2 && EXTREME.test(name))
      node.function_name = name.replace(EXTREME, 'arg_$1$2_null');
    if (name === 'any_value' && node.order_bys?.orders?.[0]) node.function_name = 'first';
    // The last value of COALESCE stays as it is.
    if (ASKS_NULL.test(node.type!) || name === 'count' || node.ignore_nulls)
      node.children = values.map((value, at) =>
        at > 0 && at === values.length - 1 ? value : callNode('not_empty', value),
      );
    if (TAKES_ANY.test(name) && !node.order_bys?.orders?.[0] && !node.filter && node.class === 'FUNCTION')
      parent[key] = { ...callNode('single', values[0]!), alias: node.alias };
    if (mayRepeat || !ADDS_UP.test(name) || node.distinct) continue;
    for (const rows of values.flatMap((value) => partsOf(value, select.from_table!, draft)))
      if (rows[0]) parent[key] = callNode('unlike', parent[key] as QueryNode, repeatsOf(rows, node, select));
  }
}

/**
 * The parts of a sum, such as both of `a - b`, each with what tells apart the rows that it comes from: the `_row` of a table or of
 * groups, through subqueries that only join them. A product or an object is one part with the rows of all of its columns.
 */
function partsOf(value: QueryNode, from: QueryNode, draft: Draft): readonly (readonly QueryNode[])[] {
  if (value.class === 'CAST' || /^[+-]$/.test(functionName(value)))
    return [value.child ?? [], value.children ?? []].flat().flatMap((part) => partsOf(part, from, draft));
  // A value of several rows is the same for each row of its partition, and for each row with the columns that its subquery names.
  const columns = nodesIn({ value }).filter(isColumn);
  const leaves = leavesOf(from, draft);
  const ofOuter = columns.filter(({ column_names: [alias] = [] }) =>
    leaves.some((leaf) => leaf.alias === alias),
  );
  if (value.type === 'WINDOW_AGGREGATE') return [[callNode('json_array', ...value.partitions!)]];
  if (value.class === 'SUBQUERY') return [[callNode('json_array', ...ofOuter)]];
  if (columns[0] !== value) {
    const rows = columns.flatMap((column) => partsOf(column, from, draft).flat());
    return [rows.filter((row, at) => rows.findIndex((other) => isSame(row, other)) === at)];
  }
  return leavesWith(value, leaves).flatMap(({ alias, table, select }) => {
    if (table || draft.ofRows.get(select!) === false) return [[rowNode(alias)]];
    if (!select || !draft.ofRows.has(select)) return [];
    const items = select.select_list!;
    // ARRAY(SELECT …) names its column by its place.
    const isFirst = !value.column_names;
    const item = items.find((each) => isFirst || nameOf(each) === nameOf(value));
    const unknown = { ...value, column_names: [nameOf(value)] };
    return partsOf(item ?? unknown, select.from_table!, draft).map((rows) =>
      rows.map((row) => rowNode(alias, `_row_${items.push({ ...row, alias: `_row_${items.length + 1}` })}`)),
    );
  });
}

const isColumn = ({ column_names: names, type }: QueryNode): boolean =>
  names !== undefined || type === 'POSITIONAL_REFERENCE';

const nameOf = ({ alias, column_names: names }: QueryNode): string =>
  (alias || (names?.at(-1) ?? '')).toLowerCase();

/** The tables and subqueries of a FROM that have a column, such as `b`, `gross`. */
function leavesWith(column: QueryNode, leaves: readonly Leaf[]): readonly Leaf[] {
  const [first, second] = (column.column_names ?? []).map((each) => each.toLowerCase());
  if (second !== undefined) return leaves.filter(({ alias }) => alias === first);
  const own = leaves.filter(({ table }) => table?.columns.some(({ name }) => name.toLowerCase() === first));
  return own[0] ? own : leaves.filter(({ table }) => !table);
}

/** How often a group has a row once more. Of several tables, one has to have each row once in the whole join: the others are looked up for it. */
function repeatsOf(rows: readonly QueryNode[], node: QueryNode, select: QueryNode): QueryNode {
  const { order_bys: _, ...unordered } = node;
  const count = { ...unordered, function_name: 'count', children: [...rows], alias: '' };
  if (!rows[1]) return callNode('-', count, { ...count, distinct: true });
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
async function selectRows(draft: Draft): Promise<void> {
  const { tree, columnsNow, selects, ofRows } = draft;
  const named = new Map<string | undefined, QueryNode>();
  for (const [at, { node }] of placesIn({ tree }).entries()) {
    if (node.value?.query) named.set(node.key!.toLowerCase(), node.value.query.node!);
    if (node.subquery && !node.class) node.alias ||= `subquery_${at}`;
    const below = node.class ? undefined : (node.subquery?.node ?? named.get(node.table_name?.toLowerCase()));
    if (below) selects.set(node, below);
    const branches = branchesOf(node);
    const choices = branches.map((each) => rowsFor(each, draft));
    for (let at = 0; choices.every((rows) => rows[at]) && !ofRows.has(node); at++) {
      for (const [index, { select_list: items }] of branches.entries()) items!.push(choices[index]![at]!);
      if (await columnsNow()) ofRows.set(node, choices[0]![at]!.class === 'COLUMN_REF' && !isUnion(node));
      else for (const { select_list: items } of branches) items!.pop();
    }
  }
}

const branchesOf = (node: QueryNode): readonly QueryNode[] =>
  isUnion(node) ? [node.left!, node.right!].flatMap(branchesOf) : [node];

function rowsFor(select: QueryNode, draft: Draft): readonly QueryNode[] {
  if (!select.select_list || isDistinct(select)) return [];
  const leaves = leavesOf(select.from_table!, draft);
  const own = leavesOf(select.from_table!, draft, false).filter(({ table }) => table === draft.tables[0]);
  const others = leaves.filter(({ table }) => !table);
  return (own.length > 1 ? [] : [...own, ...others, ...leaves]).flatMap(({ alias }) => {
    const row = rowNode(alias);
    const list = { ...callNode('list', row), distinct: true, alias: '_row' };
    // In GROUP BY ALL, `_row` itself would make a group of each row.
    return select.aggregate_handling === 'FORCE_AGGREGATES' ? [list] : [row, list];
  });
}

/** Parses the answer of `json_serialize_sql`. Numbers stay as they were written: a float would lose digits, and `1.0` its kind. */
function parsedTree(text: string): {
  error_message?: string;
  statements?: { node: QueryNode }[];
} {
  const exact = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && String(value) !== context!.source ? JSON.rawJSON(context!.source!) : value;
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown) as ReturnType<typeof parsedTree>;
}

const functionName = ({ function_name: name = '' }: QueryNode): string => name.toLowerCase();

/** A table or a subquery of a FROM, under its name in the query. */
type Leaf = Readonly<{ alias: string; table: QueryTable | undefined; select: QueryNode | undefined }>;

/** The leaves of a FROM, from left to right; with those that a LEFT JOIN only looks up, unless they are not wanted. */
function leavesOf(from: QueryNode, draft: Draft, withLookups = true): readonly Leaf[] {
  const isLookup = from.join_type === 'LEFT' && !withLookups;
  if (from.type === 'JOIN')
    return [from.left!, ...(isLookup ? [] : [from.right!])].flatMap((each) =>
      leavesOf(each, draft, withLookups),
    );
  const named = from.table_name?.toLowerCase();
  const select = draft.selects.get(from);
  const table = select ? undefined : draft.tables.find(({ name }) => name === named);
  return [{ alias: from.alias?.toLowerCase() || (named ?? ''), table, select }];
}

/** Calls a function with an expression, under the name of the expression. DuckDB fills in the keys that are left out. */
const callNode = (name: string, ...values: readonly QueryNode[]): QueryNode => ({
  class: 'FUNCTION',
  type: 'FUNCTION',
  alias: values[0]?.alias ?? '',
  function_name: name,
  children: values.map((value) => ({ ...value, alias: '' })),
});

const rowNode = (alias: string, name = '_row'): QueryNode => ({
  class: 'COLUMN_REF',
  type: 'COLUMN_REF',
  column_names: [alias, name],
});
