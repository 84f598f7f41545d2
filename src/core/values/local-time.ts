import { Temporal } from 'temporal-polyfill';
import { daysAfter, type CalendarDate } from './calendar-date.ts';
import { parseInstant, type Instant } from './instant.ts';

/** A wall-clock time: `YYYY-MM-DD` and `HH:MM:SS`, with a fraction of at most nine digits or none. */
export type LocalTime = { readonly date: CalendarDate; readonly time: string };

/** The instant that is meant when the clock shows a time twice. */
export type Fold = 'earlier' | 'later';

/** The instant, or why there is not exactly one: clocks were put forward over the time, or back, so it occurs twice. */
export type ZonedInstant = Instant | { readonly none: 'skipped' | 'repeated' };

/** Finds the instant of a wall-clock time in one zone, such as `Europe/Berlin`. Date and time must be valid. */
export type InstantFinder = (local: LocalTime, fold: Fold | undefined) => ZonedInstant;

/** Hours whose offsets are cached: finding an offset costs ten times as much as everything else. */
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

/** The day of a spreadsheet's serial number (1 is 1900-01-01); undefined for a number without a day. */
export function dateOfSerial(serial: number): CalendarDate | undefined {
  // Day 60 of spreadsheets is 1900-02-29, which never existed.
  if (!Number.isInteger(serial) || serial < 1 || serial === 60 || serial > 2_958_465) return undefined;
  return daysAfter('1899-12-31', serial < 60 ? serial : serial - 1);
}

/** Milliseconds of the years 1 to 9999, which fit into four digits. */
const FIRST_MS = -62_135_596_800_000;
const LAST_MS = 253_402_300_799_999;

/** The instant of a time in milliseconds since 1970; undefined outside of the years 1 to 9999. */
export function instantOfEpoch(epochMs: number): Instant | undefined {
  if (!Number.isSafeInteger(epochMs) || epochMs < FIRST_MS || epochMs > LAST_MS) return undefined;
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toString();
}

/** The offset during a whole hour; null when clocks change in that hour. */
function offsetOfHour(hour: string, timeZone: string): string | null {
  const [start, end] = ['00:00', '59:59'].map((rest) => bothInstants(`${hour}:${rest}`, timeZone));
  if (!isOne(start!) || !isOne(end!) || start!.earlier.offset !== end!.earlier.offset) return null;
  // Historic zones had offsets with seconds, which the text of an instant cannot have.
  return /^[+-]\d{2}:\d{2}$/.test(start!.earlier.offset) ? start!.earlier.offset : null;
}

type BothInstants = { readonly earlier: Temporal.ZonedDateTime; readonly later: Temporal.ZonedDateTime };

function bothInstants(local: string, timeZone: string): BothInstants {
  const wallClock = Temporal.PlainDateTime.from(local);
  return {
    earlier: wallClock.toZonedDateTime(timeZone, { disambiguation: 'earlier' }),
    later: wallClock.toZonedDateTime(timeZone, { disambiguation: 'later' }),
  };
}

function isOne({ earlier, later }: BothInstants): boolean {
  return earlier.epochNanoseconds === later.epochNanoseconds;
}

function searched({ date, time }: LocalTime, timeZone: string, fold: Fold | undefined): ZonedInstant {
  const local = `${date}T${time}`;
  const both = bothInstants(local, timeZone);
  if (isOne(both)) return both.earlier.toInstant().toString();
  // For a skipped time, both candidates show another wall-clock time than the one asked for.
  if (!both.earlier.toPlainDateTime().equals(local)) return { none: 'skipped' };
  return fold === undefined ? { none: 'repeated' } : both[fold].toInstant().toString();
}
