import { DESCRIPTORS } from '../../core/contract/resources.ts';
import type { Candidate } from '../mapping/mapping-plan.ts';
import type { StageSource } from '../push/stage-job.ts';
import type { RunSources } from './sources.ts';

// Questions for which files are read from their beginning once more.

/** Rows that are looked through for a supplier. Another row without one is invalid. */
const MOST_ROWS = 1_000;

/** The import supplier of the first row that has one; empty when none of the first rows has one. */
export async function firstSupplier({ jobAgain }: Pick<RunSources, 'jobAgain'>): Promise<string> {
  for (const source of (await jobAgain()).sources) {
    let rows = 0;
    for await (const { account } of candidatesIn(source)) {
      const supplier = account.import_supplier;
      if (typeof supplier === 'string' && supplier !== '') return supplier;
      if (++rows >= MOST_ROWS) break;
    }
  }
  return '';
}

/** The accounts of the rows with each of some ids, whatever their shard: a push passes over the rows of other shards. */
export async function accountsOfIds(
  { jobAgain }: Pick<RunSources, 'jobAgain'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const accounts = new Map(ids.map((id) => [id, new Set<string>()]));
  if (ids.length === 0) return accounts;
  const { resource, sources } = await jobAgain();
  const { idField } = DESCRIPTORS[resource];
  for (const source of sources)
    for await (const { account, record } of candidatesIn(source)) {
      const id = (record as Readonly<Record<string, unknown>>)[idField!];
      accounts.get(String(id))?.add(String(account.external_account_number));
    }
  return accounts;
}

/** The candidate of every row of a source by itself, whatever its shard and whatever rows belong together. */
export async function* candidatesIn({ items, mapping }: StageSource): AsyncGenerator<Candidate> {
  let plan: ReturnType<typeof mapping>['plan'] | undefined;
  for await (const list of items)
    for (const item of list) {
      if (item.kind === 'header') ({ plan } = mapping(item.names, item.elements));
      if (item.kind === 'row' && plan) yield plan.candidateOf([item.row], true);
    }
}
