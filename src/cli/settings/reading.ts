import type { ErrorCode } from '../../core/error-codes/table.ts';
import { isCalendarDate, type CalendarDate } from '../../core/values/calendar-date.ts';

/** What became of the text of a flag, a variable or a key in a file. */
export type Reading<T> =
  | { readonly value: T }
  /** `reason` completes "is wrong: …" and never repeats the text; `code` when the table has a code of its own for it. */
  | { readonly reason: string; readonly code?: ErrorCode };

/** Reads the text of a value. Settings are texts wherever they come from, so each has exactly one reader. */
export type Reader<T> = (text: string) => Reading<T>;

/** A whole number from `min` (1) to `max`, in digits only: `0`, `-1`, `1.5`, `1e9` and the empty text are wrong. */
export function count({ min = 1, max }: { readonly min?: number; readonly max: number }): Reader<number> {
  return (text) => {
    // More digits than a float holds exactly are beyond any maximum anyway.
    const value = /^\d{1,15}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
    return value >= min && value <= max
      ? { value }
      : { reason: `it must be a whole number from ${min} to ${max}` };
  };
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Longest span that a timer of Node takes, 2^31 - 1 ms, rounded down to whole hours. */
const MAX_HOURS = 596;

/** A span of time such as `500ms`, `30s`, `15m` or `2h`, in milliseconds. */
export const duration: Reader<number> = (text) => {
  const match = /^(\d{1,9})(ms|s|m|h)$/.exec(text);
  if (!match) return { reason: 'it must be a span of time such as 500ms, 30s, 15m or 2h' };
  const value = Number.parseInt(match[1]!, 10) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
  return value >= 1 && value <= MAX_HOURS * UNIT_MS.h
    ? { value }
    : { reason: `it must be from 1ms to ${MAX_HOURS}h` };
};

/** A span of time for what counts in seconds, in seconds: a token says in whole ones when it ends. */
export const wholeSeconds: Reader<number> = (text) => {
  const reading = duration(text);
  return 'value' in reading && reading.value % UNIT_MS.s === 0
    ? { value: reading.value / UNIT_MS.s }
    : { reason: `it must be whole seconds from 1s to ${MAX_HOURS}h, such as 90s, 15m or 2h` };
};

/** Text that is not blank and holds no control characters. */
export const plainText: Reader<string> = (text) => {
  if (text.trim() === '') return { reason: 'it is empty' };
  return /\p{Cc}/u.test(text) ? { reason: 'it contains control characters' } : { value: text };
};

/** A name as programs have them: letters, digits and underscores. */
export const identifier: Reader<string> = (text) =>
  /^[A-Za-z_]\w*$/.test(text)
    ? { value: text }
    : { reason: 'it must be a name of letters, digits and underscores' };

/** A path below the base URL. */
export const urlPath: Reader<string> = (text) =>
  /^\/[\w\-./~]*$/.test(text) ? { value: text } : { reason: 'it must be a path that begins with /' };

/** A day such as `1970-01-01`. */
export const calendarDate: Reader<CalendarDate> = (text) =>
  isCalendarDate(text) ? { value: text } : { reason: 'it must be a day such as 1970-01-01' };

/** A time zone such as `Europe/London`. */
export const timeZone: Reader<string> = (text) => {
  // The default needs no look at the zones of the world, which takes half as long as Node's own start.
  if (text === 'UTC') return { value: text };
  // An offset is no zone: it would be wrong for half of the year.
  if (/^[+-]/.test(text)) return { reason: 'it must be a time zone such as Europe/London, not an offset' };
  try {
    return { value: new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone };
  } catch {
    return { reason: 'it must be a time zone such as Europe/London' };
  }
};
