import { Temporal } from 'temporal-polyfill';
import type { CalendarDate } from './calendar-date.ts';
import { parseInstant, type Instant } from './instant.ts';

/** A reading of a clock on a wall: `YYYY-MM-DD` and `HH:MM:SS`, with a fraction of at most nine digits or none. */
export interface LocalTime {
  readonly date: CalendarDate;
  readonly time: string;
}

/** Which of the two instants is meant when a clock shows a time twice. */
export type Fold = 'earlier' | 'later';

/** The instant, or why there is not just one: the clock was put forward over it, or back and shows it twice. */
export type ZonedReading = Instant | { readonly none: 'skipped' | 'repeated' };

/** Finds the instants of clock readings in one zone, such as `Europe/Berlin`. The readings must exist as such. */
export type InstantFinder = (local: LocalTime, fold: Fold | undefined) => ZonedReading;

/** Hours of which the offset is remembered: finding it costs ten times as much as all the rest. */
const REMEMBERED_HOURS = 10_000;

/** @throws RangeError when there is no such zone */
export function instantsInZone(timeZone: string): InstantFinder {
  Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone);
  const offsets = new Map<string, string | null>();
  return (local, fold) => {
    const hour = `${local.date}T${local.time.slice(0, 2)}`;
    let offset = offsets.get(hour);
    if (offset === undefined) {
      offset = offsetOfHour(hour, timeZone);
      if (offsets.size >= REMEMBERED_HOURS) offsets.clear();
      offsets.set(hour, offset);
    }
    return offset === null
      ? searched(local, timeZone, fold)
      : parseInstant(`${local.date}T${local.time}${offset}`)!;
  };
}

/** Whether there is such a time zone. */
export function isTimeZone(name: string): boolean {
  // The one that is asked about most often, and in each start: Temporal takes 3 ms to load.
  if (name === 'UTC') return true;
  try {
    instantsInZone(name);
    // An offset is no zone: it would be wrong for half of the year.
    return !/^[+-]/.test(name);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

/** The day with a number as spreadsheets count (1 is 1900-01-01), of the calendar; undefined for what no calendar has. */
export function dateOfSerial(serial: number): CalendarDate | undefined {
  // Spreadsheets count 1900-02-29, which never was, as day 60.
  if (!Number.isInteger(serial) || serial < 1 || serial === 60 || serial > 2_958_465) return undefined;
  return Temporal.PlainDate.from('1899-12-31')
    .add({ days: serial < 60 ? serial : serial - 1 })
    .toString();
}

/** Milliseconds of the years 1 to 9999, which a text with four digits of a year can have. */
const FIRST_MS = -62_135_596_800_000;
const LAST_MS = 253_402_300_799_999;

/** The instant so many milliseconds after 1970 began; undefined outside of the years that texts can have. */
export function instantOfEpoch(epochMs: number): Instant | undefined {
  if (!Number.isSafeInteger(epochMs) || epochMs < FIRST_MS || epochMs > LAST_MS) return undefined;
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toString();
}

/** The offset that holds for a whole hour; null when the clock is changed in it. */
function offsetOfHour(hour: string, timeZone: string): string | null {
  const [start, end] = ['00:00', '59:59'].map((rest) => bothInstants(`${hour}:${rest}`, timeZone));
  if (!isOne(start!) || !isOne(end!) || start!.earlier.offset !== end!.earlier.offset) return null;
  // Zones of long ago had offsets with seconds, which no instant text has.
  return /^[+-]\d{2}:\d{2}$/.test(start!.earlier.offset) ? start!.earlier.offset : null;
}

interface BothInstants {
  readonly earlier: Temporal.ZonedDateTime;
  readonly later: Temporal.ZonedDateTime;
}

function bothInstants(local: string, timeZone: string): BothInstants {
  const reading = Temporal.PlainDateTime.from(local);
  return {
    earlier: reading.toZonedDateTime(timeZone, { disambiguation: 'earlier' }),
    later: reading.toZonedDateTime(timeZone, { disambiguation: 'later' }),
  };
}

function isOne({ earlier, later }: BothInstants): boolean {
  return earlier.epochNanoseconds === later.epochNanoseconds;
}

function searched({ date, time }: LocalTime, timeZone: string, fold: Fold | undefined): ZonedReading {
  const local = `${date}T${time}`;
  const both = bothInstants(local, timeZone);
  if (isOne(both)) return both.earlier.toInstant().toString();
  // Of a time that was skipped both answers are other readings than the one asked for.
  if (!both.earlier.toPlainDateTime().equals(local)) return { none: 'skipped' };
  return fold === undefined ? { none: 'repeated' } : both[fold].toInstant().toString();
}
