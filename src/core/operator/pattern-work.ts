/** Most ways in which a text may be tried against a pattern. */
const MOST_WAYS = 2 ** 25;
/** A pattern has to be quick for texts of this length; a longer text is tried as far as the pattern stays quick. */
const USUAL_LENGTH = 256;
const LONGEST = 2 ** 24;

/** Whether a regular expression ends soon for every text of a usual length, whatever the text is. */
export const isQuickPattern = (pattern: string): boolean => waysOf(pattern, USUAL_LENGTH) <= MOST_WAYS;

/** The longest text, in UTF-16 units, on which a quick pattern ends soon. */
export function longestTried(pattern: string): number {
  let length = USUAL_LENGTH;
  while (length < LONGEST && waysOf(pattern, 2 * length) <= MOST_WAYS) length *= 2;
  return length;
}

/**
 * At most how many ways a backtracking engine goes on a text of a length: the product of the choices that each quantifier and each
 * alternation leaves. A repeated group multiplies its own choices at each turn. Infinite for lookaround and references back.
 */
function waysOf(pattern: string, length: number): number {
  let at = 0;
  const { ways, branches } = alternatives();
  // Without an anchor every place of the text is tried.
  return at < pattern.length ? Infinity : ways * (pattern.startsWith('^') && branches === 1 ? 1 : length);

  function alternatives(): { readonly ways: number; readonly branches: number } {
    let ways = 1;
    let branches = 1;
    while (at < pattern.length && pattern[at] !== ')') {
      if (pattern[at] === '|') {
        branches += 1;
        at += 1;
      } else ways *= repeated(atom());
    }
    return { ways: ways * branches, branches };
  }

  /** The ways of one character, class or group. */
  function atom(): number {
    if (pattern[at] === '(') return group();
    const [found] = ATOM.exec(pattern.slice(at))!;
    at += found.length;
    return REFERENCE.test(found) ? Infinity : 1;
  }

  function group(): number {
    const [opening, look] = OPENING.exec(pattern.slice(at))!;
    at += opening.length;
    const { ways } = alternatives();
    at += 1;
    return look === undefined ? ways : Infinity;
  }

  function repeated(ways: number): number {
    const found = QUANTIFIER.exec(pattern.slice(at));
    if (!found) return ways;
    at += found[0].length;
    const { sign, least = '0', comma, most } = found.groups!;
    const min = sign === '+' ? 1 : Number.parseInt(least, 10);
    const isOpen = sign === '*' || sign === '+' || (comma !== undefined && most === undefined);
    const max = isOpen ? Math.max(length, min) : sign === '?' ? 1 : Number.parseInt(most ?? least, 10);
    return (max - min + 1) * ways ** max;
  }
}

const ATOM = /^(?:\[(?:\\.|[^\]\\])*\]|\\[pPu]\{[^}]*\}|\\k<[^>]*>|\\.|[^])/su;
const REFERENCE = /^\\[1-9k]/;
const OPENING = /^\((?:\?(?:(<?[=!])|<[^>]*>|[^:)]*:))?/;
const QUANTIFIER = /^(?:(?<sign>[*+?])|\{(?<least>\d+)(?:(?<comma>,)(?<most>\d+)?)?\})\??/;
