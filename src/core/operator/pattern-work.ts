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
 * alternation leaves. A repeated group multiplies its own choices at each turn. Lookaround counts as a group. Infinite for references
 * back.
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
      } else {
        const from = at;
        const one = atom();
        const text = pattern.slice(from, at);
        const choices = repeated(one);
        ways *= one === 1 && endsAtOnePlace(text, pattern.slice(at)) ? 1 : choices;
      }
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
    at += OPENING.exec(pattern.slice(at))![0].length;
    const { ways } = alternatives();
    at += 1;
    return ways;
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

/** Whether a repeated character or class can end at one place only: what comes behind it is something that it does not match itself. */
function endsAtOnePlace(repeated: string, rest: string): boolean {
  if (repeated.startsWith('(')) return false;
  if (rest === '' || rest === '$') return true;
  const literal = LITERAL.exec(rest);
  return literal !== null && !new RegExp(`^${repeated}$`, 'u').test((literal[1] ?? literal[2])!);
}

/** A character that stands for itself, once. */
const LITERAL = /^(?:\\([^\p{L}\p{N}])|([^\\^$.*+?()[\]{}|]))(?![*?{])/u;
const ATOM = /^(?:\[(?:\\.|[^\]\\])*\]|\\[pPu]\{[^}]*\}|\\k<[^>]*>|\\.|[^])/su;
const REFERENCE = /^\\[1-9k]/;
const OPENING = /^\((?:\?(?:<?[=!]|<[^>]*>|[^:)]*:))?/;
const QUANTIFIER = /^(?:(?<sign>[*+?])|\{(?<least>\d+)(?:(?<comma>,)(?<most>\d+)?)?\})\??/;
