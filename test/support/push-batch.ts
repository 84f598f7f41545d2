import type { Batch, BatchRecord } from '../../src/cli/push/ports/run.ts';
import type { PlatformAnswer } from '../../src/cli/push/ports/platform.ts';
import { DESCRIPTORS, type Resource } from '../../src/core/contract/resources.ts';
import { drafts, recordOf, transactions, type Draft } from './push-records.ts';

const ACCOUNT = { import_supplier: 'ACME', external_account_number: 'A-100' };

/** The nth draft of each resource. */
const nthDraft: Readonly<Record<Resource, (n: number) => Draft>> = {
  notes: (n) => ({ body: `Note number ${n}`, created_at: `2024-03-05T18:48:${String(n).padStart(2, '0')}Z` }),
  transactions: (n) => ({ ...transactions.CHARGE, transaction_id: `T-${n}`, amount: `${n}.50` }),
  statements: (n) => ({ ...drafts.statements, statement_id: `S-${n}`, number: `INV-${n}` }),
  'payment-instructions': (n) => ({ ...drafts['payment-instructions'], reference: `pi_${n}` }),
};

/** The first `count` drafts of a resource as a claimed batch. */
export function batchOf(resource: Resource, count: number, changes: Partial<Batch> = {}): Batch {
  const all = Array.from({ length: count }, (_, index) => nthDraft[resource](index + 1));
  return batchWith(resource, all, changes);
}

/** These drafts as a claimed batch. The lines of its records count from 2, and their numbers from 11. */
export function batchWith(resource: Resource, all: readonly Draft[], changes: Partial<Batch> = {}): Batch {
  const records = all.map((draft, index): BatchRecord => {
    const record = recordOf(resource, draft);
    const { idField } = DESCRIPTORS[resource];
    const id = idField && ((record as Draft)[idField] as string);
    return { seq: index + 11, source: 1, line: index + 2, id, parts: [], payload: JSON.stringify(record) };
  });
  return { id: 1, account: ACCOUNT, records, attempt: 1, inDoubt: false, ...changes };
}

/** An answer. A body that is no text is sent as JSON. */
export function answer(
  status: number,
  body: unknown = '',
  headers: Readonly<Record<string, string>> = {},
): PlatformAnswer {
  return { kind: 'answer', status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

const GOOD_STATUS: Partial<Record<Resource, string>> = {
  notes: 'NOTE_CREATION_SUCCESS',
  transactions: 'TRANSACTION_ADDED_TO_ACCOUNT',
};

/** The items of a success, one for each record (interface.md 4.2 to 4.4). */
export function goodItems(resource: Resource, batch: Batch, status = GOOD_STATUS[resource]): unknown[] {
  return batch.records.map(({ payload }) => {
    const data = JSON.parse(payload) as Record<string, unknown>;
    if (resource === 'notes')
      return { created_at: data['created_at'] ?? '2026-11-21T10:15:02Z', body: data['body'] ?? '', status };
    if (resource === 'transactions') return { status, transaction_data: data };
    return data;
  });
}

/** The body of a success with these items. */
export function goodBody(resource: Resource, batch: Batch, items = goodItems(resource, batch)): unknown {
  switch (resource) {
    case 'notes':
      return items;
    case 'transactions':
      return { results: items };
    case 'statements':
      return { ...batch.account, statements: items };
    case 'payment-instructions':
      return {
        platform_account_number: 'A-1234ABCD',
        reference: (items[0] as { reference: unknown }).reference,
      };
    default:
      return resource satisfies never;
  }
}
