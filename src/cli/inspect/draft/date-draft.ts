import type { ColumnProfile } from '../column/column-profile.ts';
import type { DateFormatFit } from '../column/dates.ts';
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

/** Keys of a field that say how its dates are written. */
export interface DateKeys {
  readonly format?: string | readonly string[];
  readonly century?: number;
  readonly time_zone?: string;
  readonly at?: string;
}

type Target = 'date' | 'datetime';

/** Values that must decide whether the day or the month is first. A single value may be a typo. */
const ENOUGH = 2;
/** Zones that the answers begin with. A person may write any IANA name. */
const ZONES = ['Europe/London', 'Europe/Berlin', 'Australia/Sydney', 'Asia/Tokyo'];
const NOON = '12:00:00';

/** Dates that count from an epoch. */
const SERIALS = [
  { digits: 5, format: 'excel_serial', what: 'days of a spreadsheet' },
  { digits: 10, format: 'epoch_seconds', what: 'seconds since 1970' },
  { digits: 13, format: 'epoch_milliseconds', what: 'milliseconds since 1970' },
] as const;

/** The draft of a date or a date-time. A date without a time may have its time in a column of its own. */
export function dateFieldDraft(column: ColumnProfile, target: Target, { columns }: DraftSetting): FieldDraft {
  const draft = dateDraft(column, target);
  const choices = draft.choices.map((keys) => entryOf(column, keys));
  if (!draft.isOpen || target === 'date') return { ...draft, choices };
  const distance = (other: ColumnProfile): number => Math.abs(other.column - column.column);
  const [time] = draft.choices.some(({ at }) => at !== undefined)
    ? columns.filter(({ dates }) => dates?.time).toSorted((a, b) => distance(a) - distance(b))
    : [];
  const said = time ? ` ${shownName(time.name)} has times of day, as ${time.dates!.time}.` : '';
  const zones = columns.filter(({ name, distinct }) => ZONE.test(name) && distinct.count > 1);
  const names = zones.map(
    ({ name }) => ` ${shownName(name)} has several values: one zone may be wrong for some rows.`,
  );
  const both = time ? joined(column, time, draft.choices) : [];
  return open([...both, ...choices], `${draft.because}${said}${names.join('')}`);
}

/** A header of time zones. */
const ZONE = /zone|\btz\b|\butc\b|offset/i;

/** How a column writes its dates. @param target the kind of the field */
export function dateDraft(column: ColumnProfile, target: Target): Draft<DateKeys> {
  const values = valuesOf(column);
  const name = shownName(column.name);
  const { formats = [], decidingOrder = 0 } = column.dates ?? {};
  const choicesOf = (some: readonly DateFormatFit[]): readonly DateKeys[] =>
    some.flatMap((format) => readings(format, target).choices);
  if (values === 0) return decided({}, `${name} has no values`);
  if (values < ENOUGH) return open([], `${name} has ${values} values, too few to tell their format`);
  const [best] = formats;
  if (!best) return serialDraft(column, target);
  const complete = formats.filter(({ fits }) => fits === values);
  const [first] = complete;
  if (!first) {
    const because = `${best.format} reads ${best.fits} of ${values} values of ${name}; which format are the others (first on line ${best.firstException})?${best.format.includes('MMM') ? ' Names of months that are not English go under `months`.' : ''}`;
    return open(choicesOf(formats), because);
  }
  const question = `does the day or the month come first in ${name}?`;
  if (new Set(complete.map(({ order }) => order)).size > 1)
    return open(choicesOf(complete), `${question} No value decides it: all ${values} can be read both ways`);
  const hasRival = first.order !== null && formats.some(({ order }) => order !== first.order);
  if (hasRival && decidingOrder < ENOUGH)
    return open(choicesOf(formats), `${question} Only one of ${values} values decides it`);
  const because = `${first.format} reads all ${values} values of ${name}`;
  if (target === 'date' && first.timed > 0 && !first.hasOffset)
    return open(
      choicesOf([first]),
      `${because}; the field has no time of day, so the times of ${first.timed} values are lost: is it this date?`,
    );
  const { choices, question: missing } = readings(first, target);
  if (missing === '') return decided(choices[0]!, because);
  return open(choices, `${because}; ${missing}`);
}

function serialDraft(column: ColumnProfile, target: Target): Draft<DateKeys> {
  const serial = serialOf(column);
  const [name, values] = [shownName(column.name), valuesOf(column)];
  if (!serial)
    return open(
      [],
      `in which format are the dates of ${name}? None that is known reads most of its ${values} values. Names of months that are not English go under \`months\``,
    );
  const { format, digits, what } = serial;
  const isDay = format === 'excel_serial';
  const at = target === 'datetime' ? { at: NOON } : {};
  // A day begins at another moment here and there, and a second is on another day.
  const needsZone = (target === 'datetime') === isDay;
  const choices = needsZone ? ZONES.map((zone) => ({ format, time_zone: zone, ...at })) : [{ format }];
  return open(
    choices,
    `all ${values} values of ${name} are whole numbers of ${digits} digits: do they count the ${what}?`,
  );
}

/** The epoch from which all values of a column may count; undefined when they may not. */
function serialOf({ kinds, lengths }: ColumnProfile): (typeof SERIALS)[number] | undefined {
  const isWhole = kinds.every(({ kind }) => kind === 'integer') && lengths.shortest === lengths.longest;
  return SERIALS.find(({ digits }) => isWhole && lengths.longest === digits);
}

/** Whether all values of a column may count days or seconds from an epoch. */
export const mayBeSerial = (column: ColumnProfile): boolean =>
  valuesOf(column) >= ENOUGH && serialOf(column) !== undefined;

/** The keys for a format, as choices where the format leaves a century, a zone or a time of day open, and the question then. */
function readings(
  { format, kind, hasShortYear, hasOffset }: DateFormatFit,
  target: Target,
): { readonly choices: readonly DateKeys[]; readonly question: string } {
  const isUsual = format === (target === 'date' ? 'yyyy-MM-dd' : 'iso');
  const all = isUsual ? {} : { format };
  const needsZone = (target === 'datetime') !== hasOffset;
  const at = target === 'datetime' && kind === 'date' ? { at: NOON } : {};
  const zones = (target === 'date' ? ['UTC', ...ZONES] : ZONES).map((zone) => ({ time_zone: zone, ...at }));
  const centuries = hasShortYear ? [2000, 1900].map((century) => ({ ...all, century })) : [all];
  const choices = needsZone
    ? centuries.flatMap((keys) => zones.map((zone) => ({ ...keys, ...zone })))
    : centuries;
  const century = hasShortYear ? ['which century do the two digits of the year mean?'] : [];
  const zone = hasOffset
    ? 'these are moments: in which time zone is their day the one that is meant?'
    : kind === 'date'
      ? 'at what time of day, and in which zone, were they written?'
      : 'in which time zone, such as Europe/Paris, was it written?';
  return { choices, question: [...century, ...(needsZone ? [zone] : [])].join(' ') };
}

/** Both columns as one text. A template cannot have braces in the name of a column. */
function joined(
  date: ColumnProfile,
  time: ColumnProfile,
  choices: readonly DateKeys[],
): readonly FieldEntry[] {
  if (/[{}]/.test(date.name + time.name)) return [];
  return choices.flatMap(({ at, format = 'yyyy-MM-dd', ...keys }): readonly FieldEntry[] =>
    at === undefined || typeof format !== 'string' || !format.includes('yy')
      ? []
      : [{ template: `{${date.name}} {${time.name}}`, format: `${format} ${time.dates!.time}`, ...keys }],
  );
}
