import { createHash } from 'node:crypto';

export interface Disguise {
  /** Words that are no values: of the header, of the mapping, of the interface. */
  readonly kept: ReadonlySet<string>;
  /** Words, in lower case, that names are made of. Only a text that is a name, or several, keeps them, and its short numbers. */
  readonly names?: ReadonlySet<string>;
  /** Makes the replacements of one recording differ from those of another one. */
  readonly salt: string;
}

/** Years by which dates move. A leap year stays one, and no date becomes a later one. */
const MOVED_YEARS = 4;

const WORD = /[\p{L}\p{N}]+/gu;
const YEAR = String.raw`(?<year>19\d\d|20\d\d)`;
const DAY = String.raw`(?:0[1-9]|[12]\d|3[01])`;
const MONTH = String.raw`(?:0[1-9]|1[0-2])`;
const TIME = String.raw`(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?`;
/** Texts that are a date, with a time of day or without. A date within a text is one of its words. */
const MOMENTS = [
  `(?<before>)${YEAR}(?<after>[-/.]${MONTH}[-/.]${DAY}${TIME})`,
  String.raw`(?<before>\d{1,2}[-/.]\d{1,2}[-/.])${YEAR}(?<after>${TIME})`,
  `(?<before>)${YEAR}(?<after>${MONTH}${DAY}${TIME})`,
].map((source) => new RegExp(`^${source}$`));

/**
 * The text with other letters and digits of the same form. Equal words stay equal, zeros stay zeros, and punctuation stays,
 * so separators, quotes and lengths do, too.
 */
export function disguised(text: string, { kept, names, salt }: Disguise): string {
  for (const moment of MOMENTS) {
    const { before = '', year, after = '' } = moment.exec(text)?.groups ?? {};
    if (year !== undefined) return `${before}${Number.parseInt(year, 10) - MOVED_YEARS}${after}`;
  }
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

/** What a character can be, the narrowest first. A zero is none of it. */
const KINDS = [/[1-9]/, /[a-z]/, /[A-Z]/, /(?!0)\p{Nd}/u, /\p{Ll}/u, /\p{Lu}/u, /\p{L}|(?!0)\p{N}/u];
const kindOf = (character: string): number => KINDS.findIndex((kind) => kind.test(character));

/** By the kind and the block of 256 characters. */
const alphabets = new Map<string, readonly string[]>();

/** Another character of the same kind and script. */
function other(character: string, noise: number): string {
  const kind = kindOf(character);
  if (kind < 0) return character;
  const block = character.codePointAt(0)! >> 8;
  const name = `${kind} ${block}`;
  let alphabet = alphabets.get(name);
  if (!alphabet) {
    const all = Array.from({ length: 256 }, (_, at) => String.fromCodePoint(block * 256 + at));
    alphabets.set(name, (alphabet = all.filter((each) => kindOf(each) === kind)));
  }
  const moved = 1 + (noise % Math.max(1, alphabet.length - 1));
  return alphabet[(alphabet.indexOf(character) + moved) % alphabet.length]!;
}

export function wordsIn(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}
