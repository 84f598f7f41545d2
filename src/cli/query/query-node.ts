type OfTree =
  | 'class'
  | 'function_name'
  | 'aggregate_handling'
  | 'table_name'
  | 'join_type'
  | 'setop_type'
  | 'key';
type OfPlan = 'expression_class' | 'name' | 'comparison' | 'distinct_type' | 'aggregate_type';
type Nodes = 'distinct_on_targets' | 'partitions';
type Node = 'left' | 'right' | 'order_bys' | 'from_table' | 'child' | 'expression' | 'subquery';

/** A node of the syntax tree of a query, or of the plan that DuckDB makes of it, with the keys that are read here. */
export interface QueryNode
  extends
    Readonly<Partial<Record<'type' | OfTree | OfPlan, string>>>,
    Readonly<Partial<Record<Nodes, readonly QueryNode[]> & Record<Node, QueryNode>>> {
  alias?: string;
  function_name?: string;
  node?: QueryNode;
  children?: QueryNode[];
  readonly select_list?: QueryNode[];
  modifiers?: readonly QueryNode[];
  readonly column_names?: readonly string[];
  orders?: readonly QueryNode[];
  readonly distinct?: boolean;
  readonly setop_all?: boolean;
  readonly ignore_nulls?: boolean;
  readonly filter?: QueryNode | null;
  /** Only what orders the rows of a plan has one. */
  readonly null_order?: string;
  readonly order_by?: object;
  readonly try_cast?: boolean;
  readonly return_type?: object;
  readonly value?: Readonly<{ type: object; query?: Readonly<{ node: QueryNode }> }>;
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
