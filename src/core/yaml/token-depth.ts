import type { CST } from 'yaml';
import type { Slip } from './slip.ts';

/** How many lists and objects may stand inside each other. A file of ours needs ten. */
const MOST_LEVELS = 100;

/**
 * The first list or object that stands too deep. Looked for in tokens, because to make values of them takes a call for
 * each level: at a thousand the parser gives up, and at some thousands Node does.
 */
export function tooDeep(tokens: readonly CST.Token[]): Slip | undefined {
  const open: (readonly [token: CST.Token | null | undefined, level: number])[] = tokens.map((token) => [
    token.type === 'document' ? token.value : undefined,
    1,
  ]);
  for (let next = open.pop(); next; next = open.pop()) {
    const [token, level] = next;
    if (!token || !('items' in token)) continue;
    if (level > MOST_LEVELS) {
      const reason = `lists and objects stand ${MOST_LEVELS} deep inside each other here: no more are read`;
      return { offset: token.offset, reason };
    }
    for (const { key, value } of token.items.toReversed()) open.push([value, level + 1], [key, level + 1]);
  }
  return undefined;
}
