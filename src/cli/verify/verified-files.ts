import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import type { CommandContext, CommandEnd } from '../command/command.ts';
import type { SourceFlags } from '../command/flags.ts';
import { shownCheck, shownRun } from '../output/run/run-result.ts';
import {
  exitOfVerification,
  isBroken,
  shownVerification,
  type ComparedSide,
  type VerificationResult,
} from './verification-result.ts';
import type { SenderOf } from '../run-file/history/history.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { warnOfClock } from '../command/clock.ts';
import { openSources, type RunSources } from '../sources/sources.ts';
import { appliedContract } from '../sources/applied-contract.ts';
import { checkedSources } from '../check/checked-files.ts';
import { newestRunsOf, openRunsToCompare, type OpenVersion } from '../runs/compared-runs.ts';
import {
  knownFolders,
  pathsOf,
  runsFolders,
  type KnownFolder,
  type RunDirFlag,
  type RunPlace,
} from '../runs/run-folders.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { furthestFromDone } from '../ending/ending.ts';
import { endingInFolder, type FolderChoice } from '../ending/ending-in-folder.ts';
import type { Interruption } from '../ending/interruption.ts';
import { total } from '../../core/values/counts.ts';
import type { Ending } from '../output/run/run-document.ts';
import { checkEnding } from '../check/check-ending.ts';
import { askedAgain } from './ask-again.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import { settleByLedger } from './settled-by-ledger.ts';
import { batchLimits } from '../sending/batch-limits.ts';
import {
  comparedByAsking,
  comparedRows,
  comparedWithLedger,
  comparedWithRuns,
  invalidRowsOf,
  hashedRows,
} from './verification.ts';
import type { Settings } from '../settings/settings.ts';
import { MISSING, rowsApart, type VersionRuns } from '../runs/sent-part.ts';

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

export type VerifySettings = { readonly settings: Settings; readonly interruption: Interruption };

/** How one resource ended; without a verification when its files could not be compared. */
type VerifiedEnd = CommandEnd & { readonly verification?: VerificationResult };

export async function verified(
  options: VerifyOptions,
  { settings, interruption }: VerifySettings,
  context: CommandContext,
): Promise<VerifiedEnd> {
  assertMayAsk(options);
  const { io, onClose } = context;
  const contract = await appliedContract(settings, io.cwd);
  warnOfClock(context);
  const sources = await openSources(options, settings, context, contract);
  const folders = runsFolders(options, settings, io.cwd);
  const known = knownFolders(folders, context);
  const target = settings.get('baseUrl');
  const places = chosenRuns(options, sources, { known, folders, target });
  const version = openRunsToCompare(places, options.resource, { onClose, command: 'verify' });
  const { ledger } = options;
  const proven = [...version.runs, ...version.others.values()].map((run) => ({
    run,
    chain: run.proving.chain(),
  }));
  // A ledger and a platform that is asked again need the records themselves.
  const counted =
    ledger === undefined && !options.askAgain ? hashedRows(version, proven, sources) : undefined;
  const checked = await checkedSources(
    sources,
    { flags: options, settings },
    { ports: context, interruption },
    {
      counted,
      ...(options.askAgain && {
        limits: batchLimits(options.resource, settings, contract),
        skipInvalid: true,
      }),
    },
  );
  const { run: read, staged } = checked;
  if (staged.kind === 'interrupted' || (staged.kind === 'invalid' && staged.unusable)) {
    const ending = checkEnding(staged, interruption, NEXT_STEPS);
    return { exit: ending.exit, result: shownCheck({ report: read.report(), ending }) };
  }

  const sides: ComparedSide[] = [];
  if (ledger !== undefined) {
    const { loadLedger } = await import('./ledger.ts');
    const { resource } = options;
    const descriptors = contract?.descriptors;
    const store = await loadLedger(ledger, { resource, descriptors, cwd: io.cwd, onClose });
    const senderOf = sendersIn(known, version, { resource, targets: [target, ledger] });
    const allowsOthers = options.others === 'allowed';
    const otherBytes = version.runs.length > 0 ? [] : runsOfSamePlaces(read, known);
    const side = {
      ledger,
      store,
      descriptors,
      version,
      senderOf,
      allowsOthers,
      otherBytes: new Set(otherBytes),
    };
    const compared = comparedWithLedger(checked, side, { onClose });
    sides.push(compared);
    const now = preciseInstantOfClock(io.timing.nowMs());
    settleByLedger(compared.proven, { version, known, ledger, now });
  }
  if (version.runs.length > 0) {
    const areEqual = counted?.areEqual === true;
    sides.unshift(comparedWithRuns({ ...checked, areEqual }, { version, proven }, { onClose }));
  }
  for (const { history } of known) history.close();
  const { read: all, not_sent: valid, invalid, filtered } = read.report().rows;
  // Rows that one side cannot find are missing. Rows that one side has compared are compared.
  const apart = {
    ...rowsApart(
      sides.map((side) => side.apart),
      (...counts) => Math.min(...counts),
    ),
    ...Object.fromEntries(
      MISSING.map((kind) => [kind, Math.max(0, ...sides.map((side) => side.apart[kind]))]),
    ),
  };
  const missing = total(MISSING, (kind) => apart[kind]);
  const ending =
    missing + invalid === 0 ? DONE : endingOfRuns(version, { settings, flags: context.globals, cwd: io.cwd });
  for (const run of [...version.runs, ...version.others.values()]) run.close();
  if (options.askAgain && missing > 0) sides[0] = { ...sides[0]!, notes: [...sides[0]!.notes, NOT_ASKED] };
  else if (options.askAgain) {
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
  const invalidRows = invalidRowsOf(checked);
  const isDamaged = sides.some(({ chains }) => chains.some(isBroken));
  const differs = isDamaged || sides.some(({ totals }) => totals.errors > 0);
  const first = sides.flatMap(({ differences }) => differences).find(({ severity }) => severity === 'error');
  const code = isDamaged ? 'chain_broken' : (first?.code ?? 'record_missing');
  const whole = { differs, isDamaged, ending };
  const verification: VerificationResult = {
    resource: options.resource,
    rows: { read: all, valid, invalid, filtered },
    invalidRows,
    sides,
    ...whole,
    apart,
    confirmedBy: [...new Set(sides.flatMap(({ confirmedBy }) => confirmedBy))],
    next: differs ? `dataimport explain ${code}` : ending.next,
  };
  return { exit: exitOfVerification(whole), result: shownVerification(verification), verification };
}

const DONE: Ending = { exit: 'OK', resumable: false, next: null };

const NOT_ASKED =
  'the platform was not asked again, because asking would send the rows that have not arrived; run the command of the files again first';

/** How `report` ends about runs with rows that have not arrived. Without such a run only the files say what is missing. */
function endingOfRuns({ folderOf }: OpenVersion, choice: FolderChoice): Ending {
  const endings = [...folderOf]
    .map(([run, folder]) => endingInFolder(run, run.report(), folder, choice).ending)
    .filter(({ exit }) => exit !== 'OK');
  if (endings.length > 0) return furthestFromDone(endings);
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

/** Says which run has sent a record of the platform that the runs, or else the targets, name. */
function sendersIn(
  known: readonly KnownFolder[],
  { runs, others }: VersionRuns,
  { resource, targets }: { resource: Resource; targets: readonly (string | undefined)[] },
): SenderOf {
  const open = new Map([...runs, ...others.values()].map((run) => [run.header.id, run] as const));
  const senders = known.flatMap(({ history }) => {
    const scope =
      runs[0]?.header ??
      history.runs().find((run) => run.resource === resource && targets.includes(run.target));
    return scope ? [history.senders(scope, open)] : [];
  });
  return (record, contents) => {
    for (const senderOf of senders) {
      const sender = senderOf(record, contents);
      if (sender !== undefined) return sender;
    }
    return undefined;
  };
}

/** The runs that have read one of the files, as its path says. */
function runsOfSamePlaces(
  { header, history: own }: RunFile,
  known: readonly KnownFolder[],
): readonly string[] {
  const places = own.places();
  const runs = known.flatMap(({ history }) => history.runs());
  return runs
    .filter((run) => run.resource === header.resource && run.places.some((place) => places.has(place)))
    .map(({ id }) => id);
}

/** @throws AppError `run_to_verify_missing` when there is nothing to compare with */
function chosenRuns(
  { run: typed, ledger, askAgain: asks, resource }: VerifyOptions,
  { contentSha256, shard }: RunSources,
  {
    known,
    folders,
    target,
  }: { known: readonly KnownFolder[]; folders: readonly RunsFolder[]; target: string | undefined },
): readonly RunPlace[] {
  if (typed)
    return [...new Set(typed)].map((id) => {
      const folder = folders.find((each) => each.ids().includes(id));
      if (!folder) throw new AppError('run_not_found', { run: id, folder: pathsOf(folders) });
      return { folder, id };
    });
  const newest = newestRunsOf({ contentSha256, resource, target, shard }, known, 'verify');
  if (newest.length > 0) return newest;
  if (ledger !== undefined || asks) return [];
  const to = target === undefined ? '' : ` to ${target}`;
  throw new AppError('run_to_verify_missing', { to, folder: pathsOf(folders) });
}
