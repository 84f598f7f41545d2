import type { Transaction } from '../contract/transaction.ts';
import { nearestDay, type CalendarDate } from '../values/calendar-date.ts';
import { rule } from './rule.ts';

/** The open statement period of an account, both days inside. */
export interface StatementPeriod {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** A transaction moved into the open period, and what tells of it. */
export interface PeriodMove {
  readonly transaction: Transaction;
  /** Body of the note that is pinned to the account. */
  readonly noteBody: string;
}

export const isInsideOpenStatement = rule(
  {
    name: 'open-statement-period',
    authority: 'documented',
    source: 'interface.md 4.3; no known period: emulator.md',
    says: 'A transaction is inside the open statement period when its date is one of its days; without a known period every date is inside.',
    tested:
      'server/platform/open-statement › 4.3: outside the open statement and not forced, it fails and says why',
    codes: ['transaction_outside_open_statement'],
  },
  (date: CalendarDate, period: StatementPeriod | undefined): boolean =>
    period === undefined || (date >= period.from && date <= period.to),
);

export const moveIntoOpenStatement = rule(
  {
    name: 'move-into-open-statement',
    authority: 'documented',
    source: 'interface.md 4.3; nearest day and field of the description: emulator.md',
    says: 'With force_add_to_current_statement a transaction outside the open period gets the nearest day of it, a description of this, and a pinned note on the account.',
    tested:
      'server/platform/open-statement › 4.3: dated $sent, outside the open statement, it is moved to $moved, described, and a note is pinned',
  },
  (transaction: Transaction, period: StatementPeriod): PeriodMove => {
    const from = transaction.transaction_date;
    const to = nearestDay(from, period);
    const description = `Date changed from ${from} to ${to}: outside the open statement period.`;
    const field = transaction.type === 'SUPPLY_CHARGE' ? 'display_note' : 'note';
    const present = transaction[field];
    return {
      transaction: {
        ...transaction,
        transaction_date: to,
        [field]: present ? `${present} ${description}` : description,
      },
      noteBody: `Transaction ${transaction.transaction_id} was dated ${from}, outside the open statement period ${period.from} to ${period.to}; it was added with the date ${to}.`,
    };
  },
);
