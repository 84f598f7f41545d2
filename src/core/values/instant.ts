import { Temporal } from 'temporal-polyfill';
import { isCalendarDate, type CalendarDate } from './calendar-date.ts';

/** A point in time as UTC text: `YYYY-MM-DDTHH:MM:SSZ`, with a fraction only when there is one (interface.md 2.1). */
export type Instant = string;

const SHAPE =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/**
 * Parses an ISO 8601 date-time with its offset. Two spellings of one instant give the same text.
 * Undefined for anything else: no offset, `24:00:00`, second 60, a day that does not exist.
 */
export function parseInstant(text: string): Instant | undefined {
  const match = SHAPE.exec(text);
  if (!match || !isCalendarDate(match[1]!)) return undefined;
  // Most texts are written like this already, and Temporal takes 15 µs for each.
  if (text.length === 'YYYY-MM-DDTHH:MM:SSZ'.length) return text;
  return Temporal.Instant.from(text).toString();
}

/** The instant of a time in milliseconds since 1970, cut to whole seconds. */
export function instantOfClock(epochMs: number): Instant {
  return preciseInstantOfClock(epochMs).replace(/\.\d{3}Z$/, 'Z');
}

/** The instant of a time in milliseconds since 1970, always with three decimals, so that the texts sort like the times. */
export function preciseInstantOfClock(epochMs: number): Instant {
  // Without Temporal, which costs 2 ms of a start and some time of each request.
  return new Date(epochMs).toISOString();
}

/** Milliseconds since 1970 of an instant. */
export function clockOfInstant(instant: Instant): number {
  return Temporal.Instant.from(instant).epochMilliseconds;
}

/** The instant that follows another one by a number of seconds. */
export function secondsAfter(instant: Instant, seconds: number): Instant {
  return Temporal.Instant.from(instant).add({ seconds }).toString();
}

/** The calendar date of a time in milliseconds since 1970, in a zone such as `Europe/London`. */
export function dateInZone(epochMs: number, timeZone: string): CalendarDate {
  return Temporal.Instant.fromEpochMilliseconds(epochMs)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString();
}

/** Whether instant `a` lies before instant `b`. */
export function isBefore(a: Instant, b: Instant): boolean {
  return Temporal.Instant.compare(Temporal.Instant.from(a), Temporal.Instant.from(b)) < 0;
}

/** Whether two texts are instants of the same second; undefined when one of them is no instant. */
export function isSameSecond(a: string, b: string): boolean | undefined {
  const [first, second] = [parseInstant(a), parseInstant(b)];
  return first === undefined || second === undefined ? undefined : wholeSecond(first) === wholeSecond(second);
}

const wholeSecond = (instant: Instant): string => instant.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
