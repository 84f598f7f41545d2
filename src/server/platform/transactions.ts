import type { Transaction } from '../../core/contract/transaction.ts';
import { failure, type Problem } from '../../core/problem.ts';
import { transactionIdentity } from '../../core/rules/record-identity.ts';
import { rule } from '../../core/rules/rule.ts';
import { isInsideOpenStatement, moveIntoOpenStatement } from '../../core/rules/statement-period.ts';
import { withPlaces } from '../../core/values/decimal.ts';
import type { StoredAccount } from '../store/accounts.ts';
import type { RecordPlace } from '../store/records.ts';
import { chargedAlready } from './charged-periods.ts';
import { checkAsPlatform, type RecordCheck } from './checked-record.ts';
import { isConflictingReplay } from './conflicting-replay.ts';
import { addNote } from './notes.ts';
import type { Platform } from './platform.ts';
import { hasProduct } from './product-codes.ts';

/** What all transactions of a request share. */
export interface TransactionSetting {
  readonly account: StoredAccount;
  readonly check: RecordCheck;
  /** The query parameters (interface.md 4.3). */
  readonly flags: {
    readonly check_previously_added: boolean;
    readonly force_add_to_current_statement: boolean;
  };
}

/** What became of one transaction; `data` is its JSON text as the platform holds it. */
export type TransactionOutcome =
  | { readonly kind: 'added' | 'existing'; readonly data: string }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

export const addTransaction = rule(
  {
    name: 'add-transaction',
    authority: 'documented',
    source: 'interface.md 4.3; a repeated id: emulator.md',
    says: 'A transaction is checked, skipped when it was added before, refused or moved when outside the open statement, and added.',
    tested:
      'server/routes/transactions › 3.3: a transaction added earlier is skipped and shown as it is stored, marked TRANSACTION_IMPORT_SUCCESS',
  },
  (
    candidate: unknown,
    { account, check, flags }: TransactionSetting,
    platform: Platform,
  ): TransactionOutcome => {
    const { record, problems } = checkAsPlatform('transactions', candidate, check);
    if (!record) return { kind: 'refused', problems };
    const sent = transactionText(record);
    const place = {
      accountId: account.id,
      kind: 'transaction',
      key: transactionIdentity(record).key,
    } as const;

    // Before the rules that look at what the operator can change: a request repeated word for word finds what it added.
    if (flags.check_previously_added) {
      const present = platform.store.records.at({ ...place, variant: '' });
      if (present) {
        if (isConflictingReplay(present.sent, sent)) platform.store.records.countConflict(present.seq);
        return { kind: 'existing', data: present.data };
      }
    }
    if (!hasProduct(record, platform))
      return refused([failure('product_code_does_not_exist', ['product_code'])]);
    if (platform.behaviour.rules.includes('line_items_overlap_already_charged_period')) {
      const problems = chargedAlready(record, account, platform);
      if (problems.length > 0) return refused(problems);
    }

    const period = account.openStatement;
    const variant = flags.check_previously_added ? '' : freeVariant(place, platform);
    if (period === undefined || isInsideOpenStatement(record.transaction_date, period)) {
      return added({ ...place, variant, data: sent }, platform);
    }
    if (!flags.force_add_to_current_statement) {
      return refused([failure('transaction_outside_open_statement', ['transaction_date'], { ...period })]);
    }
    const move = moveIntoOpenStatement(record, period);
    const data = transactionText(move.transaction);
    const outcome = added({ ...place, variant, data, sent }, platform);
    addNote(account, { body: move.noteBody, is_pinned: true }, platform);
    return outcome;
  },
);

/** The amount as text with two decimals, as it is answered (interface.md 2.4); other numbers as they were sent. */
function transactionText(transaction: Transaction): string {
  return JSON.stringify({ ...transaction, amount: withPlaces(transaction.amount, 2) });
}

/** '' for the first transaction of an id; those added again without the check are numbered. */
function freeVariant(place: Omit<RecordPlace, 'variant'>, { store }: Platform): string {
  const before = store.records.countOf(place);
  return before === 0 ? '' : String(before);
}

function added(
  record: RecordPlace & { readonly data: string; readonly sent?: string },
  { store }: Platform,
): TransactionOutcome {
  // Cannot happen inside the request's own transaction; if it did, answering "added" would be a lie.
  if (!store.records.add(record)) throw new Error('the place of a new transaction is taken');
  return { kind: 'added', data: record.data };
}

function refused(problems: readonly Problem[]): TransactionOutcome {
  return { kind: 'refused', problems };
}
