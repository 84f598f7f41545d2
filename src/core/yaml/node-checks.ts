import { isAlias, isScalar, visit, type Document, type Node } from 'yaml';
import type { Slip } from './slip.ts';

/** What the parser takes and no reader can use, in the order of the text; and the offset of the last alias. */
export function wrongNodes(document: Document.Parsed): {
  readonly wrong: readonly Slip[];
  readonly lastAlias: number;
} {
  const wrong: Slip[] = [];
  let lastAlias = 0;
  const anchored = new Map<string, Node>();
  visit(document, {
    Pair: (_, { key }) => {
      if (!isScalar(key)) wrong.push({ offset: offsetOf(key as Node), reason: KEY_NOT_TEXT });
    },
    Node: (_, node, path) => {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchored.set(node.anchor, node);
        return;
      }
      lastAlias = offsetOf(node);
      const meant = anchored.get(node.source);
      if (!meant) wrong.push({ offset: lastAlias, reason: ALIAS_OF_NOTHING });
      else if (path.includes(meant)) wrong.push({ offset: lastAlias, reason: ALIAS_OF_ITS_OUTSIDE });
    },
  });
  return { wrong, lastAlias };
}

function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

const KEY_NOT_TEXT = 'a key has to be a text, not a list, an object or an alias (`*…`)';
const ALIAS_OF_NOTHING = 'this alias (`*…`) has no anchor (`&…`) before it';
const ALIAS_OF_ITS_OUTSIDE = 'this alias (`*…`) stands inside of what it stands for';
