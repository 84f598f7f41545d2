import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import type { CommandContext, CommandEnd } from '../command/command.ts';
import type { SourceFlags } from '../command/flags.ts';
import { shownCheck, shownRun } from '../output/run/run-result.ts';
import { endingOfVerification, shownVerification, type Verification } from './verification-result.ts';
import type { ComparedSide } from './verification-schema.ts';
import { exitDocument } from '../output/json.ts';
import { warnOfClock } from '../command/clock.ts';
import { openSources, type RunSources } from '../sources/sources.ts';
import { appliedContract } from '../sources/applied-contract.ts';
import { checkedSources } from '../check/checked-files.ts';
import {
  isSamePlatform,
  readingsIn,
  type FoundReading,
  type KnownReadings,
  type OpenJournals,
} from '../journal/found-readings.ts';
import type { JournalsFolder } from '../journal/journals-folder.ts';
import type { Reading } from '../journal/reading.ts';
import { newestReadingsOf, openReadings, sentTo, type OpenReadings } from './compared-runs.ts';
import { assertReadable, pathsOf, runsFolders, type RunDirFlag } from '../runs/run-folders.ts';
import { furthestFromDone, recordedEnding } from '../ending/ending.ts';
import { nextCommands, type NextCommands } from '../ending/next-commands.ts';
import type { Interruption } from '../command/interruption.ts';
import { total } from '../../core/values/counts.ts';
import type { Ending } from '../output/run/run-document.ts';
import { checkEnding } from '../check/check-ending.ts';
import { askedAgain } from './ask-again.ts';
import { batchLimits } from '../sending/batch-limits.ts';
import {
  comparedByAsking,
  comparedRows,
  comparedWithRuns,
  invalidRowsOf,
  type ProvenRun,
} from './verification.ts';
import type { Settings } from '../settings/settings.ts';
import { MISSING } from './sent-part.ts';

type RowFlags = Omit<SourceFlags, 'documents' | 'rejects'>;

export interface VerifyOptions extends RowFlags, RunDirFlag {
  /** Ids of runs that are compared as a whole, such as those of the shards of a file. */
  readonly run?: readonly string[];
  /** Address of a local platform, or a file with the output of `admin ledger`. */
  readonly ledger?: string;
  /** `allowed`: the accounts had records before, which nobody here has sent. */
  readonly others?: 'allowed';
  /** Whether each record is sent once more, with the check for earlier ones on. */
  readonly askAgain?: boolean;
}

export interface VerifySettings {
  readonly settings: Settings;
  readonly interruption: Interruption;
  /** Open until the command ends. */
  readonly journals: OpenJournals;
}

/** How one resource ended; without a verification when its files could not be compared. */
type VerifiedEnd = CommandEnd & { readonly verification?: Verification };

export async function verified(
  options: VerifyOptions,
  { settings, interruption, journals }: VerifySettings,
  context: CommandContext,
): Promise<VerifiedEnd> {
  assertMayAsk(options);
  const { io, onClose } = context;
  const contract = await appliedContract(settings, io.cwd);
  warnOfClock(context);
  const sources = await openSources(options, settings, context, contract);
  const readings = readingsIn(runsFolders(options, settings, io.cwd), journals);
  const target = settings.get('baseUrl');
  const places = chosenReadings(options, sources, { known: readings, target });
  // While the files are read, other commands may need the other journals.
  journals.close();
  const sent = openReadings(places, options.resource, { journals, command: 'verify' });
  const { ledger } = options;
  const ofPlatform = ledger === undefined ? [] : ofSamePlatform(readings, places, { options, target });
  const proven = [...sent.readings, ...sent.elsewhere.values()].map((run) => provenRun(run, journals));
  const checked = await checkedSources(
    sources,
    { flags: options, settings },
    { ports: context, interruption },
    options.askAgain ? { limits: batchLimits(options.resource, settings, contract), skipInvalid: true } : {},
  );
  const { run: read, staged } = checked;
  if (staged.kind === 'interrupted' || (staged.kind === 'invalid' && staged.unusable)) {
    const ending = checkEnding(staged, interruption, NEXT_STEPS);
    return { exit: ending.exit, result: shownCheck({ report: read.report(), ending }) };
  }

  const sides: ComparedSide[] = [];
  if (ledger !== undefined) {
    const { comparedWithLedger } = await import('./ledger.ts');
    const descriptors = contract?.descriptors ?? DESCRIPTORS;
    const allowsOthers = options.others === 'allowed';
    const otherBytes = new Set(places.length > 0 ? [] : readingsOfSamePlaces(read, readings));
    const choice = { ledger, descriptors, sent, places, ofPlatform, allowsOthers, otherBytes };
    sides.push(await comparedWithLedger(checked, choice, { io, onClose, journals }));
  }
  if (places.length > 0) sides.unshift(comparedWithRuns(checked, { sent, proven }, { onClose }));
  const { read: all, not_sent: valid, invalid, filtered } = read.report().rows;
  const missing = sides[0] ? missingRows(sides[0]) : 0;
  const ending =
    missing + invalid === 0
      ? DONE
      : endingOfRuns(sent, missing, ({ path }) => nextCommands(settings, context.globals, io.cwd, path));
  if (options.askAgain && missing > 0) sides[0] = { ...sides[0]!, notes: [...sides[0]!.notes, NOT_ASKED] };
  else if (options.askAgain) {
    journals.close();
    const asked = await askedAgain(
      checked,
      { settings, globals: context.globals, words: context.words },
      context,
    );
    if (asked !== undefined) return { exit: asked.ending.exit, result: shownRun(asked) };
    sides.push(comparedByAsking(checked, { onClose }));
  }

  for (const side of sides)
    if (comparedRows(side) !== valid)
      throw new AppError('totals_unequal', {
        what: `the comparison with ${side.names.join(', ')}`,
        detail: `${valid} rows are valid, ${comparedRows(side)} were compared`,
      });
  const { exit, next } = endingOfVerification([{ document: { comparisons: sides }, ending }]);
  const document = {
    version: 1,
    resource: options.resource,
    exit: exitDocument(exit),
    rows: { read: all, valid, invalid, filtered },
    invalid_rows: invalidRowsOf(checked),
    comparisons: sides,
    next,
  } as const;
  return { exit, result: shownVerification(document), verification: { document, ending } };
}

/** The rows that have not arrived, as the first side knows them: the journal, where there is one. */
export const missingRows = ({ rows_apart: apart }: ComparedSide): number =>
  total(MISSING, (kind) => apart[kind]);

const DONE: Ending = { exit: 'OK', resumable: false, next: null };

const NOT_ASKED =
  'the platform was not asked again, because asking would send the rows that have not arrived; run the command of the files again first';

/** How `report` ends about runs with rows that have not arrived. The rows of files that no run has any more are read again by their command. */
function endingOfRuns(
  { folderOf }: OpenReadings,
  missing: number,
  commandsIn: (folder: JournalsFolder) => NextCommands,
): Ending {
  const endings = [...folderOf]
    .map(([run, folder]) => recordedEnding(run, run.report(), commandsIn(folder)))
    .filter(({ exit }) => exit !== 'OK');
  if (endings.length > 0) return furthestFromDone(endings);
  const [[run, folder] = []] = folderOf;
  if (missing > 0 && run && folder)
    return { exit: 'UNFINISHED', resumable: false, next: commandsIn(folder).again(run) };
  return { exit: 'PARTIAL', resumable: false, next: 'dataimport explain row_not_valid' };
}

const NEXT_STEPS = {
  staged: null,
  invalid: 'correct the problems, then type the same command again',
  interrupted: 'nothing was compared: type the same command again',
};

export function usage(reason: string): AppError {
  return new AppError('usage', { reason, command: 'verify' });
}

/** Whether the platform can say that it has a record already. */
export const mayAsk = (resource: Resource): boolean =>
  Object.values(DESCRIPTORS[resource].answer.statuses ?? {}).includes('existing');

/** Asking adds nothing only where the platform looks for earlier records. @throws AppError `usage` */
function assertMayAsk({ askAgain: asks, resource, file }: VerifyOptions): void {
  if (!asks) return;
  if (!mayAsk(resource))
    throw usage(`--ask-again: the platform cannot say that ${resource} are already there`);
  if (file.includes('-')) throw usage('--ask-again reads files twice, so it needs files, not -');
}

/** A reading with the chain of its journal, which is computed once. */
function provenRun(run: Reading, journals: OpenJournals): ProvenRun {
  const chain = run.proving.chain();
  if (chain.broken === null) journals.proven.set(run.db.name, chain.head);
  return { run, chain };
}

/** The readings of the resource to the platform of some readings, or else to the one that the command names. */
function ofSamePlatform(
  { found }: KnownReadings,
  [first]: readonly FoundReading[],
  { options: { resource, ledger }, target }: { options: VerifyOptions; target: string | undefined },
): readonly FoundReading[] {
  const ofResource = found.filter(({ header }) => header.resource === resource);
  if (first) return ofResource.filter((each) => isSamePlatform(each, first));
  return [target, ledger].flatMap((address) => (address === undefined ? [] : sentTo(address, ofResource)));
}

/** The readings of one of the files, as its path says. */
function readingsOfSamePlaces({ header }: Reading, { found }: KnownReadings): readonly string[] {
  const places = new Set(header.sources.flatMap(({ place }) => place ?? []));
  return found.flatMap(({ header: { id, resource, sources } }) =>
    resource === header.resource && sources.some(({ place }) => place !== null && places.has(place))
      ? id
      : [],
  );
}

/** @throws AppError `run_to_verify_missing` when there is nothing to compare with */
function chosenReadings(
  { run: typed, ledger, askAgain: asks, resource }: VerifyOptions,
  { contentSha256, shard }: RunSources,
  { known, target }: { known: KnownReadings; target: string | undefined },
): readonly FoundReading[] {
  const folder = pathsOf(known.folders);
  if (typed)
    return [...new Set(typed)].map((id) => {
      const found = known.found.find(({ header }) => header.id === id);
      if (found) return found;
      assertReadable(known, []);
      throw new AppError('run_not_found', { run: id, folder });
    });
  const newest = newestReadingsOf({ contentSha256, resource, target, shard }, known, 'verify');
  if (newest.length > 0 || ledger !== undefined || asks) return newest;
  throw new AppError('run_to_verify_missing', { to: target === undefined ? '' : ` to ${target}`, folder });
}
