import { isAlias, isMap, isScalar, isSeq, type Document, type Node } from 'yaml';
import type { Path } from '../problem.ts';

interface FoundNode {
  readonly node: Node | null;
  readonly key: Node | null;
  /** How much of the path leads to it. */
  readonly depth: number;
}

/** What stands at a path, or nearest around it; behind an alias that is where its anchor is. */
export function nodeAt(document: Document, path: Path): FoundNode {
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
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
  return pair && { node: pair.value as Node | null, key: pair.key as Node };
}

function resolved(node: Node | null, document: Document): Node | null {
  return isAlias(node) ? (node.resolve(document) ?? null) : node;
}

/** The offset of what `nodeAt` finds, or of its key. */
export function offsetAt(document: Document, path: Path, what: 'key' | 'value'): number {
  const { node, key } = nodeAt(document, path);
  return (what === 'key' ? (key ?? node) : (node ?? key))?.range?.[0] ?? 0;
}
