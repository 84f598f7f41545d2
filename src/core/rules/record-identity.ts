import type { Note } from '../contract/note.ts';
import type { PaymentInstruction } from '../contract/payment-instruction.ts';
import type { Statement } from '../contract/statement.ts';
import type { Transaction } from '../contract/transaction.ts';
import { parseInstant, type Instant } from '../values/instant.ts';
import { rule } from './rule.ts';

/** What makes a record "the same" on one account. `variant` tells apart records of one `key` that may both exist. */
export interface RecordIdentity {
  readonly key: string;
  readonly variant: string | undefined;
}

/**
 * A note with `created_at` is the same as one with the same content and instant; a note without is the same as any
 * with the same content, so its variant is undefined.
 */
export const noteIdentity = rule(
  {
    name: 'note-identity',
    authority: 'documented',
    source: 'interface.md 4.2, rule 3; without a body: emulator.md',
    says: 'A note exists already when the account has one with the same body (without a body: the same document paths) and, when provided, the same created_at as an instant.',
    tested: 'server/routes/notes › 3.3: of one body, $order: $created notes',
  },
  (note: Note): RecordIdentity & { readonly variant: Instant | undefined } => {
    const body = note.body ?? '';
    const documents = (note.document_paths ?? []).map((document) => document.document_path);
    return {
      key: JSON.stringify(body === '' ? [body, documents] : [body]),
      variant: note.created_at === undefined ? undefined : parseInstant(note.created_at),
    };
  },
);

export const transactionIdentity = rule(
  {
    name: 'transaction-identity',
    authority: 'chosen',
    source: 'emulator.md, "Decisions where the interface is silent" (interface.md 3.3 names no key)',
    says: 'A transaction exists already when the account has one with the same transaction_id, whatever its content.',
    tested:
      'server/routes/transactions › silent: ids are told apart by case, spaces and Unicode form, and by account',
  },
  (transaction: Transaction): RecordIdentity => ({ key: transaction.transaction_id, variant: undefined }),
);

export const statementIdentity = rule(
  {
    name: 'statement-identity',
    authority: 'observed',
    source: 'deployments.md, "Rules named by deployments"',
    says: 'A statement exists already when the account has one with the same statement_id.',
    tested:
      'server/routes/statements › silent: the same statement id on another account is another statement',
  },
  (statement: Statement): RecordIdentity => ({ key: statement.statement_id, variant: undefined }),
);

export const paymentInstructionIdentity = rule(
  {
    name: 'payment-instruction-identity',
    authority: 'observed',
    source: 'deployments.md, "Responses"',
    says: 'An account has at most one active payment instruction.',
    tested:
      'server/routes/payment-instructions › silent: an account with an active instruction takes no second one, the same or another',
  },
  // One key for all of them, and one that no reference can be.
  (_instruction: PaymentInstruction): RecordIdentity => ({ key: '', variant: undefined }),
);
