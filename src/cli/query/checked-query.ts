import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableColumn } from '../mapping/compile/plan-of-table.ts';
import type { QuerySpec } from '../mapping/language/source.ts';
import { checkPlan, nodesIn, placesIn, refuseFloat, type QueryNode } from './plan-checks.ts';
import { literal, refuse, textOf } from './query-database.ts';

/** A table of a query, and how many errors its file has. The first one has the rows of the records. */
export type QueryTable = Readonly<{ name: string; columns: readonly TableColumn[]; errors: number }>;

type Draft = Readonly<{
  tree: QueryNode;
  tables: readonly QueryTable[];
  /** What the subqueries and the names of WITH in a FROM stand for. */
  selects: Map<QueryNode, QueryNode>;
  /** The SELECTs of which each row is one of its FROM. */
  ofRows: Set<QueryNode>;
}>;

/** What the plan does not show any more: joins without a condition of their own, and a query in a text. */
const BY_NAMES =
  /"(?:ref_type":"(?:NATURAL|POSITIONAL)|using_columns":\[[^\]]*"_row"|function_name":"query(?:_table)?")/i;

/**
 * Checks a query against its tables, which are loaded.
 * @returns a query that has its columns as c0, c1 …, and as `lines` the rows of the first table; and the columns that a mapping can name
 */
export async function checkedQuery(db: DuckDBConnection, query: QuerySpec, tables: readonly QueryTable[]) {
  // Numbers stay as they were written: a float would lose digits, and `1.0` its kind.
  const exact = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? JSON.rawJSON(context!.source!) : value;
  const parsed = async (of: string) => {
    const text = await textOf(db, `SELECT json_serialize_sql(${literal(of)})`);
    return JSON.parse(text, exact) as { error_message?: string; statements?: { node: QueryNode }[] };
  };
  let document = await parsed(query.sql);
  const { error_message: why, statements: [{ node: read } = {}, ...others] = [] } = document;
  if (why !== undefined) refuse(why);
  if (!read || others.length > 0 || read.from_table?.type === 'SHOW_REF')
    return refuse('it is not one SELECT');
  const written = () => textOf(db, `SELECT json_deserialize_sql(${literal(JSON.stringify(document))})`);
  const { modifiers = [] } = read;
  if (isUnion(read)) read.modifiers = [];
  if (isUnion(read)) document = await parsed(`SELECT * FROM (${await written()})`);
  const tree = document.statements![0]!.node;
  tree.modifiers = modifiers;
  if (tree.type !== 'SELECT_NODE' || isDistinct(tree))
    refuse('DISTINCT, UNION, INTERSECT and EXCEPT lose whose rows they have; write GROUP BY ALL, UNION ALL');
  if (BY_NAMES.test(JSON.stringify(tree)))
    refuse('it joins by equal names, by `_row` or by the order of rows, or has a query in a text; write ON');
  for (const { node } of placesIn({ tree })) {
    if (node.class === 'COMPARISON' && node.left?.column_names && saidBy(node.left) === saidBy(node.right!))
      refuse('it compares a column with itself; name the table of each, such as b.id = a.id');
    orderRows(node, tree);
  }
  await checkPlan(db, await written());
  // Undefined where DuckDB cannot run it. A type is as DuckDB writes it, such as DECIMAL(38,2).
  const columnsNow = async () => {
    const described = await db.runAndReadAll(`DESCRIBE ${await written()}`).catch(() => undefined);
    const found = described?.getRowsJS() as [string, string][] | undefined;
    return found?.map(([name, type], at) => ({ name, at, type }));
  };
  const draft: Draft = { tree, tables, selects: new Map(), ofRows: new Set() };
  await selectRows(draft, columnsNow);
  raiseErrors(draft, query.mayRepeat);
  const columns = await columnsNow();
  if (!columns)
    return refuse('its rows cannot be told apart; write it without PIVOT, and AS for each name of a WITH');
  const float = columns.find(({ type }) => /DOUBLE|FLOAT/.test(type));
  if (float) refuseFloat(`\`${float.name}\``);
  const row = columns.findLast(({ name, type }) => name === '_row' && /^UBIGINT(?:\[\])?$/.test(type));
  const lines = row?.type.endsWith(']') ? `c${row.at}` : `[${row ? `c${row.at}` : 'NULL'}]`;
  const names = columns.map(({ at }) => `c${at}`).join(', ');
  return {
    sql: `SELECT *, ${lines} AS lines FROM (${await written()}) AS result(${names})`,
    columns: columns.filter(({ name }) => !name.startsWith('_row')),
  };
}

const isUnion = ({ setop_type: type, setop_all: isAll }: QueryNode): boolean => type === 'UNION' && isAll!;

const saidBy = (node: QueryNode): string => JSON.stringify({ ...node, alias: '', query_location: 0 });

/**
 * Takes an order away that decides nothing: that of the result, and of the columns by which DISTINCT ON is. Where DISTINCT ON or LIMIT takes
 * some of rows that are equal in an order, the order raises an error.
 */
function orderRows(node: QueryNode, tree: QueryNode): void {
  const { modifiers = [], select_list: items = [] } = node;
  const on = modifiers.flatMap(({ distinct_on_targets: targets = [] }) => targets);
  const cut = modifiers.find(({ type }) => type!.startsWith('LIMIT'));
  if (node === tree && !on[0] && !cut) node.modifiers = [];
  const decides = ({ expression }: QueryNode) => !on.some((target) => saidBy(target) === saidBy(expression!));
  // A window knows neither the names nor the numbers of the columns that are selected.
  const meant = ({ expression: { column_names: names, value } = {} }: QueryNode) => {
    const said = names?.join('.') ?? JSON.stringify(value?.value);
    return items.find(({ alias, type }, at) => type !== 'STAR' && said === (names ? alias : `${at + 1}`));
  };
  for (const each of modifiers.filter(({ orders }) => items[0] && orders)) {
    const orders = each.orders!.filter(decides);
    const own = orders.map((order) => ({ ...order, expression: meant(order) ?? order.expression! }));
    const expression = untied({ partitions: on, orders: own }, undefined, on[0] ? undefined : cut);
    // A window has no window, no `ALL` and no number of a column in its order.
    const isUntold = (of: QueryNode) =>
      of.class === 'CONSTANT' ||
      nodesIn({ of }).some(({ class: each }) => each === 'STAR' || each === 'WINDOW');
    const isTold = !own.some(({ expression: of }) => isUntold(of));
    const tied = orders[0] && isTold && (on[0] ?? cut) ? [{ ...orders[0], expression }] : [];
    each.orders = [...(cut ? each.orders! : orders), ...tied];
  }
}

const isDistinct = ({ modifiers = [] }: QueryNode): boolean =>
  modifiers.some(({ type, distinct_on_targets: on = [] }) => type === 'DISTINCT_MODIFIER' && on.length === 0);

/** Functions that add up their values, so that a row that comes twice counts twice. */
const ADDS_UP = /^(?!list_|bit_)(?:\w*(?:sum|avg|count|group_|regr_)\w*|mean|product|list|\w+agg)$/;
const EXTREME = /^(?:arg_?(max|min)(?:_null)?|(max|min)_by)$/;
/** Windows that take one row of several, or rows up to one, unless rows are equal in their order. */
const TAKES_ONE = /^WINDOW_(?!AGGREGATE|\w*RANK|CUME)|ROWS\b/;
const TAKES_ANY = /^(?:any_value|arbitrary|first|last)$/;
/** What takes some items of a list. */
const TAKES_ITEM = /^ARRAY_|^(?:list|array)_(?:extract|element|first|last|slice|aggr\w*)$/;
const ASKS_NULL = /^OPERATOR_(?:IS_(?:NOT_)?NULL|COALESCE)$/;

/** Has the query raise an error: for any value of several, an empty cell that is asked whether it is NULL, a row that is added up twice. */
function raiseErrors(draft: Draft, mayRepeat: boolean): void {
  for (const { node, parent, key, select } of placesIn(draft.tree)) {
    const { children: values, function_name: called = '' } = node;
    if (TAKES_ONE.test(`${node.type} ${node.start} ${node.end}`) && node.orders?.[0])
      parent[key] = untied(node, node);
    if (!values) continue;
    const name = called.toLowerCase();
    // Without a word, an empty value of the newest row would give way to the one before it.
    if (values.length === 2 && EXTREME.test(name))
      node.function_name = name.replace(EXTREME, 'arg_$1$2_null');
    if (name === 'any_value' && isOrdered(node)) node.function_name = 'first';
    // The last value of COALESCE stays as it is.
    if (ASKS_NULL.test(node.type!) || name === 'count' || node.ignore_nulls)
      node.children = values.map((value, at) =>
        at && !values[at + 1] ? value : callNode('not_empty', value),
      );
    parent[key] = settled(node, name) ?? parent[key];
    if (mayRepeat || !ADDS_UP.test(name) || node.distinct) continue;
    for (const rows of values.flatMap((value) => partsOf(value, select.from_table!, draft)))
      if (rows[0]) parent[key] = callNode('unlike', parent[key] as QueryNode, repeatsOf(rows, node, select));
  }
  // This comes last: the loop above finds the tables of a FROM, and this replaces one.
  for (const { node } of placesIn(draft.tree))
    if (node.ref_type === 'ASOF') node.right = matchOnce(node, draft);
}

/** Has an ASOF JOIN raise an error where rows of its second table are equal in the columns of its conditions. */
function matchOnce({ condition, using_columns: using = [], ...join }: QueryNode, draft: Draft): QueryNode {
  const [own, ...others] = leavesOf(join.right!, draft);
  if (others[0]) refuse('it has ASOF JOIN with a JOIN; name that one in a WITH');
  const leaves = leavesOf(join, draft);
  const named = using.map((name) => ({ ...COLUMN, column_names: [name] }));
  const partitions = [...named, ...nodesIn({ condition }).filter(({ column_names: names }) => names)].filter(
    (column) => named[0] || leavesWith(column, leaves).every(({ alias }) => alias === own!.alias),
  );
  const qualify = { ...untied({ partitions, orders: [] }), function_name: 'matched' };
  const plain = { type: 'SELECT_NODE', cte_map: { map: [] }, aggregate_handling: 'STANDARD_HANDLING' };
  const node = { ...plain, select_list: [STAR], from_table: join.right!, qualify };
  return { type: 'SUBQUERY', alias: own!.alias, subquery: { node } };
}

const isOrdered = ({ order_bys: by }: QueryNode): boolean => by?.orders?.[0] !== undefined;

/** A value that is taken from one of several rows, and an error where it depends on which of equal rows is taken. Undefined for other nodes. */
function settled(node: QueryNode, name: string): QueryNode | undefined {
  const [value, by, count] = node.children!;
  const isExtreme = by && EXTREME.test(name);
  const plain = { ...node, distinct: false };
  const type = name.includes('max') ? 'DESCENDING' : 'ASCENDING';
  const orders = [{ type, null_order: 'ORDER_DEFAULT', expression: by! }];
  if (isExtreme && node.class === 'WINDOW') return untied({ partitions: node.partitions!, orders }, node);
  if (isExtreme) {
    const whole = { ...plain, function_name: count ? 'list' : 'first', order_bys: { orders } };
    const sorted = { ...whole, children: [callNode('row_with', by, value!)] };
    return bothWays(node, sorted, (way) => (count ? callNode('list_resize', way, count) : way));
  }
  // Beside any_value, an empty cell is a value, too.
  const first = { ...plain, function_name: name === 'last' ? name : 'first' };
  if (TAKES_ANY.test(name) && node.class === 'FUNCTION') return bothWays(node, first, (way) => way);
  const list = value?.function_name === 'unlike' ? value.children![0]! : value;
  if (!list || !isOrdered(list) || ![node.type!, name].some((each) => TAKES_ITEM.test(each)))
    return undefined;
  return bothWays(node, list, (way) => ({ ...node, children: [way, ...node.children!.slice(1)] }));
}

const NULLS = { ASCENDING: 'NULLS LAST', DESCENDING: 'NULLS FIRST' };

/** A value, and an error where it is another one when rows that are equal in an order, or have none, are in the order of their own values. */
function bothWays(value: QueryNode, sorted: QueryNode, valueOf: (sorted: QueryNode) => QueryNode): QueryNode {
  const { orders = [] } = sorted.order_bys ?? {};
  const ways = (['ASCENDING', 'DESCENDING'] as const).map((type) => {
    const last = { type, null_order: NULLS[type], expression: sorted.children![0]! };
    return valueOf({ ...sorted, order_bys: { type: 'ORDER_MODIFIER', orders: [...orders, last] } });
  });
  return callNode(orders[0] ? 'settled' : 'single', value, ...ways);
}

/** A value, and an error where rows of its part are equal in its order; with a LIMIT where it takes some of these alone. */
function untied({ partitions, orders }: QueryNode, value?: QueryNode, cut?: QueryNode): QueryNode {
  const frame = { end: 'CURRENT_ROW_RANGE', partitions, orders };
  const window = { ...callNode('count'), ...WINDOW, ...frame } as QueryNode;
  const [peers, rows] = ['CURRENT_ROW_RANGE', 'UNBOUNDED_PRECEDING'].map((start) => ({ ...window, start }));
  const some = cut?.limit && !cut.offset ? callNode('cut', peers!, rows!, cut.limit) : peers!;
  return callNode('untied', value ?? peers!, some);
}

/**
 * The parts of a sum, such as both of `a - b`, each with what tells apart the rows that it comes from: the `_row` of a table or of
 * groups, through subqueries that only join them. A product or an object is one part with the rows of all of its columns.
 */
function partsOf(value: QueryNode, from: QueryNode, draft: Draft): readonly (readonly QueryNode[])[] {
  if (value.class === 'CAST' || /^[+-]$/.test(value.function_name ?? ''))
    return [value.child ?? [], value.children ?? []].flat().flatMap((part) => partsOf(part, from, draft));
  const leaves = leavesOf(from, draft);
  const columns = nodesIn({ value }).filter((each) => each.class?.includes('_REF'));
  const ofFrom = columns.filter((each) => leaves.some(({ alias }) => alias === each.column_names?.[0]));
  // A value of several rows is the same for each row of its partition, and for each row with the columns that its subquery names.
  const same = value.class === 'SUBQUERY' ? ofFrom : value.type === 'WINDOW_AGGREGATE' && value.partitions!;
  if (same) return [[callNode('json_array', ...same)]];
  if (columns[0] !== value) {
    const rows = columns.flatMap((column) => partsOf(column, from, draft).flat());
    return [[...new Map(rows.map((row) => [JSON.stringify(row), row])).values()]];
  }
  return leavesWith(value, leaves).flatMap(({ alias, table, node }) => {
    const select = draft.selects.get(node);
    if (table || !select) return table ? [[rowNode(alias)]] : [];
    const whole = { ...COLUMN, column_names: [alias] };
    if (!draft.ofRows.has(select)) return [[callNode('row_with', value, whole)]];
    const items = select.select_list!;
    const named = items.flatMap((each) => [each, ...(each.replace_list ?? [])]);
    // ARRAY(SELECT …) names its column by its place.
    const item = named.find((each) => !value.column_names || nameOf(each) === nameOf(value));
    const below = item?.value ?? item ?? { ...value, column_names: [nameOf(value)] };
    return partsOf(below, select.from_table!, draft).map((rows) =>
      rows.map((row) => {
        // The tree grows, so that no other column has the name.
        items.push({ ...row, alias: `_row_of_${nodesIn(draft.tree).length}` });
        return rowNode(alias, items.at(-1)!.alias);
      }),
    );
  });
}

const nameOf = ({ alias, key, column_names: names }: QueryNode): string =>
  (alias || (key ?? names?.at(-1) ?? '')).toLowerCase();

/** The tables and subqueries of a FROM that have a column, such as `b`, `gross`. */
function leavesWith(column: QueryNode, leaves: readonly Leaf[]): readonly Leaf[] {
  const [first, second] = (column.column_names ?? []).map((each) => each.toLowerCase());
  if (second !== undefined) return leaves.filter(({ alias }) => alias === first);
  const own = leaves.filter(({ table }) => table?.columns.some(({ name }) => name.toLowerCase() === first));
  // A name that WITH x(name) or RENAME gives may be of any of them.
  return [own, leaves.filter(({ table }) => !table), leaves].find((each) => each[0]) ?? [];
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
async function selectRows(draft: Draft, columnsNow: () => Promise<unknown>): Promise<void> {
  const { tree, selects, ofRows } = draft;
  const named = new Map<string | undefined, QueryNode>();
  for (const [at, { node }] of placesIn({ tree }).entries()) {
    if (node.value?.query) named.set(node.key!.toLowerCase(), node.value.query.node!);
    if (node.subquery && !node.class) node.alias ||= `subquery_${at}`;
    const below = node.class ? undefined : (node.subquery?.node ?? named.get(node.table_name?.toLowerCase()));
    if (below) selects.set(node, below);
    const branches = branchesOf(node);
    const choices = branches.map((each) => rowsFor(each, draft));
    for (let at = 0; choices.every((each) => each[at]); at++) {
      for (const [index, { select_list: items }] of branches.entries()) items!.push(choices[index]![at]!);
      const isRight = await columnsNow();
      if (isRight && choices[0]![at]!.class === 'COLUMN_REF') ofRows.add(branches[0]!);
      if (isRight) break;
      for (const { select_list: items } of branches) items!.pop();
    }
  }
}

const branchesOf = (node: QueryNode): readonly QueryNode[] =>
  isUnion(node) ? [node.left!, node.right!].flatMap(branchesOf) : [node];

function rowsFor(select: QueryNode, draft: Draft): readonly QueryNode[] {
  if (!select.select_list || isDistinct(select)) return [];
  const leaves = leavesOf(select.from_table!, draft);
  const own = leaves.filter(({ table, isLookup }) => table === draft.tables[0] && !isLookup);
  const others = leaves.filter(({ table }) => !table);
  const name = own.length > 1 ? '_row_0' : '_row';
  return [...own, ...others, ...leaves].flatMap(({ alias }) => {
    const row = { ...rowNode(alias), alias: name };
    const list = { ...callNode('list', row), distinct: true };
    // In GROUP BY ALL, `_row` itself would make a group of each row.
    return select.aggregate_handling === 'FORCE_AGGREGATES' ? [list] : [row, list];
  });
}

/** A table or a subquery of a FROM, under its name in the query; and whether a LEFT JOIN only looks it up. */
type Leaf = Readonly<{ alias: string; node: QueryNode; table: QueryTable | undefined; isLookup: boolean }>;

function leavesOf(from: QueryNode, draft: Draft, isLookup = false): readonly Leaf[] {
  const { type, left, right, join_type: join, table_name: name = '' } = from;
  if (type === 'JOIN')
    return [...leavesOf(left!, draft, isLookup), ...leavesOf(right!, draft, isLookup || join === 'LEFT')];
  const isBelow = draft.selects.has(from);
  const table = isBelow ? undefined : draft.tables.find((each) => each.name === name.toLowerCase());
  return [{ alias: (from.alias || name).toLowerCase(), node: from, table, isLookup }];
}

/** Calls a function with an expression, under the name of the expression. DuckDB fills in the keys that are left out. */
const callNode = (name: string, ...values: readonly QueryNode[]): QueryNode => ({
  class: 'FUNCTION',
  type: 'FUNCTION',
  alias: values[0]?.alias ?? '',
  function_name: name,
  children: values.map((value) => ({ ...value, alias: '' })),
});

const STAR = { class: 'STAR', type: 'STAR', exclude_list: [], replace_list: [] };
const COLUMN = { class: 'COLUMN_REF', type: 'COLUMN_REF' };
const WINDOW = { class: 'WINDOW', type: 'WINDOW_AGGREGATE' };

const rowNode = (alias: string, name = '_row'): QueryNode => ({ ...COLUMN, column_names: [alias, name] });
