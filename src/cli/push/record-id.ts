import type { Resource } from '../../core/contract/resources.ts';
import type { RecordOf } from '../../core/rules/record.ts';

/** The field that the platform's answers name a record by; null for notes, which are matched by position. */
export const ID_FIELD = {
  notes: null,
  transactions: 'transaction_id',
  statements: 'statement_id',
  'payment-instructions': 'reference',
} as const satisfies Record<Resource, string | null>;

/** The value of that field. */
export function recordIdOf<K extends Resource>(resource: K, record: RecordOf[K]): string | null {
  const field = ID_FIELD[resource];
  return field === null ? null : ((record as unknown as Record<string, string>)[field] ?? null);
}
