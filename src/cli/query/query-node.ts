type Text = 'type' | 'alias' | 'class' | 'key' | 'function_name' | 'aggregate_handling' | 'table_name';
type Kind = 'join_type' | 'setop_type' | 'expression_class' | 'name' | 'comparison' | 'distinct_type';
type Flag = 'distinct' | 'setop_all' | 'ignore_nulls' | 'try_cast';
type Nodes = 'children' | 'select_list' | 'modifiers' | 'orders' | 'distinct_on_targets' | 'partitions';
type Below = 'node' | 'left' | 'right' | 'child' | 'expression' | 'subquery' | 'value' | 'query';

/** A node of the syntax tree of a query, or of the plan that DuckDB makes of it, with the keys that are read here. */
export interface QueryNode
  extends
    Partial<Record<Text | Kind | 'aggregate_type', string>>,
    Partial<Record<Flag, boolean>>,
    Partial<Record<Nodes, QueryNode[]>>,
    Partial<Record<Below | 'from_table' | 'order_bys', QueryNode>> {
  readonly column_names?: readonly string[];
  readonly filter?: QueryNode | null;
  /** Only what orders the rows of a plan has one. */
  readonly null_order?: string;
  readonly order_by?: object;
  readonly return_type?: object;
}

/** A node, where it is, and the SELECT that it belongs to. */
type Place = Readonly<
  Record<'node' | 'select', QueryNode> & { parent: Record<string, unknown>; key: string }
>;

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

/** A node and all nodes below it. */
export const nodesIn = (root: object): readonly QueryNode[] => placesIn({ root }).map(({ node }) => node);
