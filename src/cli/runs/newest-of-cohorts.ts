import type { RunHeader } from '../run-file/run-header.ts';

/**
 * The run of each resource of a cohort that counts, or its shards. `migrate --new` gives an earlier run up and reads the same rows again, so
 * counting both would count each row twice.
 */
export class NewestOfCohorts {
  readonly notes: string[] = [];
  private readonly newest = new Map<string, RunHeader>();
  private readonly shards = new Set<string>();

  /** Whether a newer run has replaced this one. The runs of a folder come the newest first. */
  isReplaced(header: RunHeader, folder: string): boolean {
    const { id, resource, options, parent } = header;
    if (options.cohort === undefined || parent !== null) return false;
    const key = `${folder} ${resource}`;
    const by = this.newest.get(key);
    const shard = `${key} ${options.selection?.shard?.index ?? ''}`;
    if (by === undefined || (isTogether(header, by) && !this.shards.has(shard))) {
      if (by === undefined) this.newest.set(key, header);
      this.shards.add(shard);
      return false;
    }
    this.notes.push(
      `The run ${id} of ${resource} is not counted, because the newer run ${by.id} has replaced it.`,
    );
    return true;
  }
}

/** Whether two runs are shards of one file. */
function isTogether(a: RunHeader, b: RunHeader): boolean {
  return (
    a.contentSha256 === b.contentSha256 &&
    a.target === b.target &&
    a.options.selection?.shard?.count === b.options.selection?.shard?.count
  );
}
