import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import { checkedSources, type CheckedFiles } from '../check/checked-files.ts';
import type { CommandContext, CommandEnd } from '../command/command.ts';
import type { SourceFlags } from '../command/flags.ts';
import type { Interruption } from '../command/interruption.ts';
import { commandsIn } from '../journal/commands-log.ts';
import { platformOf } from '../journal/database/run-header.ts';
import {
  readingsIn,
  type FoundReading,
  type KnownReadings,
  type OpenJournals,
} from '../journal/found-readings.ts';
import { shownCheck } from '../output/run/run-summary.ts';
import type { ChainHead } from '../push/ports/report.ts';
import { assertReadable, runsFolders, type RunDirFlag } from '../runs/run-folders.ts';
import { unsentEnding } from '../sending/unsent-ending.ts';
import type { Settings } from '../settings/settings.ts';
import { appliedContract } from '../sources/applied-contract.ts';
import { openSources } from '../sources/sources.ts';
import { countAsThere, standingsOf, type ReadingHere, type Standings } from './standings.ts';
import type { ComparedSide } from './verification-schema.ts';

export interface VerifyPorts {
  readonly interruption: Interruption;
  /** Open until the command ends. */
  readonly journals: OpenJournals;
}

type RowFlags = Omit<SourceFlags, 'documents' | 'rejects'>;

/** The flags that say how files are verified, whatever files they are. */
export interface ComparingFlags extends RunDirFlag {
  /** Address of a local platform, or a file with the output of `admin ledger`. */
  readonly ledger?: string;
  readonly showValues?: boolean;
}

/** Files of one resource that are verified. `send`: the command that sends them. */
export interface Job {
  readonly options: RowFlags & ComparingFlags;
  readonly settings: Settings;
  readonly send: string;
}

/** Files that were read anew, with everything that is known of their rows. */
export interface VerifiedFiles extends Job {
  readonly checked: CheckedFiles;
  /** The readings of the resource to the platform, the newest first. */
  readonly here: readonly ReadingHere[];
  /** Their journals, of which each chain holds. */
  readonly journals: readonly (ChainHead & { readonly file: string })[];
  /** How the rows stand by these; undefined without any. */
  readonly standing: Standings | undefined;
  /** The comparison with a ledger, where a flag names one. */
  readonly comparisons: readonly ComparedSide[];
  readonly context: CommandContext;
}

/** Reads files anew, and looks for the record of each row in every journal of their platform, and in a ledger where a flag names one. */
export async function verifiedJob(
  job: Job,
  ports: VerifyPorts,
  context: CommandContext,
): Promise<VerifiedFiles | { readonly end: CommandEnd }> {
  const { options, settings } = job;
  const { interruption, journals } = ports;
  const { io, onClose } = context;
  const { resource, ledger } = options;
  const contract = await appliedContract(settings, io.cwd);
  const sources = await openSources(options, settings, context, contract);
  const known = readingsIn(runsFolders(options, settings, io.cwd), journals);
  const found = sentHere(job, known, context);
  // Once they are proven, other commands may need the journals.
  journals.close();
  const files = [...new Set(found.map(({ file }) => file))];
  const proof = journals.prove(files);
  const checked = await checkedSources(
    sources,
    { flags: options, settings },
    { ports: context, interruption },
  );
  const { run, staged } = checked;
  if (staged.kind === 'interrupted' || (staged.kind === 'invalid' && staged.unusable)) {
    const ending = unsentEnding(staged.kind, interruption, NEXT_STEPS);
    return { end: { exit: ending.exit, result: shownCheck({ report: run.report(), ending }) } };
  }
  await proof;
  const standing = found.length === 0 ? undefined : standingsOf(run, found, journals);
  const comparisons: ComparedSide[] = [];
  if (ledger !== undefined) {
    const { comparedWithLedger } = await import('./ledger.ts');
    const choice = {
      ledger,
      descriptor: (contract?.descriptors ?? DESCRIPTORS)[resource],
      standings: standing,
      ofPlatform: found.length > 0 ? found : sentTo(ledger, known, context).filter(isOf(resource)),
    };
    comparisons.push(await comparedWithLedger(checked, choice, { io, onClose, journals }));
  }
  const heads = files.map((file) => ({ file, ...journals.at(file).head() }));
  journals.close();
  // Without a journal, a ledger alone says what arrived.
  if (!standing && comparisons[0]?.errors_total === 0) countAsThere(run.db);
  return { ...job, checked, here: standing?.here ?? [], journals: heads, standing, comparisons, context };
}

const NEXT_STEPS = {
  invalid: 'correct the problems, then type the same command again',
  interrupted: 'nothing was compared: type the same command again',
};

const isOf =
  (wanted: Resource) =>
  ({ header: { resource } }: FoundReading): boolean =>
    resource === wanted;

/**
 * The readings that went to the platform at an address: the last one, where its database was another before. One platform may have several
 * addresses, of which its journals know one. The list of commands has the order and the addresses that were typed.
 */
function sentTo(
  target: string,
  { folders, found }: KnownReadings,
  { io }: CommandContext,
): readonly FoundReading[] {
  const listed = folders.flatMap((folder) =>
    commandsIn(folder.path, io).flatMap((command) =>
      command.target === target ? command.readings.map(({ journal }) => folder.fileNamed(journal)) : [],
    ),
  );
  const newest =
    listed.flatMap((file) => found.find((each) => each.file === file) ?? [])[0] ??
    found.find(({ header }) => header.target === target);
  return newest === undefined
    ? []
    : found.filter(({ header }) => platformOf(header) === platformOf(newest.header));
}

/**
 * The readings of the resource that went to the platform that is set, or to the only one.
 * @throws AppError `usage` for several addresses; why a journal that may have records of the files cannot be read
 */
function sentHere(
  { options: { resource }, settings }: Job,
  known: KnownReadings,
  context: CommandContext,
): readonly FoundReading[] {
  const set = settings.get('baseUrl');
  const targets = new Set(known.found.filter(isOf(resource)).map(({ header }) => header.target));
  const [target, other] = set === undefined ? targets : [set];
  if (other !== undefined)
    throw usage(`the journals are of ${target} and ${other}: say which one with --base-url`);
  const here = target === undefined ? [] : sentTo(target, known, context).filter(isOf(resource));
  assertReadable(known, here, resource);
  return here;
}

export function usage(reason: string): AppError {
  return new AppError('usage', { reason, command: 'verify' });
}

/**
 * The readings of any of the files, the newest first: of their paths, or of their names, because the whole folder may have another path
 * now.
 */
export function ofSameFiles({ here, checked: { run } }: VerifiedFiles): readonly ReadingHere[] {
  const by = (key: 'place' | 'name'): readonly ReadingHere[] => {
    const known = new Set(run.header.sources.map((source) => source[key]));
    return here.filter(
      ({ isStaged, header }) =>
        isStaged && header.sources.some((source) => source[key] !== null && known.has(source[key])),
    );
  };
  const ofPlaces = by('place');
  return ofPlaces.length > 0 ? ofPlaces : by('name');
}
