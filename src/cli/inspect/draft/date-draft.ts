import type { ColumnProfile, DateFormatFit } from '../column/profiled-column.ts';
import {
  decided,
  entryOf,
  open,
  valuesOf,
  type Draft,
  type DraftSetting,
  type FieldDraft,
  type FieldEntry,
} from './draft.ts';
import { shownName } from './draft-text.ts';
import { cellPattern } from '../column/cell-shape.ts';
import { DATE_FORMATS, type DateFormat } from '../column/date-formats.ts';

/** Keys of a field that say how its dates are written. */
export interface DateKeys {
  readonly format?: string | readonly string[];
  readonly century?: number;
  readonly time_zone?: string;
  readonly at?: string;
  readonly months?: readonly string[];
  readonly replace?: readonly { readonly pattern: string; readonly with: string }[];
}

type Target = 'date' | 'datetime';

/** Values that must decide whether the day or the month is first. A single value may be a typo. */
const ENOUGH = 2;
/** Zones that the answers begin with. A person may write any IANA name. */
const ZONES = ['Europe/London', 'Europe/Berlin', 'Australia/Sydney', 'Asia/Tokyo'] as const;
const CENTURIES = [2000, 1900] as const;
const NOON = '12:00:00';

/** Dates that count from an epoch. */
const SERIALS = [
  { digits: 5, format: 'excel_serial', what: 'days of a spreadsheet' },
  { digits: 10, format: 'epoch_seconds', what: 'seconds since 1970' },
  { digits: 13, format: 'epoch_milliseconds', what: 'milliseconds since 1970' },
] as const;

interface WrittenDate extends Pick<DateFormatFit, 'format' | 'kind' | 'hasShortYear' | 'hasOffset'> {
  readonly months?: readonly string[] | null;
  readonly replace?: DateKeys['replace'];
}

/** Reads CYYMMDD as yyyyMMdd. */
const CENTURY_DAYS: WrittenDate = {
  format: 'yyyyMMdd',
  kind: 'date',
  hasShortYear: false,
  hasOffset: false,
  replace: [
    { pattern: String.raw`^1(?=\d{6}$)`, with: '20' },
    { pattern: String.raw`^0(?=\d{6}$)`, with: '19' },
  ],
};

/** The draft of a date or a date-time. A date without a time may have its time in a column of its own. */
export function dateFieldDraft(column: ColumnProfile, target: Target, { columns }: DraftSetting): FieldDraft {
  const draft = dateDraft(column, target);
  if (draft.kind === 'decided') return { ...draft, value: entryOf(column, draft.value) };
  const time = target === 'datetime' ? timeColumnOf(column, columns) : undefined;
  const choices = draft.choices.map((keys) => entryOf(column, keys));
  if (!time) return { ...draft, choices };
  const because = `${draft.because} ${shownName(time.column.name)} has times of day, as ${time.format}`;
  return open([...joined(column, time, draft.choices), ...choices], because);
}

/** How a column writes its dates. @param target the kind of the field */
export function dateDraft(column: ColumnProfile, target: Target): Draft<DateKeys> {
  const values = valuesOf(column);
  const { dates } = column;
  const name = shownName(column.name);
  const [best, ...others] = dates?.formats ?? [];
  const months = dates?.months ?? null;
  const choicesOf = (formats: readonly DateFormatFit[]): readonly DateKeys[] =>
    formats.map((format) => firstChoice({ ...format, months }, target));
  if (dates !== null && dates.centuryDays === values && values >= ENOUGH) {
    const because = `all ${values} values of ${name} are days as CYYMMDD, with a 1 for years from 2000 on`;
    return withMissingKeys(CENTURY_DAYS, target, because);
  }
  const serial = SERIALS.find(({ digits }) => isOfDigits(column, digits));
  if (!best && serial && values >= ENOUGH) {
    const zone = target === 'datetime' && serial.format === 'excel_serial';
    const keys = { format: serial.format, ...(zone ? { time_zone: ZONES[0], at: NOON } : {}) };
    const because = `all ${values} values of ${name} are whole numbers of ${serial.digits} digits: do they count the ${serial.what}?`;
    // A second is on one day here and on another day there.
    const isSecond = target === 'date' && serial.format !== 'excel_serial';
    const choices: readonly DateKeys[] = isSecond
      ? ZONES.map((zone) => ({ ...keys, time_zone: zone }))
      : [keys];
    return open(choices, because);
  }
  if (values < ENOUGH) return open([], `${name} has ${values} values, too few to tell their format`);
  if (!best) return unreadDraft(column, target);
  const formats = [best, ...others];
  const complete = formats.filter(({ fits }) => fits === values);
  const divided = target === 'date' && complete.length === 0 ? pairDraft(column) : undefined;
  if (divided) return divided;
  if (complete.length === 0) {
    const lines = best.exceptions.lines.join(', ');
    const because = `${best.format} reads ${best.fits} of ${values} values of ${name}; which format are the others (first on line ${lines})?`;
    return open(choicesOf(formats), because);
  }
  const question = `does the day or the month come first in ${name}?`;
  const orders = new Set(complete.map(({ order }) => order));
  if (orders.size > 1)
    return open(choicesOf(complete), `${question} No value decides it: all ${values} can be read both ways`);
  const hasRival = complete[0]!.order !== null && others.some(({ order }) => order !== best.order);
  if (hasRival && dates!.decidingOrder < ENOUGH)
    return open(choicesOf(formats), `${question} Only one of ${values} values decides it`);
  const because = `${complete[0]!.format} reads all ${values} values of ${name}`;
  return withMissingKeys({ ...complete[0]!, months }, target, because);
}

/** The question about dates that no format reads, with the format that comes nearest and a way to cut off what it does not read. */
function unreadDraft(column: ColumnProfile, target: Target): Draft<DateKeys> {
  const asked = `in which format are the dates of ${shownName(column.name)}? None that is known reads most of its ${valuesOf(column)} values`;
  const [usual] = column.patterns;
  const nearest = usual && nearestFormat(usual.pattern);
  if (!nearest) return open([], usual ? `${asked}. Most look like \`${usual.pattern}\`` : asked);
  const { format, before, behind } = nearest;
  const unread = [
    ...(before === '' ? [] : [`\`${before}\` before it`]),
    ...(behind === '' ? [] : [`\`${behind}\` behind it`]),
  ];
  const because = `${asked}. Most look like \`${usual.pattern}\`. Nearest is \`${format.name}\`, which does not read ${unread.join(' and ')}`;
  const replace = [
    ...(before === '' ? [] : [{ pattern: `^.{${before.length}}`, with: '' }]),
    ...(behind === '' ? [] : [{ pattern: `.{${behind.length}}$`, with: '' }]),
  ];
  const { name, kind, hasShortYear, hasOffset } = format;
  return open(
    [{ replace, ...firstChoice({ format: name, kind, hasShortYear, hasOffset }, target) }],
    because,
  );
}

/** Two formats that divide the values of a column, each of which decides the order of its days and months by itself. */
function pairDraft({ dates, name }: ColumnProfile): Draft<DateKeys> | undefined {
  const [pair, ...others] = dates?.pairs ?? [];
  if (!pair || others.length > 0 || pair.some(({ hasShortYear }) => hasShortYear)) return undefined;
  const [one, other] = pair;
  const keys = { format: [one.format, other.format] };
  return decided(
    keys,
    `${one.format} reads ${one.fits} values of ${shownName(name)}, and ${other.format} the other ${other.fits}`,
  );
}

/** Whether all values of a column may count days or seconds from an epoch. */
export function mayBeSerial(column: ColumnProfile): boolean {
  return valuesOf(column) >= ENOUGH && SERIALS.some(({ digits }) => isOfDigits(column, digits));
}

function isOfDigits({ numbers, digitCounts, filled }: ColumnProfile, digits: number): boolean {
  return numbers?.integers === filled && digitCounts.length === 1 && digitCounts[0]!.digits === digits;
}

/** A format with the keys that it needs beside it, for a choice of formats. Zone and century are the first of several. */
function firstChoice(written: WrittenDate, target: Target): DateKeys {
  const { format, months, hasShortYear } = written;
  return {
    format,
    ...(months ? { months } : {}),
    ...(hasShortYear ? { century: CENTURIES[0] } : {}),
    ...zoneKeys(written, target, ZONES[0]),
  };
}

/** A date-time without an offset needs a zone, and so does the day of a moment, which has an offset. */
function zoneKeys({ kind, hasOffset }: WrittenDate, target: Target, zone: string): DateKeys {
  if ((target === 'datetime') === hasOffset) return {};
  if (target === 'date') return { time_zone: zone };
  return { time_zone: zone, ...(kind === 'date' ? { at: NOON } : {}) };
}

/** Adds the keys for what the format does not say, as choices: a century, a zone, a time of day. */
function withMissingKeys(written: WrittenDate, target: Target, because: string): Draft<DateKeys> {
  const { format, kind, hasShortYear, hasOffset, months, replace } = written;
  const keys: DateKeys = {
    ...(replace ? { replace } : {}),
    ...(format === (target === 'date' ? 'yyyy-MM-dd' : 'iso') ? {} : { format }),
    ...(months ? { months } : {}),
  };
  if (hasShortYear) {
    const zone = zoneKeys(written, target, ZONES[0]);
    const choices = CENTURIES.map((century) => ({ ...keys, century, ...zone }));
    return open(choices, `${because}; which century do the two digits of the year mean?`);
  }
  if ((target === 'datetime') === hasOffset) return decided(keys, because);
  const zones = target === 'date' ? ['UTC', ...ZONES] : ZONES;
  const choices = zones.map((zone) => ({ ...keys, ...zoneKeys(written, target, zone) }));
  const question = hasOffset
    ? 'these are moments: in which time zone is their day the one that is meant?'
    : kind === 'date'
      ? 'at what time of day, and in which zone, were they written?'
      : 'in which time zone was it written?';
  return open(choices, `${because}; ${question}`);
}

type TimeColumn = { readonly column: ColumnProfile; readonly format: string };

/** The nearest column with times of day. */
function timeColumnOf(date: ColumnProfile, columns: readonly ColumnProfile[]): TimeColumn | undefined {
  const distance = ({ column }: ColumnProfile): number => Math.abs(column - date.column);
  return columns
    .flatMap((column): readonly TimeColumn[] => {
      const format = timeFormatOf(column);
      return format === undefined ? [] : [{ column, format }];
    })
    .toSorted((a, b) => distance(a.column) - distance(b.column))[0];
}

/** The format that reads every value as a time of day; undefined when there is none. */
function timeFormatOf(column: ColumnProfile): string | undefined {
  const times = column.dates?.times ?? [];
  const count = times.reduce((total, each) => total + each.count, 0);
  if (count === 0 || count < valuesOf(column)) return undefined;
  const rests = new Set(times.map(({ format }) => format.replace(/^H+/, '')));
  if (rests.size > 1) return undefined;
  return `${times.some(({ format }) => !format.startsWith('HH')) ? 'H' : 'HH'}${[...rests][0]!}`;
}

/** Both columns as one text. A template cannot have braces in the name of a column. */
function joined(date: ColumnProfile, time: TimeColumn, choices: readonly DateKeys[]): readonly FieldEntry[] {
  const names = [date.name, time.column.name];
  if (names.some((name) => name === null || /[{}]/.test(name))) return [];
  return choices.flatMap(({ at, format, ...keys }): readonly FieldEntry[] =>
    at === undefined || typeof format !== 'string'
      ? []
      : [{ template: `{${names[0]}} {${names[1]}}`, format: `${format} ${time.format}`, ...keys }],
  );
}

/** A date format that reads a part of each cell, and the shapes of what is left unread. */
interface NearestFormat {
  readonly format: DateFormat;
  readonly before: string;
  readonly behind: string;
}

/** The format that reads most of a cell of this shape (`cellPattern`); undefined when no part of the shape is a date. */
function nearestFormat(pattern: string): NearestFormat | undefined {
  const shape = pattern.replaceAll(/(.)\{(\d+)\}/gu, (_, character: string, count: string) =>
    character.repeat(Number.parseInt(count, 10)),
  );
  let nearest: NearestFormat | undefined;
  for (const format of DATE_FORMATS) {
    if (format.name === 'iso') continue;
    const found = shapeOf(format).exec(shape);
    if (!found) continue;
    const before = shape.slice(0, found.index);
    const behind = shape.slice(found.index + found[0].length);
    if (!nearest || before.length + behind.length < nearest.before.length + nearest.behind.length)
      nearest = { format, before, behind };
  }
  return nearest;
}

/** The shapes of tokens, as regular expressions over shapes of cells. */
const TOKEN_SHAPES: Readonly<Record<string, string>> = {
  yyyy: '9999',
  yy: '99',
  MMM: '[Aa]{3}',
  MM: '99',
  M: '99?',
  dd: '99',
  d: '99?',
  HH: '99',
  H: '99?',
  hh: '99',
  h: '99?',
  a: '[Aa]{2}',
  mm: '99',
  ss: '99',
  SSS: '999',
  XXX: '(?:A|[+-]99(?::?99)?)',
};

/** A shape is made once, because every column without dates asks for all of them. */
const SHAPES = new WeakMap<DateFormat, RegExp>();

/** The shape of a format, as a regular expression over shapes of cells. */
function shapeOf(format: DateFormat): RegExp {
  const known = SHAPES.get(format);
  if (known) return known;
  const pattern = format.name.replaceAll(
    /'([^']*)'|([A-Za-z])\2*|([^A-Za-z'])/gu,
    (piece, quoted: string | undefined, letter: string | undefined) =>
      letter === undefined ? literal(cellPattern(quoted ?? piece)!) : TOKEN_SHAPES[piece]!,
  );
  const shape = new RegExp(`(?<![9Aa])${pattern}(?![9Aa])`, 'u');
  SHAPES.set(format, shape);
  return shape;
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
