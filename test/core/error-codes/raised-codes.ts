import { isErrorCode, type ErrorCode } from '../../../src/core/error-codes/table.ts';
import { nodesOf, type SourceFile, type SyntaxNode } from '../../support/source-tree.ts';

/** A line of the sources that raises a code with its facts. */
export interface RaisedCode {
  readonly code: ErrorCode;
  readonly at: string;
  /** Names of the facts in the literal, without the facts of a spread object; undefined when computed. */
  readonly facts: readonly string[] | undefined;
}

/** Every string of a file that is a code of the table, with or without facts. */
export function codesIn(file: SourceFile): readonly ErrorCode[] {
  return nodesOf(file).flatMap(({ node }) =>
    node.type === 'Literal' && typeof node['value'] === 'string' && isErrorCode(node['value'])
      ? [node['value']]
      : [],
  );
}

/** Lines of a file that raise a code: as a problem, an error, the failure of a field, or a text. */
export function raisedIn(file: SourceFile): readonly RaisedCode[] {
  const nodes = nodesOf(file).map(({ node }) => node);
  return nodes.flatMap((node) => {
    const raised = raisedBy(node);
    if (!raised) return [];
    const line = file.text.slice(0, node['start'] as number).split('\n').length;
    const facts = factNames(raised.facts, nodes);
    return codesOf(raised.code).map((code) => ({ code, at: `${file.path}:${line}`, facts }));
  });
}

/** Functions that take a code, and the index of their argument with the facts. */
const RAISERS: Readonly<Record<string, number>> = {
  failure: 2,
  warning: 2,
  AppError: 1,
  sentenceOf: 1,
  nextStepOf: 1,
  refusal: 1,
};

function raisedBy(node: SyntaxNode): { code: unknown; facts: unknown } | undefined {
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    const at = RAISERS[nameOf(node['callee']) ?? ''];
    const given = node['arguments'] as readonly unknown[];
    return at === undefined ? undefined : { code: given[0], facts: given[at] };
  }
  if (node.type !== 'ObjectExpression') return undefined;
  const code = property(node, 'code');
  // An object with `detail` has its message already, or gets it where the error of the platform is located.
  if (code === undefined || property(node, 'detail') !== undefined) return undefined;
  return { code, facts: property(node, 'facts') };
}

function codesOf(value: unknown): readonly ErrorCode[] {
  if (!isNode(value)) return [];
  if (value.type === 'ConditionalExpression')
    return [...codesOf(value['consequent']), ...codesOf(value['alternate'])];
  if (value.type === 'LogicalExpression') return [...codesOf(value['left']), ...codesOf(value['right'])];
  return typeof value['value'] === 'string' && isErrorCode(value['value']) ? [value['value']] : [];
}

/** The names in an object, in the object of that name in the same file, or in the one that a function of the file returns. */
function factNames(value: unknown, nodes: readonly SyntaxNode[]): readonly string[] | undefined {
  if (value === undefined) return [];
  if (!isNode(value)) return undefined;
  if (value.type === 'ObjectExpression') {
    const properties = (value['properties'] as readonly SyntaxNode[]).filter(
      ({ type }) => type === 'Property',
    );
    return properties.map((each) => nameOf(each['key']) ?? String((each['key'] as SyntaxNode)['value']));
  }
  if (value.type === 'CallExpression') {
    const returned = returnedBy(nameOf(value['callee']), nodes);
    return isNode(returned) && returned.type === 'ObjectExpression' ? factNames(returned, nodes) : undefined;
  }
  const name = nameOf(value);
  const declared = nodes.filter(
    (node) => node.type === 'VariableDeclarator' && nameOf(node['id']) === name && isNode(node['init']),
  );
  const [only] = declared;
  return declared.length === 1 &&
    ['ObjectExpression', 'CallExpression'].includes((only!['init'] as SyntaxNode).type)
    ? factNames(only!['init'], nodes)
    : undefined;
}

/** What a function does nothing but return. */
function returnedBy(name: string | undefined, nodes: readonly SyntaxNode[]): unknown {
  const declared = nodes.find((node) => node.type === 'FunctionDeclaration' && nameOf(node['id']) === name);
  const body = (declared?.['body'] as SyntaxNode | undefined)?.['body'] as readonly SyntaxNode[] | undefined;
  return body?.length === 1 ? body[0]!['argument'] : undefined;
}

function property(object: SyntaxNode, name: string): unknown {
  const found = (object['properties'] as readonly SyntaxNode[]).find(
    (each) => each.type === 'Property' && nameOf(each['key']) === name,
  );
  return found?.['value'];
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? (node['name'] as string) : undefined;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}
