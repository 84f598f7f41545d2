import { dayOf } from './calendar.ts';
import type { Day } from './calendar.ts';
import { decimal } from './decimal.ts';
import type { Row } from './csv.ts';

type TransactionType = 'CHARGE' | 'CREDIT' | 'PAYMENT' | 'REPAYMENT' | 'SUPPLY_CHARGE';

/** First and last day of all transactions. Both are inside the open statement period of the seed. */
export const FIRST_DAY = dayOf(2026, 1, 5);
export const LAST_DAY = dayOf(2026, 10, 31);

/** A transaction before it has its id, which depends on its position in the file. */
export interface Posting {
  readonly account: string;
  readonly day: Day;
  readonly type: TransactionType;
  readonly pence: bigint;
  /** Further cells of this type. */
  readonly cells: Row;
}

export function inPounds(pence: bigint): string {
  return decimal(pence, 2);
}

export function isInTime(posting: Posting): boolean {
  return posting.day >= FIRST_DAY && posting.day <= LAST_DAY;
}
