import { failure, type Problem } from '../../core/problem.ts';
import { nodesIn, type QueryNode } from './query-node.ts';

/** The type of a value as text. Columns of `_row` are UBIGINT, and texts that may be ordered have the collation POSIX. */
const typeOf = ({ return_type: type, value }: QueryNode): string => JSON.stringify(type ?? value?.type ?? '');

const isFloat = (node: QueryNode): boolean => /DOUBLE|FLOAT/.test(typeOf(node));

const makesText = (node: QueryNode): boolean => /VARCHAR|BLOB/.test(typeOf(node));

/** Whether a value has a text whose column has no type. One without a column was written. */
function isText(node: QueryNode): boolean {
  if (!makesText(node)) return false;
  const { child } = node;
  if (node.expression_class === 'BOUND_CAST' && makesText(child!)) return isText(child!);
  return !typeOf(node).includes('POSIX') && /BOUND_\w*REF"/.test(JSON.stringify(node));
}

const ORDERS_FIRST =
  /^(?:min|max|median|mad|histogram|(?:approx_)?quantile\w*|(?:list|array)_(?:(?:reverse_)?sort|grade_up))$/;
const ORDERS_SECOND = /^(?:arg_?min|arg_?max|min_by|max_by)/;
const ORDERS_ALL = /^(?:greatest|least)$/;

/** The values that a node puts in order. */
function orderedBy(node: QueryNode): readonly (QueryNode | undefined)[] {
  const { expression_class: expression, name = '', children = [] } = node;
  if (node.null_order !== undefined) return [node.expression];
  const comparison = expression === 'BOUND_COMPARISON' ? node.type : node.comparison;
  if (comparison?.includes('THAN')) return [node.left, node.right];
  if (expression === undefined) return [];
  if (ORDERS_ALL.test(name)) return children;
  // `list_max` and its like call an aggregate for the list.
  const inList =
    /^(?:list_|array_)?aggr/.test(name) && nodesIn(node).some((each) => ORDERS_FIRST.test(each.name ?? ''));
  if (inList || ORDERS_FIRST.test(name)) return children.slice(0, 1);
  return ORDERS_SECOND.test(name) ? children.slice(1) : [];
}

const columnIn = (node: QueryNode): string =>
  nodesIn(node)
    .find(({ expression_class: of, alias }) => of === 'BOUND_REF' && alias)
    ?.alias!.replace(/^memory\.main\.\w+\./, '') ?? 'a text';

const ANY_LIST = /^(?:list|array_agg)\((?!.* ORDER BY )/;

/** Functions of the day or the machine, or that take any of several values, beside those that DuckDB says give another result each time. */
const UNSURE = /^(?:current_\w+|version|mode|reservoir_quantile|approx_\w+)$/;

/** What a query would do without a word, such as order texts, where 10 comes before 9. `changing`: functions whose result is another each time. */
export function planProblem(plan: object, changing: ReadonlySet<string>): Problem | undefined {
  for (const node of nodesIn(plan)) {
    const reason = refusal(node, changing);
    if (reason !== undefined) return failure('query_invalid', [], { reason: `it ${reason}` });
    const { expression_class: expression, child, children = child ? [child] : [] } = node;
    const ordered = orderedBy(node).find((value) => value && isText(value));
    const cast = expression === 'BOUND_CAST' && isText(child!) && !makesText(node) ? child : undefined;
    const use = ordered ? 'puts 10 before 9, because it orders' : 'makes a number or a date of';
    const text = ordered ?? cast;
    const reasonOfText = text && `it ${use} \`${columnIn(text)}\`, which is text`;
    if (reasonOfText) return failure('query_invalid', [], { reason: reasonOfText });
    const compared = expression === 'BOUND_COMPARISON' || node.comparison ? [node.left!, node.right!] : [];
    const written = expression && makesText(node) && !isFloat(node) ? children : [];
    if ([...compared, ...written].some(isFloat)) return floatProblem('a number in a comparison or a text');
  }
  return undefined;
}

/** The problem of a number that is not exact. */
export const floatProblem = (what: string): Problem =>
  failure('query_invalid', [], {
    reason: `${what} is a float, which is not exact`,
    todo: 'Write CAST(… AS DECIMAL(18, 2)) around the division or the average.',
  });

/** What else is wrong without a word. */
function refusal(node: QueryNode, changing: ReadonlySet<string>): string | undefined {
  const { expression_class: expression, type, name = '', child, children = [] } = node;
  if (node.try_cast || type === 'OPERATOR_TRY' || name.startsWith('try_'))
    return 'has TRY, which makes nothing of a value that it cannot read; declare the type of the column';
  const isWindow = expression === 'BOUND_WINDOW' && type !== 'WINDOW_AGGREGATE';
  const isUnordered = (node.orders ?? []).every((each) => !/BOUND_\w*REF"/.test(JSON.stringify(each)));
  const takesAny = [
    type === 'LOGICAL_LIMIT' && children[0]!.type !== 'LOGICAL_ORDER_BY' && 'LIMIT',
    node.distinct_type === 'DISTINCT_ON' && !node.order_by && 'DISTINCT ON',
    isWindow && node.partitions?.[0] && isUnordered && 'a window',
    /_(?:extract|element|first|last)$/.test(name) && ANY_LIST.test(children[0]!.alias ?? '') && 'a list',
  ].find(Boolean);
  if (takesAny) return `has ${takesAny} without ORDER BY, so it takes any of the rows`;
  if (node.aggregate_type === 'DISTINCT' && /^(?:k?f?sum\w*|avg|mean|product)$/.test(name))
    return 'adds equal amounts only once; write sum without DISTINCT';
  const isOfRow = expression === 'BOUND_CAST' && typeOf(child!).includes('UBIGINT');
  if (isOfRow && !/UBIGINT|VARCHAR/.test(typeOf(node)))
    return 'compares `_row`, which is the line of a file, with a value of another kind';
  const [was, is] = [child ?? {}, node].map((each) => /"width":(\d+),"scale":(\d+)/.exec(typeOf(each)) ?? []);
  const loses = isFloat(child ?? {}) || Number.parseInt(was![2]!, 10) > Number.parseInt(is![2]!, 10);
  // Two decimals meet in 38 digits, and DECIMAL alone has 18 with 3 decimals.
  const isWritten =
    is![1] !== '38' && `${is![1]}, ${is![2]}` !== '18, 3' && child?.expression_class !== 'BOUND_CONSTANT';
  if (expression === 'BOUND_CAST' && loses && !isWritten)
    return `brings a number to ${is![2]} decimals that may have more; write round(…, 2), or DECIMAL(18, 2)`;
  if (expression === 'BOUND_CAST' && typeOf(node).includes('"FLOAT"'))
    return 'has FLOAT, which keeps 7 digits; write DECIMAL(18, 2)';
  const isOfNow = changing.has(name) || (name === 'age' && children.length === 1);
  return type === 'LOGICAL_SAMPLE' || UNSURE.test(name) || isOfNow
    ? `has ${name || 'a sample'}, which is not the same each time, or on each machine`
    : undefined;
}
