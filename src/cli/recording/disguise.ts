import { hash } from 'node:crypto';

export interface Disguise {
  /** Words that are no values: of the header, of the mapping, of the interface. */
  readonly kept: ReadonlySet<string>;
  /** Words, in lower case, that names are made of. Only a text that is a name, or several, keeps them, and its short numbers. */
  readonly names?: ReadonlySet<string>;
  /** Makes the replacements of one recording differ from those of another one. */
  readonly salt: string;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** A text that is a date, with a time of day or without. A date within a text is one of its words. */
const DATE = /^((?:19|20)\d\d)(-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)$/;

/** Years by which dates of records move. A leap year stays one, and no date becomes a later one. */
const MOVED_YEARS = 4;

/** A date some years earlier, as all dates of records and of seeds are in a disguise. Undefined for a text that is none. */
export function movedDate(text: string): string | undefined {
  const [, year, rest] = DATE.exec(text) ?? [];
  return year && `${Number.parseInt(year, 10) - MOVED_YEARS}${rest}`;
}

/** Whoever was born later has no account. An earlier date may be a birthday, so its digits are replaced. */
const LAST_BIRTH = '2010-12-31';

/**
 * The text with other letters and digits of the same form. Equal words stay equal, zeros stay zeros, and punctuation stays,
 * so separators, quotes and lengths do, too. A date that is no birthday moves.
 */
export function disguised(text: string, { kept, names, salt }: Disguise): string {
  const date = text > LAST_BIRTH ? movedDate(text) : undefined;
  if (date !== undefined) return date;
  return text.replaceAll(WORD, word);

  function word(found: string, at: number, part: string): string {
    if (kept.has(found)) return found;
    if (names && (names.has(found.toLowerCase()) || /^\d{1,3}$/.test(found))) return found;
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
 * still differs. Characters of other scripts become Latin ones, so this holds for ASCII alone.
 */
function replacement(word: string, salt: string): string {
  const characters = [...word];
  return characters
    .map((character, index) => {
      if (character === '0') return character;
      const alphabet = alphabetOf(character);
      const own = alphabet.includes(character) ? '' : character;
      const from = [salt, characters.length, own + characters.slice(index + 1).join('')].join('\0');
      const moved = 1 + (hash('sha256', from, 'buffer').readUInt32BE() % (alphabet.length - 1));
      return alphabet[(alphabet.indexOf(character) + moved) % alphabet.length]!;
    })
    .join('');
}

/** The characters that a character can become. */
function alphabetOf(character: string): string {
  if (/\p{Nd}/u.test(character)) return '123456789';
  return /\p{Lu}/u.test(character) ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' : 'abcdefghijklmnopqrstuvwxyz';
}

export function wordsIn(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}
