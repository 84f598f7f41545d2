import { hash } from 'node:crypto';
import type { Descriptors, Resource } from '../../core/contract/resources.ts';
import { recordForm } from '../comparison/stored-record.ts';
import type { FoundRecord } from '../comparison/ports.ts';
import { valueTextOf } from '../push/stage/stage-record.ts';
import type { LedgerStore } from '../scratch/ledger-store.ts';

/**
 * The hashes that a journal may have of a record which a platform has stored (`record.content`): as it is stored, and without what the
 * platform may have filled in. Undefined for a record whose date the platform says to have moved, because it has changed texts, too. A
 * record that has lost its form has none.
 */
export function sentContents(
  record: FoundRecord,
  { store, resource, descriptors }: { store: LedgerStore; resource: Resource; descriptors: Descriptors },
): readonly Buffer[] | undefined {
  const { filled = [], answer } = descriptors[resource];
  const form = recordForm(descriptors[resource] as never, store.dataOf(record.seq));
  if (!form) return [];
  const { import_supplier, external_account_number } = record;
  const date = answer.movableDate && form.fields[answer.movableDate.field];
  const move = {
    import_supplier,
    external_account_number,
    id: String(form.id),
    from: null,
    to: String(date),
  };
  if (date !== undefined && store.hasMove(move)) return undefined;
  return [[], filled].map((left) => {
    const names: readonly string[] = left;
    const fields = Object.entries(form.fields).filter(([name]) => !names.includes(name));
    return hash('sha256', valueTextOf(resource, Object.fromEntries(fields)), 'buffer');
  });
}
