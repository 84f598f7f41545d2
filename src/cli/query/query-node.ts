type TextOfTree = 'class' | 'alias' | 'function_name' | 'aggregate_handling' | 'table_name' | 'join_type';
type TextOfPlan = 'expression_class' | 'name' | 'comparison' | 'distinct_type' | 'aggregate_type';

/** A node of the syntax tree of a query, or of the plan that DuckDB makes of it, with the keys that are read here. */
export interface QueryNode extends Readonly<Partial<Record<'type' | TextOfTree | TextOfPlan, string>>> {
  children?: QueryNode[];
  readonly left?: QueryNode;
  readonly right?: QueryNode;
  readonly orders?: readonly QueryNode[];
  /** Of the tree. */
  readonly column_names?: readonly string[];
  readonly distinct?: boolean;
  readonly filter?: QueryNode | null;
  readonly where_clause?: QueryNode | null;
  readonly order_bys?: QueryNode;
  readonly select_list?: QueryNode[];
  readonly from_table?: QueryNode;
  readonly modifiers?: readonly QueryNode[];
  readonly distinct_on_targets?: readonly QueryNode[];
  /** Of the plan. Only what orders rows has `null_order`. */
  readonly child?: QueryNode;
  readonly null_order?: string;
  readonly expression?: QueryNode;
  readonly partitions?: readonly QueryNode[];
  readonly order_by?: object;
  readonly try_cast?: boolean;
  readonly return_type?: object;
  readonly value?: Readonly<{ type: object }>;
  readonly function_data?: Readonly<{ schema: string }>;
}

/** A node, where it is, and the SELECT that it belongs to. */
type Place = Readonly<
  Record<'node' | 'select', QueryNode> & { parent: Record<string, unknown>; key: string }
>;

/** The places of all nodes below a node, each before those below it. */
export function placesIn(root: object, select: QueryNode = root): readonly Place[] {
  const parent = root as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => {
    const node = parent[key];
    if (typeof node !== 'object' || node === null) return [];
    const own = (node as QueryNode).type === 'SELECT_NODE' ? node : select;
    return Array.isArray(node)
      ? placesIn(node, own)
      : [{ node, parent, key, select: own }, ...placesIn(node, own)];
  });
}

/** A node and all nodes below it. */
export const nodesIn = (root: object): readonly QueryNode[] => placesIn({ root }).map(({ node }) => node);
