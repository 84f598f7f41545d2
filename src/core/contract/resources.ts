import type { EndpointName } from './endpoints.ts';

/** The four kinds of data that the toolkit adds to accounts, as commands name them (cli.md). */
export const RESOURCES = ['notes', 'transactions', 'statements', 'payment-instructions'] as const;
export type Resource = (typeof RESOURCES)[number];

/** The same, as one stored record is called in the ledger. */
export const RECORD_KINDS = ['note', 'transaction', 'statement', 'payment_instruction'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** How a resource travels. */
export interface ResourceWire {
  readonly kind: RecordKind;
  readonly endpoint: EndpointName;
  /** The array of the payload; null when a request carries one record beside its account (interface.md 2.6). */
  readonly list: 'notes' | 'transactions' | 'statements' | null;
}

export const RESOURCE_WIRE: Readonly<Record<Resource, ResourceWire>> = {
  notes: { kind: 'note', endpoint: 'createNotes', list: 'notes' },
  transactions: { kind: 'transaction', endpoint: 'createTransactions', list: 'transactions' },
  statements: { kind: 'statement', endpoint: 'createStatements', list: 'statements' },
  'payment-instructions': { kind: 'payment_instruction', endpoint: 'createPaymentInstruction', list: null },
};
