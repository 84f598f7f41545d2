import type { Plugin } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

/**
 * A plugin of the bundler: a file of the bundle loads another one, or a module of Node, when it first uses something of it,
 * and not when it is loaded itself. It is what `import defer` (https://github.com/tc39/proposal-defer-import-eval) will do, and
 * takes a quarter off the time until `serve` is ready.
 */
export function deferredRequires(): Plugin {
  return { name: 'deferred-requires', renderChunk: (code) => withDeferredRequires(code) };
}

/** What the bundler writes at the top of a file, with the interop that a module of another kind needs. */
const REQUIRE =
  /^(?:let|const) (\w+) = (require\("[^"]+"\));\n(?:\1 = (require_rolldown_runtime\.__toESM)\(\1(, 1)?\);\n)?/gm;

/** Its helpers are needed by every file, and at once. */
const RUNTIME = 'require_rolldown_runtime';

/**
 * `const a = require("./a.js"); … a.b` becomes `let a_; const a = () => a_ ??= require("./a.js"); … a().b`.
 * @param code a file of the bundle, as CommonJS
 * @throws Error when a module is used in another way than for something of it
 */
export function withDeferredRequires(code: string): string {
  const names = new Set<string>();
  const declared = code.replace(
    REQUIRE,
    (all, name: string, call: string, toModule: string | undefined, mode = '') => {
      if (name === RUNTIME) return all;
      names.add(name);
      const loaded = toModule === undefined ? call : `${toModule}(${call}${mode})`;
      return `let ${name}_;\nconst ${name} = () => ${name}_ ??= ${loaded};\n`;
    },
  );

  const insertions: { readonly at: number; readonly text: string }[] = [];
  const visit = (node: Syntax, parent: Syntax | undefined): void => {
    if (node.type === 'NewExpression' && names.has(firstNameOf(node['callee'] as Syntax))) {
      const { start, end } = node['callee'] as Syntax;
      insertions.push({ at: start, text: '(' }, { at: end, text: ')' });
    }
    if (node.type === 'Identifier' && names.has(node['name'] as string) && isReference(node, parent!)) {
      if (parent!.type !== 'MemberExpression') throw new Error(`${String(node['name'])} is used as a whole`);
      insertions.push({ at: node.end, text: '()' });
    }
    for (const child of childrenOf(node)) visit(child, node);
  };
  visit(parseAst(declared) as unknown as Syntax, undefined);
  // From behind, so that what comes before stays where it is.
  return insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((result, { at, text }) => result.slice(0, at) + text + result.slice(at), declared);
}

/** A node of a syntax tree (ESTree), whatever it is. */
interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/** `a` of `a.b.c`. */
function firstNameOf(node: Syntax): string {
  return node.type === 'MemberExpression' ? firstNameOf(node['object'] as Syntax) : String(node['name']);
}

/** Not the name of a property, and not where it is declared. */
function isReference(node: Syntax, parent: Syntax): boolean {
  if (parent.type === 'MemberExpression') return parent['object'] === node || parent['computed'] === true;
  if (parent.type === 'Property') return parent['value'] === node || parent['computed'] === true;
  return !(parent.type === 'VariableDeclarator' && parent['id'] === node);
}

function childrenOf(node: Syntax): readonly Syntax[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Syntax => typeof (value as Syntax | null | undefined)?.type === 'string');
}
