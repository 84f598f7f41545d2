import { createHash } from 'node:crypto';
import { daysAfter, isCalendarDate } from '../../core/values/calendar-date.ts';
import { clockOfInstant } from '../../core/values/instant.ts';

export interface Disguise {
  /** Words that are no values: of the header, of the mapping, of the interface. */
  readonly kept: ReadonlySet<string>;
  /** Words, in lower case, that names are made of. Only a text that is a name, or several, keeps them, and its short numbers. */
  readonly names?: ReadonlySet<string>;
  /** Makes the replacements of one recording differ from those of another one. */
  readonly salt: string;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const YEAR = String.raw`(?<year>19\d\d|20\d\d)`;
const TIME = String.raw`(?<time>(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)`;
/** Texts that are a date, with a time of day or without. A date within a text is one of its words. */
const [YEAR_FIRST, YEAR_LAST] = [
  `${YEAR}(?<mark>[-/.]?)(?<month>0[1-9]|1[0-2])\\k<mark>(?<day>0[1-9]|[12]\\d|3[01])`,
  String.raw`(?<day>\d{1,2})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>${YEAR}`,
].map((source) => new RegExp(`^${source}${TIME}$`)) as [RegExp, RegExp];

type Parts = Readonly<Record<'year' | 'month' | 'day', string>>;

/** A date in its own form with other parts. Undefined for a text that is none, and where there are no other parts. */
function withOtherParts(text: string, other: (parts: Parts) => Parts | undefined): string | undefined {
  const groups = (YEAR_FIRST.exec(text) ?? YEAR_LAST.exec(text))?.groups;
  const parts = groups && other(groups as unknown as Parts);
  if (!parts) return undefined;
  const { year, month, day } = parts;
  return (
    (YEAR_FIRST.test(text) ? [year, month, day] : [day, month, year]).join(groups['mark']) + groups['time']
  );
}

/** Years by which dates of records move. A leap year stays one, and no date becomes a later one. */
const MOVED_YEARS = 4;

const moved = (parts: Parts): Parts => ({
  ...parts,
  year: String(Number.parseInt(parts.year, 10) - MOVED_YEARS),
});

/** A date some years earlier, as all dates of records and of seeds are in a disguise. Undefined for a text that is none. */
export const movedDate = (text: string): string | undefined => withOtherParts(text, moved);

/** Whoever was born later has no account. */
const LAST_BIRTH = '2010';
/** A prime number of days, which is not less than those from 1900 to 2010. */
const BIRTH_DAYS = 40_543;

/**
 * The text with other letters and digits of the same form. Equal words stay equal, zeros stay zeros, and punctuation stays,
 * so separators, quotes and lengths do, too. A date moves, and one that may be a birthday becomes any other day.
 */
export function disguised(text: string, { kept, names, salt }: Disguise): string {
  const date = withOtherParts(text, (parts) =>
    parts.year > LAST_BIRTH ? moved(parts) : anyDay(parts, salt),
  );
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

/** Another day for a day, and no two for one. None of them is a day to which a later date moves. */
function anyDay({ year, month, day }: Parts, salt: string): Parts | undefined {
  const date = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
  if (!isCalendarDate(date)) return undefined;
  const [from, to] = ['1900-01-01', date].map((each) => clockOfInstant(`${each}T00:00:00Z`)) as [
    number,
    number,
  ];
  const steps = 1 + (noiseOf(salt, 'steps') % (BIRTH_DAYS - 1));
  const days = (((to - from) / 86_400_000) * steps + noiseOf(salt, 'shift')) % BIRTH_DAYS;
  const other = daysAfter('1895-01-01', days);
  return { year: other.slice(0, 4), month: other.slice(5, 7), day: other.slice(8) };
}

/** Words of one letter are few, and a contract may keep most of them. */
const MOST_ROUNDS = 100;

const noiseOf = (...parts: readonly (string | number)[]): number =>
  createHash('sha256').update(parts.join('\0')).digest().readUInt32BE();

/**
 * The noise of a character depends on the characters after it alone, so two words of one form never become the same word: what differs
 * still differs.
 */
function replacement(word: string, salt: string): string {
  const characters = [...word];
  return characters
    .map((character, index) =>
      other(character, noiseOf(salt, characters.length, characters.slice(index + 1).join(''))),
    )
    .join('');
}

/** What a character can be, the narrowest first. A zero is none of it. */
const KINDS = [
  /[1-9]/,
  /[a-z]/,
  /[A-Z]/,
  /(?!0)\p{Nd}/u,
  /\p{Ll}/u,
  /\p{Lu}/u,
  /\p{M}/u,
  /(?!0)[\p{L}\p{N}]/u,
];
const kindOf = (character: string): number => KINDS.findIndex((kind) => kind.test(character));

/** A script has a block of characters, or some of them. */
const BLOCK = 128;

/** By the kind and the block. */
const alphabets = new Map<string, readonly string[]>();

function alphabetOf(kind: number, block: number): readonly string[] {
  const name = `${kind} ${block}`;
  const known = alphabets.get(name);
  if (known) return known;
  const all = Array.from({ length: BLOCK }, (_, at) => String.fromCodePoint(block * BLOCK + at));
  const alphabet = all.filter((each) => kindOf(each) === kind);
  alphabets.set(name, alphabet);
  return alphabet;
}

/** Another character of the same kind and script. One that is alone in its block becomes a Latin letter. */
function other(character: string, noise: number): string {
  const kind = kindOf(character);
  if (kind < 0) return character;
  const own = alphabetOf(kind, Math.floor(character.codePointAt(0)! / BLOCK));
  const alphabet = own.length > 1 ? own : alphabetOf(1, 0);
  const moved = 1 + (noise % (alphabet.length - 1));
  return alphabet[(alphabet.indexOf(character) + moved) % alphabet.length]!;
}

export function wordsIn(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}
