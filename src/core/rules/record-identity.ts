import type { Note } from '../contract/note.ts';
import type { PaymentInstruction } from '../contract/payment-instruction.ts';
import type { Statement } from '../contract/statement.ts';
import type { Transaction } from '../contract/transaction.ts';
import { parseInstant, type Instant } from '../values/instant.ts';

/** Records with the same identity on one account are the same. `variant` separates records of one `key` that may both exist. */
export interface RecordIdentity {
  readonly key: string;
  readonly variant: string | undefined;
}

/**
 * A note with `created_at` equals a note with the same content and instant. A note without `created_at` equals every note with
 * the same content, so its variant is undefined. Without a body the document paths are the content (interface.md 4.2, rule 3).
 */
export function noteIdentity(note: Note): RecordIdentity & { readonly variant: Instant | undefined } {
  const body = note.body ?? '';
  const documents = (note.document_paths ?? []).map((document) => document.document_path);
  return {
    key: JSON.stringify(body === '' ? [body, documents] : [body]),
    variant: note.created_at === undefined ? undefined : parseInstant(note.created_at),
  };
}

/** The id alone, whatever the content: interface.md 3.3 names no key. */
export function transactionIdentity(transaction: Transaction): RecordIdentity {
  return { key: transaction.transaction_id, variant: undefined };
}

/** deployments.md, "Rules named by deployments". */
export function statementIdentity(statement: Statement): RecordIdentity {
  return { key: statement.statement_id, variant: undefined };
}

/** One key for all instructions, because an account has at most one active instruction. No reference is empty. */
export function paymentInstructionIdentity(_instruction: PaymentInstruction): RecordIdentity {
  return { key: '', variant: undefined };
}
