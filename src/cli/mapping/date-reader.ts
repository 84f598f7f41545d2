import { failure } from '../../core/problem.ts';
import { isCalendarDate } from '../../core/values/calendar-date.ts';
import { clockOfInstant, dateInZone, parseInstant } from '../../core/values/instant.ts';
import {
  instantOfEpoch,
  instantsInZone,
  type Fold,
  type InstantFinder,
} from '../../core/values/local-time.ts';
import { datePattern, type DateParts, type DatePattern } from './date-format.ts';
import { Flawed } from './flawed.ts';
import { serialReading } from './serial-date.ts';

/** How the dates of a field are written. */
export interface DateSettings {
  /** What the field takes: a calendar date, or an instant. */
  readonly kind: 'date' | 'datetime';
  readonly formats: readonly string[];
  readonly timeZone: string | undefined;
  readonly fold: Fold | undefined;
  /** Time of day, `HH:MM:SS`, for formats without one. */
  readonly at: string | undefined;
  readonly century: number | undefined;
  /** Names of the months for `MMM`; the English ones when left out. */
  readonly months?: readonly string[] | undefined;
  readonly decimalMark: string;
}

/** What one format makes of a text. `shape`: it is not written in the format at all. */
export type DateReading =
  | { readonly value: string }
  | { readonly wrong: 'shape' | 'nonexistent' | 'skipped' | 'repeated' };

const SHAPE: DateReading = { wrong: 'shape' };
const NONEXISTENT: DateReading = { wrong: 'nonexistent' };

/** Reads a date or date-time by one of several formats; a text that two of them read differently is in none. */
export function dateReader(settings: DateSettings): (text: string) => string | Flawed {
  const zone = settings.timeZone === undefined ? undefined : instantsInZone(settings.timeZone);
  const readers = settings.formats.map((format) => readerOf(format, settings, zone));
  return (text) => {
    let best: DateReading = SHAPE;
    for (const read of readers) {
      const reading = read(text);
      if ('value' in best && 'value' in reading && best.value !== reading.value)
        return new Flawed(failure('date_ambiguous', [], { formats: namesOf(settings) }));
      if ('value' in reading || (!('value' in best) && reading.wrong !== 'shape')) best = reading;
    }
    return 'value' in best ? best.value : flaw(best.wrong, settings);
  };
}

function flaw(wrong: 'shape' | 'nonexistent' | 'skipped' | 'repeated', settings: DateSettings): Flawed {
  const zone = settings.timeZone ?? '';
  switch (wrong) {
    case 'shape':
      return new Flawed(failure('date_unreadable', [], { formats: namesOf(settings) }));
    case 'nonexistent':
      return new Flawed(failure('date_nonexistent', []));
    case 'skipped':
      return new Flawed(failure('time_skipped', [], { zone }));
    case 'repeated':
      return new Flawed(failure('time_repeated', [], { zone }));
    default:
      return wrong satisfies never;
  }
}

function namesOf({ formats, kind, timeZone }: DateSettings): string {
  const isoNeedsOffset = kind === 'datetime' && timeZone === undefined;
  return formats
    .map((format) => (format === 'iso' && isoNeedsOffset ? '`iso` with an offset' : `\`${format}\``))
    .join(' or ');
}

type Read = (text: string) => DateReading;

function readerOf(format: string, settings: DateSettings, zone: InstantFinder | undefined): Read {
  switch (format) {
    case 'iso':
      return isoReader(settings, zone);
    case 'excel_serial':
      return (text) => {
        const local = serialReading(text, settings);
        return typeof local === 'string'
          ? { wrong: local }
          : // A whole number is the midnight with which its day begins.
            inSettings({ time: settings.at ?? '00:00:00', ...local }, settings, zone);
      };
    case 'epoch_seconds':
      return epochReader(1000, settings);
    case 'epoch_milliseconds':
      return epochReader(1, settings);
    default:
      return patternReader(datePattern(format, settings.months) as DatePattern, settings, zone);
  }
}

function patternReader(pattern: DatePattern, settings: DateSettings, zone: InstantFinder | undefined): Read {
  return (text) => {
    const parts = pattern.parts(text, settings.century);
    return parts ? inSettings(localOf(parts), settings, zone) : SHAPE;
  };
}

const ISO =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(?<offset>Z|[+-]\d{2}:\d{2})?)?$/;

function isoReader(settings: DateSettings, zone: InstantFinder | undefined): Read {
  return (text) => {
    const found = ISO.exec(text)?.groups;
    if (!found) return SHAPE;
    const { date, time, offset } = found;
    // A date alone is a format of its own, and a reading without an offset needs a zone.
    if (settings.kind === 'datetime' && (time === undefined || (offset === undefined && !zone))) return SHAPE;
    return inSettings({ date: date!, time, offset }, settings, zone);
  };
}

function epochReader(factor: number, { kind, timeZone }: DateSettings): Read {
  return (text) => {
    if (!/^-?\d{1,15}$/.test(text)) return SHAPE;
    const epochMs = Number.parseInt(text, 10) * factor;
    const instant = instantOfEpoch(epochMs);
    if (instant === undefined) return NONEXISTENT;
    return { value: kind === 'datetime' ? instant : dateInZone(epochMs, timeZone ?? 'UTC') };
  };
}

/** A reading before it is known whether it exists; without a time it is a day. */
interface RawReading {
  readonly date: string;
  readonly time?: string | undefined;
  readonly offset?: string | undefined;
}

function localOf({ year, month, day, hour, minute, second, fraction, offset }: DateParts): RawReading {
  const date = `${year}-${month}-${day}`;
  if (hour === undefined) return { date };
  const seconds = `${second ?? '00'}${fraction === undefined ? '' : `.${fraction}`}`;
  return { date, time: `${hour}:${minute}:${seconds}`, offset };
}

function inSettings(
  { date, time, offset }: RawReading,
  { kind, at, fold, timeZone }: DateSettings,
  zone: InstantFinder | undefined,
): DateReading {
  if (!isCalendarDate(date) || (time !== undefined && !isTimeOfDay(time))) return NONEXISTENT;
  if (kind === 'date') {
    if (offset === undefined) return { value: date };
    const instant = parseInstant(`${date}T${time}${offset}`);
    if (instant === undefined) return NONEXISTENT;
    // A point in time is on one day where it was written, and maybe on another one where the customer is.
    return { value: timeZone === undefined ? date : dateInZone(clockOfInstant(instant), timeZone) };
  }
  const clock = time ?? at;
  if (clock === undefined) return SHAPE;
  if (offset !== undefined) {
    const instant = parseInstant(`${date}T${clock}${offset}`);
    return instant === undefined ? NONEXISTENT : { value: instant };
  }
  const found = zone!({ date, time: clock }, fold);
  return typeof found === 'string' ? { value: found } : { wrong: found.none };
}

/** `24:00` and a second 60 are times of no day that could be sent. */
function isTimeOfDay(time: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d/.test(time);
}
