import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import { failure, type Path, type Problem } from '../../../core/problem.ts';

/** One-based, as editors count. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A YAML file in which every value can be found again. */
export interface YamlFile {
  /** Every scalar is the text that it is written as. */
  readonly value: unknown;
  /** Where a value stands, or the key of it; what is not there has the place of the nearest value around it. */
  positionOf(path: Path, what?: 'key' | 'value'): Position;
  /** Whether there is a value at the path. */
  has(path: Path): boolean;
}

/** What parsing came to: the file, or what makes it unreadable. */
export type YamlReading =
  | { readonly file: YamlFile; readonly errors?: undefined }
  | {
      readonly file?: undefined;
      readonly errors: readonly { readonly problem: Problem; readonly position: Position }[];
    };

/** Reads YAML 1.2; a key that occurs twice is an error. */
export function parseYaml(text: string): YamlReading {
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines, prettyErrors: false });
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (document.errors.length > 0) {
    // What comes after the first slip is mostly about the slip.
    const [first, ...rest] = document.errors;
    const errors = [first!, ...rest.filter(({ code }) => code === 'DUPLICATE_KEY')].map((error) => ({
      problem: failure('mapping_not_yaml', [], { reason: error.message }),
      position: position(error.pos[0]),
    }));
    return { errors };
  }
  return {
    file: {
      value: document.toJS({ maxAliasCount: 1000 }),
      positionOf: (path, what = 'value') => position(offsetOf(document, path, what)),
      has: (path) => nodeAt(document, path).depth === path.length,
    },
  };
}

interface FoundNode {
  readonly node: Node | null;
  readonly key: Node | null;
  /** How much of the path leads to it. */
  readonly depth: number;
}

function nodeAt(document: Document, path: Path): FoundNode {
  let found: FoundNode = { node: document.contents, key: null, depth: 0 };
  for (const part of path) {
    const inner = child(resolved(found.node, document), part);
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
  // A single entry where a list may stand.
  if (part === 0) return { node, key: null };
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === String(part));
  return pair && { node: pair.value as Node | null, key: pair.key as Node };
}

function resolved(node: Node | null, document: Document): Node | null {
  return isAlias(node) ? (node.resolve(document) ?? null) : node;
}

function offsetOf(document: Document, path: Path, what: 'key' | 'value'): number {
  const { node, key } = nodeAt(document, path);
  return (what === 'key' ? (key ?? node) : (node ?? key))?.range?.[0] ?? 0;
}
