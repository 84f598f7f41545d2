import { failure, type Problem } from '../../core/problem.ts';
import {
  callNode,
  columnName,
  columnNames,
  constantType,
  functionName,
  leavesOf,
  modifierOf,
  partsOf,
  placesIn,
  type Place,
  type TreeNode,
} from './syntax-tree.ts';

/** A query as it was written, its tree, and the types that the columns of its tables have; undefined for one that is not declared. */
export interface WrittenQuery {
  readonly sql: string;
  readonly tree: TreeNode;
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string | undefined>>;
}

const isRow = (node: TreeNode | undefined): boolean => columnName(node) === '_row';

const isListOfRows = (node: TreeNode): boolean =>
  /^(?:list|array_agg)$/.test(functionName(node)) && node.children!.every(isRow);

const takesSome = (node: TreeNode): boolean =>
  modifierOf(node, 'LIMIT_MODIFIER') !== undefined ||
  (modifierOf(node, 'DISTINCT_MODIFIER')?.distinct_on_targets ?? []).length > 0;

/** Functions of windows that depend on the order of the rows. */
const OF_ORDER = /^(?:row_number|rank|dense_rank|ntile|lead|lag|first_value|last_value|nth_value)$/;

/** What DuckDB would run, and what would be wrong without a word. */
const REFUSED: readonly (readonly [(node: TreeNode) => unknown, string])[] = [
  [
    (node) => node.try_cast || node.type === 'OPERATOR_TRY' || functionName(node).startsWith('try_'),
    'has TRY, which makes nothing of a value that it cannot read; declare the type of the column',
  ],
  [
    ({ ref_type: type }) => type === 'NATURAL' || type === 'POSITIONAL',
    'joins by all equal names, `_row` among them, or by the order of the rows; write ON',
  ],
  [
    ({ using_columns: names = [] }) => names.some((name) => name.toLowerCase() === '_row'),
    'joins on `_row`, which is the line of one file',
  ],
  [
    ({ class: kind, left, right }) =>
      kind === 'COMPARISON' && isRow(left) !== isRow(right) && columnName(left) && columnName(right),
    'compares `_row`, which is the line of a file, with a column',
  ],
  [
    (node) => node.class && node.alias?.toLowerCase() === '_row' && !isRow(node) && !isListOfRows(node),
    'names something `_row` that is none; write `_row`, or `list(_row) AS _row` for groups',
  ],
  [
    (node) => takesSome(node) && !modifierOf(node, 'ORDER_MODIFIER'),
    'has LIMIT or DISTINCT ON without ORDER BY, so it takes any of the rows',
  ],
  [
    (node) => OF_ORDER.test(functionName(node)) && node.partitions?.[0] && !node.orders?.[0],
    'has a window without ORDER BY, so it takes any of the rows',
  ],
  [
    (node) => node.null_order && constantType(node.expression),
    'orders by the number of a column; write its name',
  ],
  [(node) => node.sample, 'takes a sample, which is not the same each time'],
];

/** Why a query is refused that DuckDB would run. `changing`: functions that give another result each time, or each day. */
export function refusals(
  { sql, tree, tables }: WrittenQuery,
  changing: ReadonlySet<string>,
): readonly Problem[] {
  const places = placesIn({ tree });
  const columns = new Set([...tables.values()].flatMap((types) => [...types.keys()]));
  // Beside the tables, the names of WITH.
  const known = new Set([
    ...tables.keys(),
    ...places.map(({ node }) => (node.key ?? node.cte_name ?? '').toLowerCase()),
  ]);
  return places.flatMap(({ node, select }) => {
    const reason = REFUSED.find(([isRefused]) => isRefused(node))?.[1] ?? reasonOf(node, select);
    return reason === undefined
      ? []
      : [failure('query_invalid', [], { reason: `line ${lineOf(node, sql)} ${reason}` })];
  });

  /** The text column of the first table that an expression compares with NULL, although no join can make it NULL. */
  function neverNull(
    { class: kind, type = '', children = [] }: TreeNode,
    { from_table: from = {} }: TreeNode,
  ): string | undefined {
    const [value = {}] = children;
    const [first] = tables.entries();
    const [column, alias] = columnNames(value).toReversed();
    const [leaf, ...others] = leavesOf(from).filter((each) => alias === undefined || each.alias === alias);
    const isAsked =
      kind === 'OPERATOR' && /^OPERATOR_(?:IS_(?:NOT_)?NULL|COALESCE)$/.test(type) && column !== undefined;
    if (
      !isAsked ||
      leaf?.table !== first![0] ||
      others.some(({ table }) => tables.get(table)?.has(column) ?? true)
    )
      return undefined;
    const isOuter = placesIn({ from }).some(({ node }) => /RIGHT|FULL|OUTER/.test(node.join_type ?? ''));
    const isText = first![1].has(column) && (first![1].get(column) ?? 'text') === 'text';
    return isText && !isOuter ? columnNames(value).join('.') : undefined;
  }

  function reasonOf(node: TreeNode, select: TreeNode): string | undefined {
    const called = node.type === 'TABLE_FUNCTION' ? functionName(node.function!) : undefined;
    const table = called ?? (node.table_name ?? '').toLowerCase();
    const isKnown =
      called === undefined ? node.schema_name === '' && known.has(table) : TABLE_FUNCTIONS.test(called);
    if (table !== '' && !isKnown) return `reads ${table}, which is no table of the mapping`;
    const [name = functionName(node), ...others] = columnNames(node);
    const isOfNow =
      changing.has(name) || OF_NOW.test(name) || (name === 'age' && node.children?.length === 1);
    if (isOfNow && others.length === 0 && !columns.has(name))
      return `has ${name}, which is not the same each time, or on each machine; write a constant`;
    const empty = neverNull(node, select);
    if (empty)
      return `asks whether \`${empty}\` is NULL, and an empty cell is ''; write \`= ''\`, or nullif(${empty}, '')`;
    const mixed = node.using_columns?.find(
      (column) => new Set(typesOf(column.toLowerCase(), tables)).size > 1,
    );
    return mixed && `joins USING (${mixed}), which has another type in another table; write ON`;
  }
}

/** Words and functions of the day, the user or the machine, beside those that DuckDB calls changing. */
const OF_NOW = /^(?:current_\w+|local(?:time|timestamp)|(?:session_)?user|version|getvariable)$/;

/** Functions in the place of a table that read no file and no text of SQL. */
const TABLE_FUNCTIONS = /^(?:unnest|range|generate_series)$/;

/** The types that a column of this name has in the tables. */
const typesOf = (column: string, tables: WrittenQuery['tables']): readonly (string | undefined)[] =>
  [...tables.values()].flatMap((types) => (types.has(column) ? [types.get(column)] : []));

/** The line of the query that an expression is on. */
function lineOf(node: TreeNode, sql: string): number {
  const places = partsOf(node).map((part) => part.query_location);
  const at = places.find((place) => typeof place === 'number' && place < sql.length) ?? 0;
  return sql.slice(0, at).split('\n').length;
}

const ORDERS_FIRST =
  /^(?:min|max|median|mad|(?:approx_)?quantile\w*|(?:list|array)_(?:reverse_)?sort|list_(?:min|max))$/;
const ORDERS_SECOND = /^(?:arg_?min|arg_?max|min_by|max_by)/;
const ORDERS_ALL = /^(?:greatest|least)$/;

/** A value that has to be a number, a date or a flag; or that is compared with another one for equality. */
type Use = Readonly<{ place: Place; by: 'orders' | 'casts' | 'compares'; with?: TreeNode }>;

function usesAt({ node, select }: Place): readonly Use[] {
  const { type = '', class: kind } = node;
  const own = node as unknown as Record<string, TreeNode>;
  const at = (key: string): Place => ({ node: own[key]!, parent: own, key, select });
  const parent = node.children as unknown as Record<string, unknown>;
  const args = (node.children ?? []).map((arg, index): Place => ({
    node: arg,
    parent,
    key: String(index),
    select,
  }));
  const orders = (...places: readonly Place[]): readonly Use[] =>
    places.map((place) => ({ place, by: 'orders' }));
  const name = functionName(node);
  if (node.null_order !== undefined) return orders(at('expression'));
  if (ORDERS_ALL.test(name)) return orders(...args);
  if (ORDERS_FIRST.test(name)) return orders(...args.slice(0, 1));
  if (ORDERS_SECOND.test(name)) return orders(...args.slice(1));
  if (type === 'COMPARE_BETWEEN') return orders(at('input'), at('lower'), at('upper'));
  if (/^COMPARE_(?:NOT_)?IN$/.test(type))
    return args.slice(1).map((other) => ({ place: args[0]!, by: 'compares', with: other.node }));
  if (kind === 'SUBQUERY' && node.comparison_type?.includes('THAN')) return orders(at('child'));
  if (kind === 'COMPARISON' && type.includes('THAN')) return orders(at('left'), at('right'));
  if (kind === 'COMPARISON') return [{ place: at('left'), by: 'compares', with: node.right! }];
  const isCast = kind === 'CAST' && !JSON.stringify(node.cast_type).includes('VARCHAR');
  return isCast ? [{ place: at('child'), by: 'casts' }] : [];
}

/** Finds texts that a query orders, where 10 comes before 9, or takes for numbers. `binds`: whether the tree is still a query. */
export async function textUses(
  { sql, tree, tables }: WrittenQuery,
  binds: () => Promise<boolean>,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const { place, by, with: other } of placesIn({ tree }).flatMap(usesAt)) {
    if (other ? await isAlike(place, other) : await isOrdered(place, by)) continue;
    const named = (node: TreeNode): string =>
      partsOf(node)
        .map((part) => columnNames(part).join('.'))
        .find((name) => name !== '') ?? 'a text';
    const use = other
      ? `compares \`${named(place.node)}\` with \`${named(other)}\`, and one of them is text`
      : `${by} \`${named(place.node)}\`, which is text${by === 'orders' ? ', so that 10 comes before 9' : ''}`;
    problems.push(failure('query_type_missing', [], { query_line: lineOf(place.node, sql), use }));
  }
  return problems;

  /** Whether two values are of a kind. A text that is written takes the kind of the other. */
  async function isAlike(place: Place, other: TreeNode): Promise<boolean> {
    return (
      [place.node, other].some((node) => constantType(node) === 'VARCHAR') || passes(place, 'alike', other)
    );
  }

  /** Whether a value is a number, a date or a flag; or a text that is declared as one, where it is ordered. */
  async function isOrdered(place: Place, by: Use['by']): Promise<boolean> {
    const types = partsOf(place.node).flatMap((part) => typesOf(columnName(part), tables));
    const isDeclared = by === 'orders' && types.includes('text') && !types.includes(undefined);
    if (constantType(place.node) !== undefined || isDeclared) return true;
    return (await passes(place, 'a_number')) || passes(place, 'a_flag');
  }

  /** Whether the query is still one when a value goes through a macro, which takes such values only. */
  async function passes(
    { node, parent, key }: Place,
    macro: string,
    ...more: readonly TreeNode[]
  ): Promise<boolean> {
    parent[key] = callNode(macro, node, ...more);
    const found = await binds();
    parent[key] = node;
    return found;
  }
}
