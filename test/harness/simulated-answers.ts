import type { Exact } from './oracle/exact-json.ts';
import { canonical, instant } from './oracle/canonical.ts';
import type { OracleRecord, OracleResource } from './oracle/records.ts';

/** The paths of interface.md 4.1. */
export const PATHS: ReadonlyMap<string, OracleResource> = new Map([
  ['/v1/data-import/notes/create/', 'notes'],
  ['/v1/data-import/transactions/create/', 'transactions'],
  ['/v1/data-import/historical-statements/create/', 'statements'],
  ['/v1/data-import/payment-instruction/create/', 'payment-instructions'],
]);

/** The list of a request's records; null for an instruction, whose fields are beside its account. */
export const LIST_OF: Readonly<Record<OracleResource, string | null>> = {
  notes: 'notes',
  transactions: 'transactions',
  statements: 'statements',
  'payment-instructions': null,
};

/** The key of a record in the request log. */
export function keyOf(resource: OracleResource, record: OracleRecord): string {
  const field = {
    transactions: 'transaction_id',
    statements: 'statement_id',
    'payment-instructions': 'reference',
  };
  return resource === 'notes' ? canonical(record) : (record[field[resource]] as string);
}

/** The body of a 201 with an item for each record (interface.md 4.2 to 4.5). */
export function goodAnswer(
  request: {
    readonly resource: OracleResource;
    readonly account: string;
    readonly records: readonly OracleRecord[];
  },
  effects: readonly string[],
): Exact {
  const { resource, account, records } = request;
  const isAdded = (index: number): boolean => effects[index] === 'added';
  switch (resource) {
    case 'notes':
      return records.map(({ body, created_at }, index) => ({
        created_at: created_at === undefined ? '2026-11-21T10:15:02Z' : instant(created_at as string),
        body: body ?? '',
        status: isAdded(index) ? 'NOTE_CREATION_SUCCESS' : 'NOTE_ALREADY_EXISTS',
      }));
    case 'transactions':
      return {
        results: records.map((record, index) => ({
          status: isAdded(index) ? 'TRANSACTION_ADDED_TO_ACCOUNT' : 'TRANSACTION_ALREADY_EXISTS',
          transaction_data: record,
        })),
      };
    case 'statements':
      return { import_supplier: 'ACME', external_account_number: account, statements: records };
    case 'payment-instructions':
      return { platform_account_number: 'A-1234ABCD', reference: records[0]!['reference']! };
    default:
      return resource satisfies never;
  }
}
