import { isAlias, isMap, isScalar, isSeq, LineCounter, type Document, type Node } from 'yaml';
import type { Path } from '../problem.ts';
import { parseDocument, type YamlSchema } from './yaml-document.ts';

/** A position in a text document; line and column are one-based, as in editors. */
export interface TextPosition {
  /** Name of the document, as it was typed. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Something wrong in a document that a person wrote: a mapping, seed, configuration or expectation. */
export interface DocumentProblem extends TextPosition {
  /** Never the text of a value: it may be a key, or be about a person. */
  readonly reason: string;
}

/** A YAML document in which every value can be found again. */
export interface YamlText {
  readonly file: string;
  readonly value: unknown;
  /** Where a value, or its key, is in the text. The nearest value around it when there is none at the path. */
  positionOf(path: Path, what?: 'key' | 'value'): TextPosition;
  has(path: Path): boolean;
}

/** The document, or the problems that make it unreadable. */
export type ParsedYaml =
  | { readonly yaml: YamlText; readonly problems?: undefined }
  | { readonly yaml?: undefined; readonly problems: readonly [DocumentProblem, ...DocumentProblem[]] };

/** Parses YAML 1.2, or JSON, which is a part of YAML. An empty text is null. */
export function readYaml({
  file,
  text,
  schema,
}: {
  file: string;
  text: string;
  schema: YamlSchema;
}): ParsedYaml {
  const lines = new LineCounter();
  const positionAt = (offset: number): TextPosition => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const parsed = parseDocument(text, schema, lines);
  if (parsed.problems) {
    const [first, ...rest] = parsed.problems.map(({ offset, reason }) => ({ ...positionAt(offset), reason }));
    return { problems: [first!, ...rest] };
  }
  const { document, value } = parsed;
  return {
    yaml: {
      file,
      value,
      positionOf: (path, what = 'value') => {
        const { node, key } = nodeAt(document, path);
        const found = what === 'key' ? (key ?? node) : (node ?? key);
        return positionAt(found?.range?.[0] ?? 0);
      },
      has: (path) => nodeAt(document, path).depth === path.length,
    },
  };
}

interface FoundNode {
  readonly node: Node | null;
  readonly key: Node | null;
  /** How many parts of the path lead to it. */
  readonly depth: number;
}

/** The node at a path, or the nearest one around it. Behind an alias it is the node that has the anchor. */
function nodeAt(document: Document, path: Path): FoundNode {
  let found: FoundNode = { node: document.contents, key: null, depth: 0 };
  for (const part of path) {
    const { node } = found;
    const inner = child(isAlias(node) ? (node.resolve(document) ?? null) : node, part);
    if (!inner) return found;
    found = { ...inner, depth: found.depth + 1 };
  }
  return found;
}

function child(node: Node | null, part: string | number): Omit<FoundNode, 'depth'> | undefined {
  if (isSeq(node) && typeof part === 'number') {
    const item = node.items[part] as Node | undefined;
    return item === undefined ? undefined : { node: item, key: null };
  }
  // A single value where the schema accepts a list, too.
  if (part === 0) return { node, key: null };
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
  return pair && { node: pair.value as Node | null, key: pair.key as Node };
}
