import { areDisjoint } from '../push/ports/run.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';

/**
 * Whether other shards have begun with the files of a run, so that the files cannot be corrected for one shard alone: every shard
 * reads every row. A run that another process has is taken for one of them.
 */
export function haveOthersBegun(own: RunHeader, folder: RunsFolder): boolean {
  const { id, resource, target, contentSha256, options } = own;
  const { shard } = options.selection ?? {};
  if (shard === undefined) return false;
  for (const listed of folder.list({ resource })) {
    if (listed.id === id || 'error' in listed || listed.state === 'never_staged') continue;
    const { header } = listed;
    const isOther =
      header === undefined ||
      (header.contentSha256 === contentSha256 &&
        (target === '' || header.target === target) &&
        areDisjoint(header.options.selection?.shard, shard));
    if (isOther) return true;
  }
  return false;
}

/** Next steps of a shard of which nothing was sent, when other shards have begun with the same files. */
export const BESIDE_OTHERS = {
  invalid:
    'nothing of this shard was sent, and other shards have begun with these files: leave the files as they are, and type the same command with --skip-invalid; docs/night.md says how corrected rows are sent afterwards',
  contradictory:
    'nothing of this shard was sent, and other shards have begun with these files: leave the files as they are, write `severity: warning` below the checks that fail, and type the same command again; docs/night.md says how corrected rows are sent afterwards',
};
