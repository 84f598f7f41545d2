/** A date and time as they are written, before it is known whether they exist. Without a time it is a day. */
export type WrittenTime = Readonly<{
  date: string;
  time?: string | undefined;
  /** `Z` or `+01:00`, also where the cell has `+0100` or `+01`. */
  offset?: string | undefined;
}>;

/** A format that is ready to read cells. */
export interface DatePattern {
  readonly hasTime: boolean;
  readonly hasOffset: boolean;
  readonly hasShortYear: boolean;
  /** The parts of a text that has the shape of the format; undefined for any other text. Short years get `century`. */
  parts(text: string, century: number | undefined): WrittenTime | undefined;
}

/** Formats that are not made of tokens. */
export const SPECIAL_FORMATS = ['iso', 'excel_serial', 'epoch_seconds', 'epoch_milliseconds'] as const;

/** The part and the pattern of each token. `M`, `d`, `H` and `h` match one digit or two, `MMM` the names of the months. */
const TOKENS: Readonly<Record<string, readonly [part: string, pattern: string]>> = {
  yyyy: ['year', '\\d{4}'],
  yy: ['shortYear', '\\d{2}'],
  MMM: ['monthName', ''],
  MM: ['month', '\\d{2}'],
  M: ['month', '\\d{1,2}'],
  dd: ['day', '\\d{2}'],
  d: ['day', '\\d{1,2}'],
  HH: ['hour', '\\d{2}'],
  H: ['hour', '\\d{1,2}'],
  hh: ['halfDayHour', '\\d{2}'],
  h: ['halfDayHour', '\\d{1,2}'],
  a: ['half', '[AaPp]\\.?[Mm]\\.?'],
  mm: ['minute', '\\d{2}'],
  ss: ['second', '\\d{2}'],
  SSS: ['fraction', '\\d{3}'],
  XXX: ['offset', 'Z|[+-]\\d{2}(?::?\\d{2})?'],
};

/** Programs write a no-break or a thin space between the parts of a date, too. */
const SPACE = String.raw`[ \u00A0\u2009\u202F]`;

/** A part in quotes (two quotes mean one), a run of one letter, or any other character. */
const PIECES = /'(?<quoted>(?:[^']|'')*)'|(?<run>(?<letter>[A-Za-z])\k<letter>*)|(?<other>[^A-Za-z'])/gu;

/** Reads a format such as `dd.MM.yyyy HH:mm`. @returns the pattern, or what is wrong with the format, as a sentence */
export function datePattern(format: string, months?: readonly string[]): DatePattern | string {
  const names = months?.map(inAnyCase) ?? ENGLISH;
  const parts = new Set<string>();
  let pattern = '';
  let length = 0;
  let isOpen = false;
  for (const { 0: piece, groups } of format.matchAll(PIECES)) {
    length += piece.length;
    const { quoted, run } = groups!;
    if (run === undefined) {
      isOpen = false;
      const text = quoted === '' ? "'" : (quoted?.replaceAll("''", "'") ?? piece);
      pattern += text === ' ' ? SPACE : literal(text);
      continue;
    }
    const token = Object.hasOwn(TOKENS, run) ? TOKENS[run] : undefined;
    if (!token) return `there is no token \`${run}\`; put text in single quotes`;
    if (parts.has(token[0])) return `\`${run}\` repeats another token`;
    // `11` and `1` behind each other are `1` and `11`, too.
    if (isOpen && run.length === 1 && run !== 'a')
      return `\`${run}\` needs a mark between it and the token of one letter before it`;
    isOpen ||= run.length === 1;
    parts.add(token[0]);
    pattern += `(?<${token[0]}>${run === 'MMM' ? names.join('|') : token[1]})`;
  }
  if (length !== format.length) return 'a single quote is not closed';
  const wrong = missingPart(parts) ?? wrongOrder([...parts]);
  return wrong ?? readyPattern(new RegExp(`^${pattern}$`, 'u'), parts, names);
}

function missingPart(parts: ReadonlySet<string>): string | undefined {
  const count = (...names: readonly string[]): number => names.filter((name) => parts.has(name)).length;
  const oneOf = (...names: readonly string[]): boolean => count(...names) === 1;
  if (!oneOf('year', 'shortYear')) return 'it needs one of `yyyy` and `yy`';
  if (!oneOf('month', 'monthName')) return 'it needs one of `MM`, `M` and `MMM`';
  if (!parts.has('day')) return 'it needs `dd` or `d`';
  if (count(...HOURS) > 1) return '`HH` counts to 24 and `hh` to 12: it needs one of them';
  if (parts.has('halfDayHour') !== parts.has('half')) return '`hh` and `a` (AM or PM) need each other';
  if (count(...HOURS) > 0 !== parts.has('minute')) return 'hours and minutes need each other';
  if (parts.has('second') && !parts.has('minute')) return 'seconds need minutes';
  if (parts.has('fraction') && !parts.has('second')) return '`SSS` needs `ss`';
  return parts.has('offset') && count(...HOURS) === 0 ? '`XXX` needs a time' : undefined;
}

/** The parts that tokens of hours fill. */
const HOURS = ['hour', 'halfDayHour'] as const;

/** `mm` for `MM` is the most common mistake. Minutes are then between days and years, or a month is after the hours. */
function wrongOrder(parts: readonly string[]): string | undefined {
  const [hour, minute] = [parts.findIndex((part) => /hour$/i.test(part)), parts.indexOf('minute')];
  return minute === hour + 1 || hour < 0
    ? undefined
    : 'minutes (`mm`) come right after hours (`HH`); the month is `MM`';
}

function readyPattern(pattern: RegExp, parts: ReadonlySet<string>, names: readonly string[]): DatePattern {
  const months = parts.has('monthName') ? names.map((name) => new RegExp(`^${name}$`, 'u')) : [];
  return {
    hasTime: parts.has('minute'),
    hasOffset: parts.has('offset'),
    hasShortYear: parts.has('shortYear'),
    parts(text, century) {
      const found = pattern.exec(text)?.groups;
      if (!found) return undefined;
      const { year, shortYear, month, monthName, day, minute, second = '00', fraction, offset } = found;
      const fullYear = year ?? String(century ?? 0).slice(0, -2) + shortYear!;
      const monthNumber = month ?? String(months.findIndex((name) => name.test(monthName!)) + 1);
      const date = `${fullYear}-${two(monthNumber)}-${two(day!)}`;
      const hour = found['hour'] ?? hourOf(found);
      if (hour === undefined) return { date };
      const seconds = fraction === undefined ? second : `${second}.${fraction}`;
      return { date, time: `${two(hour)}:${minute}:${seconds}`, offset: offset && withMinutes(offset) };
    },
  };
}

/** No day has it, so that `13:00 PM` is a time that does not exist. */
const NO_HOUR = '99';

/** The hour of 24 that an hour of 12 is: 12 AM is 00, and 12 PM is 12. */
function hourOf({ halfDayHour, half }: Readonly<Record<string, string | undefined>>): string | undefined {
  if (halfDayHour === undefined) return undefined;
  const hour = Number.parseInt(halfDayHour, 10);
  if (hour < 1 || hour > 12) return NO_HOUR;
  return String((hour % 12) + (/^p/i.test(half!) ? 12 : 0));
}

/** An offset as instants have it: `+01` and `+0100` are `+01:00`. */
function withMinutes(offset: string): string {
  return offset === 'Z' ? offset : `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '').padEnd(2, '0')}`;
}

const two = (digits: string): string => digits.padStart(2, '0');

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function inAnyCase(word: string): string {
  return Array.from(word, (letter) => {
    const spellings = new Set([letter, letter.toLowerCase(), letter.toUpperCase()]);
    return `(?:${[...spellings].map(literal).join('|')})`;
  }).join('');
}

/** Patterns of the months, unless a mapping has names of its own. Made once, because there are many formats. */
const ENGLISH = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map(
  inAnyCase,
);
