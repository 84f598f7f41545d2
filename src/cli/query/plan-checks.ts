import type { DuckDBConnection } from '@duckdb/node-api';
import { literal, refuse, textOf } from './query-database.ts';

type Text = 'type' | 'alias' | 'class' | 'key' | 'function_name' | 'aggregate_handling' | 'table_name';
type Kind = 'join_type' | 'setop_type' | 'expression_class' | 'name' | 'comparison' | 'distinct_type';
type Flag = 'distinct' | 'setop_all' | 'ignore_nulls' | 'try_cast';
type Nodes = 'children' | 'select_list' | 'modifiers' | 'orders' | 'distinct_on_targets' | 'partitions';
type Below = 'node' | 'left' | 'right' | 'child' | 'expression' | 'subquery' | 'value' | 'query' | 'filter';
type Other = 'from_table' | 'order_bys' | 'order_by' | 'return_type' | 'condition' | 'limit' | 'offset';
type Rare = 'start' | 'end' | 'ref_type' | 'aggregate_type' | 'null_order';

/** A node of the syntax tree of a query, or of the plan that DuckDB makes of it, with the keys that are read here. */
export type QueryNode = { [key in Text | Kind | Rare]?: string } & {
  [key in Flag]?: boolean;
} & { [key in Nodes | 'replace_list']?: QueryNode[] } & { [key in Below | Other]?: QueryNode } & {
  readonly [key in 'column_names' | 'using_columns']?: readonly string[];
};

/** A node, where it is, and the SELECT that it belongs to. */
type Place = Readonly<{ node: QueryNode; select: QueryNode; parent: Record<string, unknown>; key: string }>;

/** The places of all nodes below a node, each after those below it, and a WITH before what it is for. */
export function placesIn(root: object, select: QueryNode = root): readonly Place[] {
  const parent = root as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => {
    const node = parent[key];
    if (typeof node !== 'object' || node === null) return [];
    const own = (node as QueryNode).type === 'SELECT_NODE' ? node : select;
    const below = placesIn(node, own);
    return Array.isArray(node) ? below : [...below, { node, parent, key, select: own }];
  });
}

export const nodesIn = (root: object): readonly QueryNode[] => placesIn({ root }).map(({ node }) => node);

/** The type of a value as text. Columns of `_row` are UBIGINT, and texts that may be ordered have the collation POSIX. */
const typeOf = ({ return_type: type, value }: QueryNode): string => JSON.stringify(type ?? value?.type ?? '');

const isFloat = (node: QueryNode): boolean => /DOUBLE|FLOAT/.test(typeOf(node));

const makesText = (node: QueryNode): boolean => /VARCHAR|BLOB/.test(typeOf(node));

const hasColumn = (node: QueryNode): boolean => /BOUND_\w*REF"/.test(JSON.stringify(node));

/** Whether a value has a text whose column has no type. One without a column was written. */
function isText(node: QueryNode): boolean {
  if (!makesText(node)) return false;
  const { child } = node;
  if (node.expression_class === 'BOUND_CAST' && makesText(child!)) return isText(child!);
  return !typeOf(node).includes('POSIX') && hasColumn(node);
}

const ORDERS =
  /^(?:min|max|median|mad|histogram|(?:approx_)?quantile\w*|(?:list|array)_(?:(?:reverse_)?sort|grade_up)|greatest|least)$/;
const ORDERS_SECOND = /^(?:arg_?min|arg_?max|min_by|max_by)/;

const columnIn = (node: QueryNode): string =>
  nodesIn(node)
    .find(({ expression_class: of, alias }) => of === 'BOUND_REF' && alias)
    ?.alias!.replace(/^memory\.main\.\w+\./, '') ?? 'a text';

const ANY_LIST = /^(?:list|array_agg)\((?!.* ORDER BY )/;

/** Functions of the moment or the machine, or that take any of several values. */
const UNSURE =
  /^(?:\w*current_\w+|now|today|\w*uuid\w*|random|setseed|nextval|currval|txid_\w+|transaction_\w+|in_search_path|stats|sleep_ms|write_log|version|mode|reservoir_quantile|approx_\w+)$/;

/** Refuses a query without a meaning, and what it would do without a word, such as order texts, where 10 comes before 9. */
export async function checkPlan(db: DuckDBConnection, sql: string): Promise<void> {
  const text = await textOf(db, `SELECT json_serialize_plan(${literal(sql)}, optimize := false)`);
  const { plans, error_message: why = '' } = JSON.parse(text) as { plans?: object; error_message?: string };
  const hint = why.includes('VARCHAR') ? '; a column is text (VARCHAR) unless `types` says what it is' : '';
  if (!plans) refuse(why.split('\n')[0]! + hint);
  for (const node of nodesIn(plans)) checkNode(node);
}

export const refuseFloat = (what: string): never =>
  refuse(
    `${what} is a float, which is not exact; write CAST(… AS DECIMAL(18, 2)) around its division or avg`,
  );

function checkNode(node: QueryNode): void {
  const { expression_class: expression, type, name = '', child, children = child ? [child] : [] } = node;
  if (node.try_cast || type === 'OPERATOR_TRY' || name.startsWith('try_'))
    refuse('it has TRY, which makes nothing of a value that it cannot read; declare the type of the column');
  const isWindow = expression === 'BOUND_WINDOW' && type !== 'WINDOW_AGGREGATE';
  const takesAny = [
    type === 'LOGICAL_LIMIT' && children[0]!.type !== 'LOGICAL_ORDER_BY' && 'LIMIT',
    node.distinct_type === 'DISTINCT_ON' && !node.order_by && 'DISTINCT ON',
    isWindow && node.partitions?.[0] && !node.orders?.some(hasColumn) && 'a window',
    /_(?:extract|element|first|last)$/.test(name) && ANY_LIST.test(children[0]!.alias ?? '') && 'a list',
  ].find(Boolean);
  if (takesAny) refuse(`it has ${takesAny} without ORDER BY, so it takes any of the rows`);
  if (node.aggregate_type === 'DISTINCT' && /^(?:k?f?sum\w*|avg|mean|product)$/.test(name))
    refuse('it adds equal amounts only once; write sum without DISTINCT');
  if (type === 'LOGICAL_SAMPLE' || UNSURE.test(name) || (name === 'age' && !children[1]))
    refuse(`it has ${name || 'a sample'}, which is not the same each time, or on each machine`);
  const comparison = expression === 'BOUND_COMPARISON' ? type : node.comparison;
  const compared = comparison ? [node.left!, node.right!] : [];
  // `list_max` and its like call an aggregate for the list.
  const aggregates = /^(?:list_|array_)?aggr/.test(name) ? nodesIn(node) : [node];
  const ordered = [
    ...(node.null_order === undefined ? [] : [node.expression!]),
    ...(comparison?.includes('THAN') ? compared : []),
    ...(aggregates.some((each) => ORDERS.test(each.name ?? '')) ? children : []),
    ...(ORDERS_SECOND.test(name) ? children.slice(1) : []),
  ].find(isText);
  if (ordered) refuse(`it puts 10 before 9, because it orders \`${columnIn(ordered)}\`, which is text`);
  const written = expression && makesText(node) && !isFloat(node) ? children : [];
  if ([...compared, ...written].some(isFloat)) refuseFloat('a number in a comparison or a text');
  if (expression === 'BOUND_CAST') checkCast(node, child!);
}

function checkCast(node: QueryNode, child: QueryNode): void {
  if (isText(child) && !makesText(node))
    refuse(`it makes a number or a date of \`${columnIn(child)}\`, which is text`);
  if (typeOf(child).includes('UBIGINT') && !/UBIGINT|VARCHAR/.test(typeOf(node)))
    refuse('it compares `_row`, which is the line of a file, with a value of another kind');
  if (typeOf(node).includes('"FLOAT"')) refuse('it has FLOAT, which keeps 7 digits; write DECIMAL(18, 2)');
  const [was, is] = [child, node].map((each) => /"width":(\d+),"scale":(\d+)/.exec(typeOf(each)) ?? []);
  const loses = isFloat(child) || Number.parseInt(was![2]!, 10) > Number.parseInt(is![2]!, 10);
  // Two decimals meet in 38 digits, and DECIMAL alone has 18 with 3 decimals.
  const isWritten =
    is![1] !== '38' && `${is![1]}, ${is![2]}` !== '18, 3' && child.expression_class !== 'BOUND_CONSTANT';
  if (loses && !isWritten)
    refuse(`it brings a number to ${is![2]} decimals that may have more; write round or DECIMAL(18, 2)`);
}
