import type { DuckDBConnection } from '@duckdb/node-api';
import { failure, type Problem } from '../../core/problem.ts';
import { floatProblem, planProblem } from './plan-checks.ts';
import { literal, textOf } from './query-database.ts';
import { nodesIn, placesIn, type QueryNode } from './query-node.ts';
import type { QueryTable } from './query-table.ts';

/** A column of the result: its index, and its type as DuckDB writes it, such as DECIMAL(38,2). */
export type QueryColumn = Readonly<{ name: string; at: number; type: string }>;

/** A query that is changed. `columnsNow`: its columns as it is now; undefined where DuckDB cannot run it. */
type Draft = Readonly<{
  tree: QueryNode;
  tables: readonly QueryTable[];
  columnsNow: () => Promise<readonly QueryColumn[] | undefined>;
  /** The lists of SELECT to which an item was added for the sum that is being checked. */
  added: QueryNode[][];
}>;

/** A query that can run, and the columns that a mapping can name. The result has them as c0, c1 …, and as `lines` the `_row` of the record. */
export type CheckedQuery = Readonly<{ sql: string; columns: readonly QueryColumn[] }>;

/** What the plan does not show any more: joins without a condition of their own, and a query in a text. */
const BY_NAMES =
  /"(?:ref_type":"(?:NATURAL|POSITIONAL)|using_columns":\[[^\]]*"_row"|function_name":"query(?:_table)?")/i;

const invalid = (reason: string): Problem => failure('query_invalid', [], { reason });

/** The problem of rows that come from no row of the first table. */
export function untracedProblem(table: string): Problem {
  const reason = `the rows of its result cannot be traced to rows of the first table \`${table}\``;
  const todo = `Select \`_row\` of \`${table}\` in each subquery, under the name that it has there (\`b._row\`); in a subquery with GROUP BY, \`list(b._row) AS _row\`.`;
  return failure('query_invalid', [], { reason, todo });
}

/** Checks a query against its tables, which are loaded. @returns the query, or why it is refused */
export async function checkedQuery(
  db: DuckDBConnection,
  { sql, mayRepeat }: { sql: string; mayRepeat: boolean },
  tables: readonly QueryTable[],
): Promise<CheckedQuery | Problem> {
  const treeOf = async (of: string) =>
    parsedTree(await textOf(db, `SELECT json_serialize_sql(${literal(of)})`));
  let document = await treeOf(sql);
  if (document.error_message !== undefined) return invalid(document.error_message);
  const [{ node: read } = {}, ...others] = document.statements!;
  if (!read || others.length > 0 || read.from_table?.type === 'SHOW_REF')
    return invalid('it is not one SELECT');
  if (isUnion(read)) {
    document = await treeOf('SELECT * FROM (SELECT 1)');
    document.statements![0]!.node.from_table!.subquery!.node = read;
  }
  const tree = document.statements![0]!.node;
  if (tree.type !== 'SELECT_NODE' || isDistinct(tree))
    return invalid(
      'nobody knows whose rows the result of DISTINCT, UNION, INTERSECT or EXCEPT has; write GROUP BY ALL around a subquery, or UNION ALL',
    );
  if (BY_NAMES.test(JSON.stringify(tree)))
    return invalid(
      'it joins by all equal names, by `_row`, which is the line of one file, or by the order of the rows, or has a query in a text; write ON',
    );
  for (const { node } of placesIn({ tree })) {
    if (node.class === 'COMPARISON' && node.left!.column_names && isSame(node.left!, node.right!))
      return invalid('it compares a column with itself; name the table of each, such as b.id = a.id');
    withoutIdleOrder(node, tree);
  }

  const written = () => textOf(db, `SELECT json_deserialize_sql(${literal(JSON.stringify(document))})`);
  const refused = await problemOfPlan(db, await written());
  if (refused) return refused;
  const columnsNow: Draft['columnsNow'] = async () => {
    const described = await db.runAndReadAll(`DESCRIBE ${await written()}`).catch(() => undefined);
    const found = described?.getRowsJS() as [string, string][] | undefined;
    return found?.map(([name, type], at) => ({ name, at, type }));
  };
  const draft: Draft = { tree, tables, columnsNow, added: [] };
  await selectRows(draft);
  await raiseErrors(draft, mayRepeat);
  const columns = await columnsNow();
  if (!columns) return invalid('its rows cannot be told apart; write it without PIVOT');
  const float = columns.find(({ type }) => /DOUBLE|FLOAT/.test(type));
  if (float) return floatProblem(`\`${float.name}\``);
  const row = columns.findLast(({ name, type }) => name === '_row' && /^UBIGINT(?:\[\])?$/.test(type));
  if (!row) return untracedProblem(tables[0]!.name);
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
const EXTREME = /^(?:arg_?(max|min)|(max|min)_by)$/;
const TAKES_ANY = /^(?:any_value|arbitrary|first|last)$/;
const ASKS_NULL = /^OPERATOR_(?:IS_(?:NOT_)?NULL|COALESCE)$/;

/** Has the query raise an error: for any value of several, an empty cell that is asked whether it is NULL, a row that is added up twice. */
async function raiseErrors(draft: Draft, mayRepeat: boolean): Promise<void> {
  const { tree, columnsNow } = draft;
  for (const { node, parent, key, select } of placesIn(tree)) {
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
    for (const rows of values.flatMap((value) => partsOf(value, select.from_table!, draft))) {
      if (!rows[0]) continue;
      const whole = parent[key] as QueryNode;
      const inGroup = rows[1] && LISTS.test(name) ? [callNode('row', ...rows)] : rows;
      const repeats = inGroup[1] ? repeatsInAll(rows, select) : repeatsInGroup(inGroup[0]!, node);
      parent[key] = callNode('unlike', whole, repeats);
      const isRight = await columnsNow();
      if (!isRight) parent[key] = whole;
      for (const items of draft.added.splice(0)) if (!isRight) items.pop();
    }
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
  if (value.type === 'WINDOW_AGGREGATE') return [value.partitions ?? []];
  // ARRAY(SELECT …) names its column by its place.
  const isFirst = value.type === 'POSITIONAL_REFERENCE';
  const names = isFirst ? [] : value.column_names?.map((name) => name.toLowerCase());
  if (!names) {
    const columns = nodesIn({ value }).filter(isColumn);
    const aliases = leavesOf(from).map(({ alias }) => alias);
    if (value.class === 'SUBQUERY')
      return [columns.filter(({ column_names: [alias = ''] = [] }) => aliases.includes(alias))];
    const rows = columns.flatMap((column) => partsOf(column, from, draft).flat());
    return [rows.filter((row, at) => rows.findIndex((other) => isSame(row, other)) === at)];
  }
  return leavesWith(names, from, draft.tables).flatMap((leaf) => {
    const inner = selectOf(leaf, draft.tree);
    if (!inner) return [[rowNode(leaf.alias)]];
    const item = inner.select_list!.find((each) => isFirst || nameOf(each) === names.at(-1)) ?? {
      ...value,
      column_names: names.slice(-1),
    };
    return partsOf(item, inner.from_table!, draft).map((rows) =>
      rows.map((row) => {
        const items = inner.select_list!;
        const known = items.find((each) => each.alias?.startsWith('_row') && isSame(each, row));
        if (!known) draft.added.push(items);
        const alias = known?.alias ?? `_row_${items.length}`;
        if (!known) items.push({ ...row, alias });
        return { ...COLUMN, column_names: [leaf.alias, alias] };
      }),
    );
  });
}

const isColumn = ({ column_names: names, type }: QueryNode): boolean =>
  names !== undefined || type === 'POSITIONAL_REFERENCE';

const nameOf = ({ alias, column_names: names }: QueryNode): string =>
  (alias || (names?.at(-1) ?? '')).toLowerCase();

/** The SELECT of a subquery or of a WITH whose rows are not groups, and so those of its tables. */
function selectOf({ table, node: { subquery } }: Leaf, tree: QueryNode): QueryNode | undefined {
  const cte = placesIn({ tree }).find(({ node: { key } }) => table !== '' && key?.toLowerCase() === table);
  const inner = subquery?.node ?? cte?.node.value?.query?.node;
  const isOfRows = inner?.select_list?.some(
    ({ alias, column_names: names }) => !alias && names?.at(-1) === '_row',
  );
  return isOfRows ? inner : undefined;
}

/** The tables and subqueries of a FROM that have a column, such as `b`, `gross`. */
function leavesWith(
  names: readonly string[],
  from: QueryNode,
  tables: readonly QueryTable[],
): readonly Leaf[] {
  const [name, column] = names;
  const leaves = leavesOf(from);
  const has = ({ table }: Leaf) =>
    tables.find((each) => each.name === table)?.columns.some((own) => own.name.toLowerCase() === name);
  return leaves.filter((leaf) =>
    column === undefined ? (has(leaf) ?? !leaves.some(has)) : name === leaf.alias,
  );
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
  for (const [at, { node }] of placesIn({ tree }).entries()) {
    if (node.subquery && !node.class) node.alias ||= `subquery_${at}`;
    const selects = isUnion(node)
      ? branchesOf(node)
      : [node].filter((each) => each.select_list && !isDistinct(each));
    const choices = selects.map((each) => rowsFor(each, each === tree, tables));
    for (let at = 0; choices[0] && choices.every((rows) => rows[at]); at++) {
      for (const [index, { select_list: items }] of selects.entries()) items!.push(choices[index]![at]!);
      if (await columnsNow()) break;
      for (const { select_list: items } of selects) items!.pop();
    }
  }
}

const branchesOf = (node: QueryNode): readonly QueryNode[] =>
  node.left && node.right ? [...branchesOf(node.left), ...branchesOf(node.right)] : [node];

function rowsFor(
  { from_table: from, aggregate_handling: handling }: QueryNode,
  isWhole: boolean,
  tables: readonly QueryTable[],
): readonly QueryNode[] {
  const leaves = leavesOf(from!);
  const own = leavesOf(from!, false).filter(({ table }) => table === tables[0]!.name);
  const others = leaves.filter(({ table }) => !isWhole || !tables.some(({ name }) => name === table));
  return (own.length > 1 ? [] : [...own, ...others]).flatMap(({ alias }) => {
    const row = rowNode(alias);
    const list = { ...callNode('list', row), distinct: true, alias: '_row' };
    // In GROUP BY ALL, `_row` itself would make a group of each row.
    return handling === 'FORCE_AGGREGATES' ? [list] : [row, list];
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
type Leaf = Readonly<{ alias: string; table: string; node: QueryNode }>;

/** The leaves of a FROM, from left to right; with those that a LEFT JOIN only looks up, unless they are not wanted. */
function leavesOf(from: QueryNode, withLookups = true): readonly Leaf[] {
  const isLookup = from.join_type === 'LEFT' && !withLookups;
  if (from.type === 'JOIN')
    return [from.left!, ...(isLookup ? [] : [from.right!])].flatMap((each) => leavesOf(each, withLookups));
  const table = (from.table_name ?? '').toLowerCase();
  const alias = (from.alias ?? '').toLowerCase() || table;
  return alias === '' ? [] : [{ alias, table, node: from }];
}

/** Calls a function with an expression, under the name of the expression. DuckDB fills in the keys that are left out. */
const callNode = (name: string, ...values: readonly QueryNode[]): QueryNode => ({
  class: 'FUNCTION',
  type: 'FUNCTION',
  alias: values[0]!.alias ?? '',
  function_name: name,
  children: values.map((value) => ({ ...value, alias: '' })),
});

const COLUMN = { class: 'COLUMN_REF', type: 'COLUMN_REF' };

const rowNode = (alias: string): QueryNode => ({ ...COLUMN, column_names: [alias, '_row'] });
