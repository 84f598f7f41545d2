/** A node of the syntax tree that DuckDB gives of a query, with the keys that are read here. Only an expression has a `class`. */
export interface TreeNode {
  readonly class?: string;
  readonly type?: string;
  readonly alias?: string;
  /** Where the expression begins in the query, counted from 0. */
  readonly query_location?: number;
  readonly column_names?: readonly string[];
  readonly function_name?: string;
  children?: TreeNode[];
  readonly distinct?: boolean;
  readonly filter?: TreeNode | null;
  readonly order_bys?: TreeNode;
  readonly value?: Readonly<{ type: { id: string } }>;
  readonly left?: TreeNode;
  readonly right?: TreeNode;
  readonly null_order?: string;
  readonly expression?: TreeNode;
  readonly child?: TreeNode | null;
  readonly comparison_type?: string;
  readonly cast_type?: unknown;
  readonly try_cast?: boolean;
  readonly partitions?: readonly TreeNode[];
  readonly orders?: readonly TreeNode[];
  readonly select_list?: TreeNode[];
  readonly aggregate_handling?: string;
  readonly from_table?: TreeNode;
  readonly modifiers?: readonly TreeNode[];
  readonly distinct_on_targets?: readonly TreeNode[];
  readonly table_name?: string;
  readonly schema_name?: string;
  readonly function?: TreeNode;
  readonly sample?: TreeNode | null;
  readonly ref_type?: string;
  readonly join_type?: string;
  readonly using_columns?: readonly string[];
  /** The name of a WITH. */
  readonly key?: string;
  readonly cte_name?: string;
}

/** A node, where it is, and the SELECT that it belongs to. */
export type Place = Readonly<{
  node: TreeNode;
  parent: Record<string, unknown>;
  key: string;
  select: TreeNode;
}>;

/** Parses the answer of `json_serialize_sql`. Numbers stay as they were written: a float would lose digits, and `1.0` its kind. */
export function parsedTree(text: string): {
  error_message?: string;
  statements?: readonly [{ node: TreeNode }, ...unknown[]];
} {
  const exact = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && String(value) !== context!.source ? JSON.rawJSON(context!.source!) : value;
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown) as ReturnType<typeof parsedTree>;
}

/** The places of all nodes below a node, each before those below it. */
export function placesIn(root: object, select: TreeNode = root): readonly Place[] {
  const parent = root as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => {
    const node = parent[key];
    if (typeof node !== 'object' || node === null) return [];
    const own = (node as TreeNode).type === 'SELECT_NODE' ? node : select;
    return Array.isArray(node)
      ? placesIn(node, own)
      : [{ node, parent, key, select: own }, ...placesIn(node, own)];
  });
}

/** An expression and all expressions in it. */
export const partsOf = (node: TreeNode): readonly TreeNode[] => placesIn({ node }).map((place) => place.node);

/** The names of a reference to a column in lower case, such as `b` and `gross`; none for any other node. */
export const columnNames = ({ column_names: names = [] }: TreeNode): readonly string[] =>
  names.map((name) => name.toLowerCase());

export const columnName = (node: TreeNode | undefined): string => columnNames(node ?? {}).at(-1) ?? '';

export const functionName = ({ function_name: name = '' }: TreeNode): string => name.toLowerCase();

/** The type of a constant that was written, such as VARCHAR; undefined for any other node. */
export const constantType = (node: TreeNode | undefined): string | undefined =>
  node?.class === 'CONSTANT' ? node.value!.type.id : undefined;

export const modifierOf = ({ modifiers = [] }: TreeNode, type: string): TreeNode | undefined =>
  modifiers.find((modifier) => modifier.type === type);

/** The tables and subqueries of a FROM, from left to right, under their names in the query. */
export function leavesOf(from: TreeNode): readonly Readonly<{ alias: string; table: string }>[] {
  if (from.type === 'JOIN') return [from.left!, from.right!].flatMap(leavesOf);
  const table = (from.table_name ?? '').toLowerCase();
  const alias = (from.alias ?? '').toLowerCase() || table;
  return alias === '' ? [] : [{ alias, table }];
}

/** Keys that every expression has, and those that a call has beside its name and its values. */
const EXPRESSION = { alias: '', query_location: 0 };
const CALL = {
  schema: '',
  catalog: '',
  filter: null,
  distinct: false,
  is_operator: false,
  export_state: false,
};

/** Calls a function with an expression, under the name of the expression. */
export const callNode = (name: string, of: TreeNode, ...more: readonly TreeNode[]): TreeNode =>
  ({
    ...EXPRESSION,
    ...CALL,
    class: 'FUNCTION',
    type: 'FUNCTION',
    alias: of.alias,
    function_name: name,
    children: [{ ...of, alias: '' }, ...more],
    order_bys: { type: 'ORDER_MODIFIER', orders: [] },
  }) as TreeNode;

export const rowNode = (alias: string): TreeNode =>
  ({ ...EXPRESSION, class: 'COLUMN_REF', type: 'COLUMN_REF', column_names: [alias, '_row'] }) as TreeNode;
