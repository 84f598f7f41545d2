import type * as z from 'zod/mini';
import type { ResourceDescriptor } from './descriptor.ts';
import { notes } from './resources/notes.ts';
import { paymentInstructions } from './resources/payment-instructions.ts';
import { statements } from './resources/statements.ts';
import { transactions } from './resources/transactions.ts';

/** The kinds of data that the toolkit adds to accounts, by the names that commands use, in the order of a migration. */
const ALL = { notes, transactions, statements, 'payment-instructions': paymentInstructions } as const;

export type Resource = keyof typeof ALL;
export type RecordOf = { readonly [K in Resource]: z.infer<(typeof ALL)[K]['schema']> };
/** The name that the ledger uses for one stored record. */
export type RecordKind = (typeof ALL)[Resource]['kind'];
export type EndpointOf<K extends Resource> = (typeof ALL)[K]['endpoint'];

/** A descriptor of each resource: those of the interface, or narrower ones by the contract of an operator. */
export type Descriptors = {
  readonly [K in Resource]: ResourceDescriptor<RecordOf[K]> & { readonly kind: RecordKind };
};

export const DESCRIPTORS: Descriptors = ALL;

/** The documents that a record names. */
export const documentsOf = <K extends Resource>(resource: K, record: RecordOf[K]) =>
  DESCRIPTORS[resource].documents?.(record) ?? [];

export const RESOURCES = Object.keys(ALL) as [Resource, ...Resource[]];
export const RECORD_KINDS = RESOURCES.map((resource) => ALL[resource].kind) as [RecordKind, ...RecordKind[]];

export const descriptorOfKind = (kind: RecordKind): Descriptors[Resource] =>
  DESCRIPTORS[RESOURCES.find((resource) => ALL[resource].kind === kind)!];

/** Codes of refusals that say that the platform has the record. Every further attempt meets the same refusal. */
export const THERE_ALREADY: readonly string[] = Object.values(DESCRIPTORS).flatMap(
  ({ lostAnswer }) => lostAnswer.present?.code ?? [],
);
