import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { parseAst } from 'vitest/node';

export const projectRoot = join(import.meta.dirname, '..', '..');

/** A node of the syntax tree, in the spelling of ESTree and typescript-eslint. */
export interface SyntaxNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface SourceFile {
  /** Path below the folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every source file below a folder of the project. */
export function sourceFiles(folder: string): SourceFile[] {
  const base = join(projectRoot, folder);
  return readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      path: relative(base, path).split(sep).join('/'),
      text: readFileSync(path, 'utf8'),
    }));
}

/** Every syntax node of a file with its parent. Throws for a file that does not parse. */
export function nodesOf(file: SourceFile): { node: SyntaxNode; parent: SyntaxNode | undefined }[] {
  const found: { node: SyntaxNode; parent: SyntaxNode | undefined }[] = [];
  const visit = (value: unknown, parent: SyntaxNode | undefined): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, parent);
    } else if (isNode(value)) {
      found.push({ node: value, parent });
      for (const child of Object.values(value)) visit(child, value);
    }
  };
  visit(parse(file), undefined);
  return found;
}

/** Imports that only the syntax tree has: import(), also of a type, require(), and those of nothing. */
const ONLY_IN_TREE = /\b(?:import|require)\s*\(|\{\s*\}\s*from\b/;

/** The imports of a file: import and export-from, of values and of types, import() and require(). */
export function specifiersOf(file: SourceFile): string[] {
  if (ONLY_IN_TREE.test(file.text)) return specifiersInTree(file);
  const { staticImports, staticExports } = parsed(file).module;
  const requests = [...staticImports, ...staticExports.flatMap(({ entries }) => entries)];
  return [...new Set(requests.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []))];
}

/** The imports, exports and comments of a file, without its syntax tree, which takes longer. Throws for a file that does not parse. */
export function parsed({
  path,
  text,
}: SourceFile): Pick<ReturnType<typeof parseSync>, 'module' | 'comments'> {
  const result = parseSync(path, text);
  if (result.errors.length > 0) throw new Error(`${path} does not parse: ${result.errors[0]!.message}`);
  return result;
}

function specifiersInTree(file: SourceFile): string[] {
  return nodesOf(file).flatMap(({ node }) => {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ExportNamedDeclaration':
      case 'ImportExpression':
      case 'TSImportType':
        return literals(node['source']);
      case 'TSExternalModuleReference':
        return literals(node['expression']);
      case 'CallExpression':
        return isNode(node['callee']) && node['callee']['name'] === 'require'
          ? literals(node['arguments'])
          : [];
      default:
        return [];
    }
  });
}

/** The strings that an expression can be. A computed one is `<computed>`, which no table allows. */
function literals(expression: unknown): string[] {
  if (Array.isArray(expression)) return expression.flatMap(literals);
  if (!isNode(expression)) return [];
  if (expression.type === 'ConditionalExpression') {
    return [...literals(expression['consequent']), ...literals(expression['alternate'])];
  }
  return [typeof expression['value'] === 'string' ? expression['value'] : '<computed>'];
}

function parse(file: SourceFile): unknown {
  try {
    return parseAst(file.text, { lang: file.path.endsWith('ts') ? 'ts' : 'js' });
  } catch (cause) {
    throw new Error(`${file.path} does not parse`, { cause });
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
