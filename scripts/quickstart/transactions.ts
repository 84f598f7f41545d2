import { SUPPLIER } from './accounts.ts';
import type { Account } from './accounts.ts';
import { adjustments } from './adjustments.ts';
import { isoDate } from './calendar.ts';
import type { Row } from './csv.ts';
import { diceFor } from './dice.ts';
import { payments, repayments } from './payments.ts';
import { inPounds } from './posting.ts';
import { supplyCharges } from './supply-charges.ts';

const LINE_ITEM_FIELDS = [
  'rate_band',
  'start_date',
  'end_date',
  'number_of_units',
  'price_per_unit',
  'net_amount',
  'units',
];

export const TRANSACTION_COLUMNS = [
  'import_supplier',
  'external_account_number',
  'transaction_id',
  'transaction_date',
  'type',
  'amount',
  'reason',
  'payment_type',
  'display_note',
  'note',
  'reference',
  'product_code',
  ...[0, 1].flatMap((index) => LINE_ITEM_FIELDS.map((field) => `line_items.${index}.${field}`)),
  'tax_items',
];

/** The transactions of all accounts, sorted by date, as a billing system exports them. Ids rise with the file, with gaps. */
export function makeTransactions(accounts: readonly Account[]): readonly Row[] {
  const dice = diceFor('transactions');
  const postings = accounts.flatMap((account) => {
    const bills = supplyCharges(account, dice);
    return [
      ...bills,
      ...payments(account, bills, dice),
      ...repayments(account, dice),
      ...adjustments(account, dice),
    ];
  });
  let id = 4_711;
  // Shuffled before the stable sort, so that the accounts of one day are in random order.
  const ordered = dice.shuffled(postings).sort((a, b) => a.day - b.day);
  return ordered.map((posting) => {
    id += dice.int(1, 9);
    return {
      import_supplier: SUPPLIER,
      external_account_number: posting.account,
      transaction_id: `BIL-2026-${String(id).padStart(7, '0')}`,
      transaction_date: isoDate(posting.day),
      type: posting.type,
      amount: inPounds(posting.pence),
      ...posting.cells,
    };
  });
}
