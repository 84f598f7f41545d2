import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { candidatesIn } from './candidates.ts';
import type { RunSources } from './sources.ts';

/** A record that an account of another shard has. */
interface RecordElsewhere {
  readonly account: string;
  readonly id: string;
}

/**
 * The records among `found` that no row of the files is any more, so that they have moved. The files are read from their beginning, because
 * the rows of other shards were passed over.
 */
export async function movedRows<Found extends RecordElsewhere>(
  sources: Pick<RunSources, 'jobAgain'>,
  found: readonly Found[],
): Promise<readonly Found[]> {
  if (found.length === 0) return [];
  const keyOf = ({ account, id }: RecordElsewhere): string => `${account}\0${id}`;
  const gone = new Map(found.map((record) => [keyOf(record), record]));
  for await (const record of recordsIn(sources)) gone.delete(keyOf(record));
  return [...gone.values()];
}

/** The accounts of the rows with each of some ids. */
export async function accountsOfIds(
  sources: Pick<RunSources, 'jobAgain'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const accounts = new Map(ids.map((id) => [id, new Set<string>()]));
  if (ids.length > 0) for await (const { account, id } of recordsIn(sources)) accounts.get(id)?.add(account);
  return accounts;
}

/** The account and id of every row of the files, whatever its shard. */
async function* recordsIn({ jobAgain }: Pick<RunSources, 'jobAgain'>): AsyncGenerator<RecordElsewhere> {
  const { resource, sources } = await jobAgain();
  const { idField } = DESCRIPTORS[resource];
  for (const source of sources)
    for await (const { account, record } of candidatesIn(source)) {
      const id = (record as Readonly<Record<string, unknown>>)[idField!];
      yield { account: String(account.external_account_number), id: String(id) };
    }
}
