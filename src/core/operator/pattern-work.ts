import { AppError } from '../app-error.ts';

/** Most steps of a pattern on a long text: less than a second. */
const MOST_STEPS = 2 ** 25;
/**
 * Most steps on a text of a usual length: about a millisecond. Every cell of a file may be one, so a pattern that needs more may take days for
 * a file.
 */
const MOST_USUAL_STEPS = 2 ** 19;
/** A longer text is tried as far as the pattern stays quick. */
const USUAL_LENGTH = 256;
const LONGEST = 2 ** 24;
/** A pattern with so few steps for a usual text takes a time in proportion to the text. */
const FEW_STEPS = 2 ** 12;
/** All texts of a command together may take a minute, and a little more for each. Honest patterns take a tenth of that. */
const FREE_MS = 60_000;
const FREE_MS_A_TEXT = 0.02;
/** No text takes longer. A longer time passed while the process was stopped. */
const MOST_MS_A_TEXT = 1_000;

/** Whether a regular expression ends soon for every text of a usual length, whatever the text is. */
export const isQuickPattern = (pattern: string): boolean =>
  stepsOf(pattern, USUAL_LENGTH) <= MOST_USUAL_STEPS;

/** The longest text, in UTF-16 units, on which a quick pattern ends soon. */
export function longestTried(pattern: string): number {
  let length = USUAL_LENGTH;
  while (length < LONGEST && stepsOf(pattern, 2 * length) <= MOST_STEPS) length *= 2;
  return length;
}

/** A quick pattern. Its work on any text is bounded, and its work on all texts together. */
export interface BoundedPattern {
  readonly pattern: string;
  /** Whether it is tried on the text. */
  fits(text: string): boolean;
  /** @throws AppError `pattern_text_too_long`, `pattern_too_slow` */
  test(text: string): boolean;
  /** The text with another text in place of every match. @throws AppError `pattern_text_too_long`, `pattern_too_slow` */
  replace(text: string, by: string): string;
}

/**
 * The text may be a cell of megabytes, so a pattern is not tried on a text for which it may not end soon. A file may have millions of
 * texts, so a pattern ends the command when all of them take too long.
 */
export function boundedPattern(pattern: string, nowMs = (): number => performance.now()): BoundedPattern {
  const [first, every] = [new RegExp(pattern, 'u'), new RegExp(pattern, 'gu')];
  const most = longestTried(pattern);
  const isTimed = stepsOf(pattern, USUAL_LENGTH) > FEW_STEPS;
  let [spentMs, texts] = [0, 0];
  const bounded = <Result>({ length }: string, act: () => Result): Result => {
    if (length > most) throw new AppError('pattern_text_too_long', { pattern, length, most });
    if (!isTimed) return act();
    const startedMs = nowMs();
    const result = act();
    spentMs += Math.min(nowMs() - startedMs, MOST_MS_A_TEXT);
    texts += 1;
    if (spentMs > FREE_MS + texts * FREE_MS_A_TEXT)
      throw new AppError('pattern_too_slow', { pattern, texts, seconds: Math.round(spentMs / 1000) });
    return result;
  };
  return {
    pattern,
    fits: ({ length }) => length <= most,
    test: (text) => bounded(text, () => first.test(text)),
    replace: (text, by) => bounded(text, () => text.replace(every, by)),
  };
}

/**
 * At most how many steps a backtracking engine takes on a text of a length. The ways to go on are the product of the choices that each quantifier
 * and each alternation leaves, and a repeated group multiplies its own choices at each turn. What follows is tried once for each way. Lookaround
 * counts as a group. Infinite for references back.
 */
function stepsOf(pattern: string, length: number): number {
  let at = 0;
  const { steps, branches } = alternatives();
  // Without an anchor every place of the text is tried.
  return at < pattern.length ? Infinity : steps * (pattern.startsWith('^') && branches === 1 ? 1 : length);

  function alternatives(): { ways: number; steps: number; branches: number } {
    let [ways, steps, branches] = [1, 1, 1];
    while (at < pattern.length && pattern[at] !== ')') {
      if (pattern[at] === '|') {
        branches += 1;
        at += 1;
      } else {
        const from = at;
        const one = atom();
        const text = pattern.slice(from, at);
        const { choices, turns } = repeated(one.ways);
        const rest = pattern.slice(at);
        // Nothing behind it can fail, so it is reached once.
        steps += (rest === '' ? 1 : ways) * turns * one.steps * one.ways ** Math.max(turns - 1, 0);
        ways *= one.ways === 1 && endsAtOnePlace(text, rest) ? 1 : choices;
      }
    }
    return { ways: ways * branches, steps: steps * branches, branches };
  }

  /** One character, class or group. */
  function atom(): { ways: number; steps: number } {
    if (pattern[at] === '(') return group();
    const [found] = ATOM.exec(pattern.slice(at))!;
    at += found.length;
    const ways = REFERENCE.test(found) ? Infinity : 1;
    return { ways, steps: ways };
  }

  function group(): { ways: number; steps: number } {
    at += OPENING.exec(pattern.slice(at))![0].length;
    const found = alternatives();
    at += 1;
    return found;
  }

  function repeated(ways: number): { choices: number; turns: number } {
    const found = QUANTIFIER.exec(pattern.slice(at));
    if (!found) return { choices: ways, turns: 1 };
    at += found[0].length;
    const { sign, least = '0', comma, most } = found.groups!;
    const min = sign === '+' ? 1 : Number.parseInt(least, 10);
    const isOpen = sign === '*' || sign === '+' || (comma !== undefined && most === undefined);
    const max = isOpen ? Math.max(length, min) : sign === '?' ? 1 : Number.parseInt(most ?? least, 10);
    return { choices: (max - min + 1) * ways ** max, turns: max };
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
