import type { CalendarDate } from '../values/calendar-date.ts';

/** The open statement period of an account. Both days belong to it. */
export type StatementPeriod = { readonly from: CalendarDate; readonly to: CalendarDate };

/** Body of the note that the local platform pins to the account (interface.md 4.3). */
export function noteOfMove(
  id: string,
  from: CalendarDate,
  to: CalendarDate,
  period: StatementPeriod,
): string {
  return `Transaction ${id} was dated ${from}, outside the open statement period ${period.from} to ${period.to}; it was added with the date ${to}.`;
}

const DAY = String.raw`(\d{4}-\d{2}-\d{2})`;
const NOTE = new RegExp(
  `^Transaction (.+) was dated ${DAY}, outside the open statement period ${DAY} to ${DAY}; it was added with the date ${DAY}\\.$`,
  's',
);

/** The move that such a note reports. Undefined for another text, and for a date that the period does not have. */
export function moveInNote(body: string): Readonly<Record<'id' | 'from' | 'to', string>> | undefined {
  const [, id, from, first, last, to] = NOTE.exec(body) ?? [];
  if (id === undefined || to! < first! || to! > last!) return undefined;
  return { id, from: from!, to: to! };
}
