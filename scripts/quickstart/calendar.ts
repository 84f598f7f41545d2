/** A calendar day as the number of days since 1970-01-01, without zone and clock. */
export type Day = number;

const MS_PER_DAY = 86_400_000;

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Months count from 1. Month 13 is January of the next year, and day 0 is the last day of the month before. */
export function dayOf(year: number, month: number, dayOfMonth: number): Day {
  return Date.UTC(year, month - 1, dayOfMonth) / MS_PER_DAY;
}

/** `2026-01-05` */
export function isoDate(day: Day): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

/** `5 January 2026` */
export function spokenDate(day: Day): string {
  const date = new Date(day * MS_PER_DAY);
  return `${date.getUTCDate()} ${monthName(day)} ${date.getUTCFullYear()}`;
}

/** `January` */
export function monthName(day: Day): string {
  return MONTHS[monthOf(day) - 1] ?? '';
}

/** 1 to 12. */
export function monthOf(day: Day): number {
  return new Date(day * MS_PER_DAY).getUTCMonth() + 1;
}

/** The day itself, or the Monday after a weekend, because banks collect nothing at weekends. */
export function workingDayFrom(day: Day): Day {
  const weekday = new Date(day * MS_PER_DAY).getUTCDay();
  if (weekday === 6) return day + 2;
  return weekday === 0 ? day + 1 : day;
}
