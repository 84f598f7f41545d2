import type { Batch, BatchRecord } from '../../src/cli/push/ports/run.ts';
import type { PlatformAnswer } from '../../src/cli/push/ports/platform.ts';
import { DESCRIPTORS, type Resource } from '../../src/core/contract/resources.ts';
import { recordOf, SAMPLES, type Draft } from './push-records.ts';

const ACCOUNT = { import_supplier: 'ACME', external_account_number: 'A-100' };

/** The first `count` drafts of a resource as a claimed batch. */
export function batchOf(resource: Resource, count: number, changes: Partial<Batch> = {}): Batch {
  const all = Array.from({ length: count }, (_, index) => SAMPLES[resource].nth(index + 1));
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

/** The items of a success, one for each record (interface.md 4.2 to 4.5). */
export function goodItems(
  resource: Resource,
  batch: Pick<Batch, 'records'>,
  status = createdStatus(resource),
): unknown[] {
  const { answer: form } = DESCRIPTORS[resource];
  return batch.records.map(({ payload }) => {
    const data = JSON.parse(payload) as Draft;
    // Notes come back with a time and a body, whatever was sent (interface.md 2.3).
    const record = form.echoes ? { created_at: '2026-11-21T10:15:02Z', body: '', ...data } : data;
    const stored = form.record === null ? record : { [form.record]: record };
    return status === undefined ? stored : { ...stored, status };
  });
}

/** The status of a record that was created; undefined when answers have no status. */
function createdStatus(resource: Resource): string | undefined {
  const statuses = Object.entries(DESCRIPTORS[resource].answer.statuses ?? {});
  return statuses.find(([, outcome]) => outcome === 'created')?.[0];
}

/** The body of a success with these items. */
export function goodBody(
  resource: Resource,
  batch: Pick<Batch, 'account' | 'records'>,
  items: readonly unknown[] = goodItems(resource, batch),
): unknown {
  const { list, answer: form } = DESCRIPTORS[resource];
  if (list === null) return { platform_account_number: 'A-1234ABCD', ...(items[0] as Draft) };
  return form.list === null ? items : { ...batch.account, [form.list]: items };
}
