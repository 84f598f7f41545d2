/** A day of the Gregorian calendar as `YYYY-MM-DD` (interface.md 2.1); the texts sort like the days. */
export type CalendarDate = string;

/** Whether the text is exactly `YYYY-MM-DD` and the day exists (no 2023-02-29, no year 0000). */
export function isCalendarDate(text: string): boolean {
  if (text.length !== 'yyyy-mm-dd'.length || text[4] !== '-' || text[7] !== '-') return false;
  const [year, month, day] = [digitsIn(text, 0, 4), digitsIn(text, 5, 7), digitsIn(text, 8, 10)];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** The day of the span `from` to `to`, both included, that is nearest to `date`. */
export function nearestDay(date: CalendarDate, span: { from: CalendarDate; to: CalendarDate }): CalendarDate {
  if (date < span.from) return span.from;
  return date > span.to ? span.to : date;
}

/** The same day so many years later; 1 March after a 29 February. */
export function yearsAfter(date: CalendarDate, years: number): CalendarDate {
  const next = `${String(integer(date.slice(0, 4)) + years).padStart(4, '0')}${date.slice(4)}`;
  return isCalendarDate(next) ? next : `${next.slice(0, 4)}-03-01`;
}

const DAY_MS = 86_400_000;

/** The day so many days later, or earlier when the number is negative. */
export function daysAfter(date: CalendarDate, days: number): CalendarDate {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The number between two places of a text; NaN, which no bound accepts, when something there is no digit. */
function digitsIn(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    number = digit >= 0 && digit <= 9 ? number * 10 + digit : NaN;
  }
  return number;
}

const integer = (digits: string): number => Number(digits);
