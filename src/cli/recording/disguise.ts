import { createHash } from 'node:crypto';

export interface Disguise {
  /** Words that are no values: of the header, of the mapping, of the interface. */
  readonly kept: ReadonlySet<string>;
  /** Makes the replacements of one recording differ from those of another one. */
  readonly salt: string;
}

/** Years by which dates move. A leap year stays one, and no date becomes a later one. */
const MOVED_YEARS = 4;

const WORD = /[\p{L}\p{N}]+/gu;
const YEAR = String.raw`(?<year>19\d\d|20\d\d)`;
const DAY = String.raw`(?:0[1-9]|[12]\d|3[01])`;
const MONTH = String.raw`(?:0[1-9]|1[0-2])`;
/** Dates, and times of day, which stay. A day that no month has stays one. */
const MOMENTS = [
  String.raw`(?<!\d)${YEAR}(?<rest>[-/.]${MONTH}[-/.]${DAY})(?!\d)`,
  String.raw`(?<!\d)(?<before>\d{1,2}[-/.]\d{1,2}[-/.])${YEAR}(?!\d)`,
  String.raw`(?<!\d)${YEAR}(?<rest>${MONTH}${DAY})(?!\d)`,
  String.raw`(?<time>T?\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)`,
].map((source) => new RegExp(source, 'g'));

/** A mark for a part of a text that stays, which no text of a file has. */
const OPEN = '\u{F0000}';
const CLOSE = '\u{F0001}';

/**
 * The text with other letters and digits of the same form. Equal words stay equal, zeros stay zeros, and punctuation stays,
 * so separators, quotes and lengths do, too.
 */
export function disguised(text: string, { kept, salt }: Disguise): string {
  let marked = text;
  for (const moment of MOMENTS)
    marked = marked.replaceAll(moment, (found: string, ...rest: unknown[]) => {
      const { year, before = '', rest: after = '', time } = rest.at(-1) as Record<string, string | undefined>;
      if (time !== undefined || year === undefined) return OPEN + found + CLOSE;
      return `${OPEN}${before}${Number.parseInt(year, 10) - MOVED_YEARS}${after}${CLOSE}`;
    });
  return marked
    .split(new RegExp(`(${OPEN}[^${CLOSE}]*${CLOSE})`, 'u'))
    .map((part) =>
      part.startsWith(OPEN) ? part.slice(OPEN.length, -CLOSE.length) : part.replaceAll(WORD, word),
    )
    .join('');

  function word(found: string, at: number, part: string): string {
    if (kept.has(found)) return found;
    // A platform writes 5.5 as 5.50, which is the same number.
    const zeros =
      /\d\.$/.test(part.slice(Math.max(0, at - 2), at)) && /^\d+$/.test(found) ? /0*$/.exec(found)![0] : '';
    let other = found.slice(0, found.length - zeros.length);
    // A kept word stands for itself alone, so no other word becomes one.
    for (let rounds = 0; rounds === 0 || (kept.has(other + zeros) && rounds < MOST_ROUNDS); rounds++)
      other = replacement(other, salt);
    return other + zeros;
  }
}

/** Words of one letter are few, and a contract may keep most of them. */
const MOST_ROUNDS = 100;

/**
 * The noise of a character depends on the characters after it alone, so two words of one form never become the same word: what differs
 * still differs.
 */
function replacement(word: string, salt: string): string {
  const characters = [...word];
  return characters
    .map((character, index) => {
      const rest = characters.slice(index + 1).join('');
      const noise = createHash('sha256').update(`${salt}\0${characters.length}\0${rest}`).digest();
      return other(character, noise.readUInt32BE());
    })
    .join('');
}

/** Another character of the same kind. */
function other(character: string, noise: number): string {
  const code = character.codePointAt(0)!;
  if (/[1-9]/.test(character)) return String(1 + ((code - 49 + 1 + (noise % 8)) % 9));
  if (/[a-z]/.test(character)) return String.fromCodePoint(97 + ((code - 97 + 1 + (noise % 25)) % 26));
  if (/[A-Z]/.test(character)) return String.fromCodePoint(65 + ((code - 65 + 1 + (noise % 25)) % 26));
  const near = String.fromCodePoint(code + 1 + (noise % 3));
  return /\p{L}/u.test(character) && /\p{L}/u.test(near) ? near : character;
}

export function wordsIn(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}
