import { relative } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { shellWord } from '../output/text.ts';
import { areDisjoint } from '../push/ports/run.ts';
import type { RunHeader, RunSource } from '../run-file/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { Settings } from '../settings/settings.ts';
import type { ResourceFlags } from './cohort-files.ts';

type Wanted = Omit<RunHeader, 'id'>;

/** How the refusals of a cohort name the commands that lead on. */
interface GuardChoice {
  readonly folder: RunsFolder;
  /** Whether the command continues the cohort. */
  readonly continues: boolean;
  /** The line that continues the cohort. */
  readonly line: string;
  readonly flags: ResourceFlags;
  readonly settings: Settings;
  readonly cwd: string;
}

/**
 * Makes sure that a cohort sends each resource from one content, and in one run for each shard. A run of other files that has
 * sent nothing is of no use any more, so it is removed.
 * @throws AppError `cohort_changed`, `cohort_sent`, `run_locked`, `run_folder_busy`, and those of `RunsFolder.runsBeside`
 */
export function assertSameCohort(wanted: Wanted, choice: GuardChoice): void {
  const { folder, continues, line } = choice;
  const { shard } = wanted.options.selection ?? {};
  folder.alone(() => {
    const sent: RunHeader[] = [];
    for (const listed of folder.runsBeside(wanted, shard)) {
      if ('error' in listed) throw listed.error;
      if (listed.state === 'in_use') throw new AppError('run_locked', { run: listed.id });
      const { id, header, run } = listed;
      if (!isOfSameCohort(header, wanted)) continue;
      const isOfOthers = areDisjoint(header.options.selection?.shard, shard);
      if (header.contentSha256 === wanted.contentSha256) {
        if (continues || isOfOthers || listed.state !== 'done' || !run.hasSent) continue;
        throw new AppError('cohort_sent', { run: id, resource: header.resource, line });
      }
      if (run.hasSent) sent.push(header);
      else if (!isOfOthers) {
        run.close();
        folder.remove(id);
      }
    }
    if (sent.length > 0) throw changed(wanted, sent, choice);
  });
}

function isOfSameCohort({ parent, resource, target, options }: RunHeader, wanted: Wanted): boolean {
  return (
    parent === null &&
    resource === wanted.resource &&
    target === wanted.target &&
    options.cohort === wanted.options.cohort
  );
}

/** `sent`: runs that have sent records of other files, the newest first. */
function changed(wanted: Wanted, sent: readonly RunHeader[], choice: GuardChoice): AppError {
  const [{ id, resource, sources, contentSha256, options }] = sent as [RunHeader];
  const together = sent.filter((header) => header.contentSha256 === contentSha256);
  return new AppError('cohort_changed', {
    resource,
    run: id,
    what: changesOf(sources, wanted.sources),
    invalid: options.selection?.shard === undefined ? '' : OF_SHARDS,
    push: pushOfNew(wanted, together, choice),
  });
}

/** The command that is typed again may need more when other shards have sent a part. */
const OF_SHARDS = ', with --skip-invalid where a row of them is invalid (docs/night.md)';

/** The files that differ, as in "n1.csv has another content, n3.csv is new". */
function changesOf(earlier: readonly RunSource[], now: readonly RunSource[]): string {
  const before = new Map(earlier.map(({ name, sha256 }) => [name, sha256]));
  const names = new Set(now.map(({ name }) => name));
  const changes = [
    ...now.flatMap(({ name, sha256 }) => {
      const was = before.get(name);
      if (was === undefined) return [`${name} is new`];
      return was === sha256 ? [] : [`${name} has another content`];
    }),
    ...earlier.filter(({ name }) => !names.has(name)).map(({ name }) => `${name} is missing`),
  ];
  return changes.length === 0 ? 'their order is another one' : changes.join(', ');
}

/** The command that sends what a new version of the files adds, once the cohort has ended. */
function pushOfNew(
  { resource, options }: Wanted,
  sent: readonly RunHeader[],
  { folder, flags, settings, cwd }: GuardChoice,
): string {
  const { supplier, shard } = options.selection ?? {};
  const contract = settings.get('contract');
  const given: readonly (readonly [flag: string, value: string | undefined])[] = [
    ['--map', flags.map],
    ['--documents', flags.documents],
    ['--supplier', supplier],
    ['--contract', contract === undefined ? undefined : relative(cwd, contract)],
    ['--run-dir', relative(cwd, folder.path) || '.'],
  ];
  const words = [
    'dataimport',
    'push',
    resource,
    ...flags.file,
    '--only-new',
    ...sent.flatMap(({ id }) => ['--since', id]),
    ...given.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value])),
  ];
  const others =
    shard === undefined || sent.length === shard.count ? '' : ' and a --since for each other shard';
  return `\`${words.map(shellWord).join(' ')}\`${others}`;
}
