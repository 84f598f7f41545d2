import type { Transaction } from '../contract/transaction.ts';
import { noteOfMove, type StatementPeriod } from '../contract/period-move.ts';
import { nearestDay, type CalendarDate } from '../values/calendar-date.ts';

/** A transaction that was moved into the open period. */
export interface PeriodMove {
  readonly transaction: Transaction;
  /** Body of the note that is pinned to the account. */
  readonly noteBody: string;
}

/** The field of a moved transaction with the description of the move. */
export const descriptionFieldOf = (type: Transaction['type']): 'note' | 'display_note' =>
  type === 'SUPPLY_CHARGE' ? 'display_note' : 'note';

/** Without a known period every date is inside. */
export function isInsideOpenStatement(date: CalendarDate, period: StatementPeriod | undefined): boolean {
  return period === undefined || (date >= period.from && date <= period.to);
}

/**
 * Moves a transaction to the nearest day of the open period and describes the move (interface.md 4.3).
 */
export function moveIntoOpenStatement(transaction: Transaction, period: StatementPeriod): PeriodMove {
  const from = transaction.transaction_date;
  const to = nearestDay(from, period);
  const description = `Date changed from ${from} to ${to}: outside the open statement period.`;
  const field = descriptionFieldOf(transaction.type);
  const present = transaction[field];
  return {
    transaction: {
      ...transaction,
      transaction_date: to,
      [field]: present ? `${present} ${description}` : description,
    },
    noteBody: noteOfMove(transaction.transaction_id, from, to, period),
  };
}
