import { isCalendarDate } from './calendar-date.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const IMF_FIXDATE =
  /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60) GMT$/;

/** Milliseconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that may be sent (RFC 9110, 5.6.7). */
export function httpDateMs(text: string): number | undefined {
  const match = IMF_FIXDATE.exec(text);
  const month = MONTHS.indexOf(match?.[2] ?? '');
  if (!match || month < 0) return undefined;
  // Date.UTC turns a day that does not exist into a day of the next month.
  if (!isCalendarDate(`${match[3]}-${String(month + 1).padStart(2, '0')}-${match[1]}`)) return undefined;
  const [day, year, hour, minute, second] = [match[1], match[3], match[4], match[5], match[6]].map(Number);
  return Date.UTC(year!, month, day, hour, minute, second);
}

/** The same form of a time in milliseconds since 1970, cut to whole seconds. */
export function httpDateOf(epochMs: number): string {
  return new Date(epochMs).toUTCString();
}
