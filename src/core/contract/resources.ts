import type { EndpointName } from './endpoints.ts';

/** The four kinds of data that the toolkit adds to accounts, by the names that commands use. */
export const RESOURCES = ['notes', 'transactions', 'statements', 'payment-instructions'] as const;
export type Resource = (typeof RESOURCES)[number];

/** The names that the ledger uses for one stored record. */
export const RECORD_KINDS = ['note', 'transaction', 'statement', 'payment_instruction'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** How a resource travels. */
export interface ResourceWire {
  readonly kind: RecordKind;
  readonly endpoint: EndpointName;
  /** The array of the payload; null when a request carries one record beside its account (interface.md 2.6). */
  readonly list: 'notes' | 'transactions' | 'statements' | null;
  /** The field by which the platform's answers name a record; null for notes, which have none (interface.md 4.2). */
  readonly idField: 'transaction_id' | 'statement_id' | 'reference' | null;
}

export const RESOURCE_WIRE: Readonly<Record<Resource, ResourceWire>> = {
  notes: { kind: 'note', endpoint: 'createNotes', list: 'notes', idField: null },
  transactions: {
    kind: 'transaction',
    endpoint: 'createTransactions',
    list: 'transactions',
    idField: 'transaction_id',
  },
  statements: {
    kind: 'statement',
    endpoint: 'createStatements',
    list: 'statements',
    idField: 'statement_id',
  },
  'payment-instructions': {
    kind: 'payment_instruction',
    endpoint: 'createPaymentInstruction',
    list: null,
    idField: 'reference',
  },
};
