import type * as z from 'zod/mini';
import { note, type Note } from '../contract/note.ts';
import { paymentInstruction, type PaymentInstruction } from '../contract/payment-instruction.ts';
import type { Resource } from '../contract/resources.ts';
import { statement, type Statement } from '../contract/statement.ts';
import { transaction, transactionOfType, type Transaction } from '../contract/transaction.ts';
import { hasFailure, type Problem } from '../problem.ts';
import { compiled } from '../schema.ts';
import type { Decimal } from '../values/decimal.ts';
import { NOTE_RULES } from './note-rules.ts';
import { undocumentedValues } from './open-enum.ts';
import {
  noteIdentity,
  paymentInstructionIdentity,
  statementIdentity,
  transactionIdentity,
  type RecordIdentity,
} from './record-identity.ts';
import type { CheckContext, RecordRule } from './rule.ts';
import { STATEMENT_RULES } from './statement-rules.ts';
import { problemsOfIssues } from './schema-problems.ts';
import { TRANSACTION_RULES } from './transaction-rules.ts';

/** The record type of each resource. */
export interface RecordOf {
  readonly notes: Note;
  readonly transactions: Transaction;
  readonly statements: Statement;
  readonly 'payment-instructions': PaymentInstruction;
}

/** A record that passed (perhaps with warnings), or the problems that stop it. */
export type CheckedRecord<R> =
  | { readonly record: R; readonly problems: readonly Problem[] }
  | { readonly record: undefined; readonly problems: readonly Problem[] };

/** What both ends know about the records of a resource. */
export interface RecordRules<R> {
  /** All fields that the resource has, whatever the record. */
  readonly schema: z.ZodMiniType<R>;
  /** The schema of this very record; transactions have one for each type. */
  readonly schemaFor: (candidate: unknown) => z.ZodMiniType<R>;
  readonly rules: readonly RecordRule<R>[];
  readonly identity: (record: R) => RecordIdentity;
  /** What control totals add up, exact; undefined when the record has none. */
  readonly amount: (record: R) => Decimal | undefined;
  /** What control totals are split by; null when the resource has no types. */
  readonly type: (record: R) => string | null;
}

export const RECORD_RULES: { readonly [K in Resource]: RecordRules<RecordOf[K]> } = {
  notes: {
    schema: note,
    schemaFor: () => note,
    rules: NOTE_RULES,
    identity: noteIdentity,
    amount: () => undefined,
    type: () => null,
  },
  transactions: {
    schema: transaction,
    schemaFor: (candidate) => {
      const type = (candidate as { type?: unknown } | null)?.type;
      // Picking the type by hand is 2.4 times as fast as a discriminated union (performance.md).
      return typeof type === 'string' && Object.hasOwn(transactionOfType, type)
        ? transactionOfType[type as keyof typeof transactionOfType]
        : transaction;
    },
    rules: TRANSACTION_RULES,
    identity: transactionIdentity,
    amount: (record) => record.amount,
    type: (record) => record.type,
  },
  statements: {
    schema: statement,
    schemaFor: () => statement,
    rules: STATEMENT_RULES,
    identity: statementIdentity,
    amount: (record) => record.gross_amount ?? undefined,
    type: () => null,
  },
  'payment-instructions': {
    schema: paymentInstruction,
    schemaFor: () => paymentInstruction,
    rules: [],
    identity: paymentInstructionIdentity,
    amount: () => undefined,
    type: (record) => record.type,
  },
};

/**
 * Checks one record: its fields by the schema, then the rules between them. The client runs this before it sends
 * anything and the server before it stores anything, so both ends agree by construction.
 */
export function checkRecord<K extends Resource>(
  resource: K,
  candidate: unknown,
  context: CheckContext,
): CheckedRecord<RecordOf[K]> {
  const { schemaFor, rules } = RECORD_RULES[resource];
  const schema = schemaFor(candidate);
  const parsed = compiled(schema).safeParse(candidate);
  if (!parsed.success)
    return { record: undefined, problems: problemsOfIssues(parsed.error.issues, candidate) };
  const problems = [
    ...rules.flatMap((check) => check(parsed.data, context)),
    ...undocumentedValues(schema, parsed.data, context.judge),
  ];
  return hasFailure(problems) ? { record: undefined, problems } : { record: parsed.data, problems };
}
