import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import { checkEnding } from '../check/check-ending.ts';
import { checkedSources, type CheckedFiles } from '../check/checked-files.ts';
import type { CommandContext, CommandEnd } from '../command/command.ts';
import type { Interruption } from '../command/interruption.ts';
import { commandsIn } from '../journal/commands-log.ts';
import { platformOf } from '../journal/database/run-header.ts';
import {
  readingsIn,
  type FoundReading,
  type KnownReadings,
  type OpenJournals,
} from '../journal/found-readings.ts';
import { shownCheck, shownRun } from '../output/run/run-result.ts';
import { assertReadable, runsFolders } from '../runs/run-folders.ts';
import { batchLimits } from '../sending/batch-limits.ts';
import { drainingOf, drainRuns } from '../sending/drain-runs.ts';
import { endReasonOf, reportWithReason } from '../sending/end-reason.ts';
import { elapsedMs, openProgress, openSending, type CommandChoice } from '../sending/sending.ts';
import { endingOf, stopOf } from '../ending/ending.ts';
import { nextCommands, sameCommand } from '../ending/next-commands.ts';
import type { RunResult } from '../output/run/run-document.ts';
import { appliedContract } from '../sources/applied-contract.ts';
import { openSources } from '../sources/sources.ts';
import { comparedByAsking } from './compared-side.ts';
import { missingRows } from './answer.ts';
import type { Job, VerifiedFiles } from './job.ts';
import { partOf } from './part.ts';
import { countAsThere, standingRows } from './standings.ts';
import type { ComparedSide, VerificationStep, VerifiedPart } from './verification-schema.ts';

export interface VerifyPorts {
  readonly interruption: Interruption;
  /** Open until the command ends. */
  readonly journals: OpenJournals;
}

/** The verified files of one job, or how the command ends when they could not be verified. `notAsked`: why the platform was not asked. */
export type VerifiedJob =
  | (VerifiedFiles & { readonly part: VerifiedPart; readonly notAsked: readonly VerificationStep[] })
  | { readonly end: CommandEnd };

/**
 * Reads files anew, and looks for the record of each row in every journal of their platform, and in a ledger or by asking where the flags
 * say so.
 * @throws AppError `run_damaged`, `run_rolled_back`; those of opening files, journals and ledgers; `usage`
 */
export async function verifiedJob(
  job: Job,
  ports: VerifyPorts,
  context: CommandContext,
): Promise<VerifiedJob> {
  const { options, settings } = job;
  const { interruption, journals } = ports;
  const { io, onClose } = context;
  const { resource, ledger } = options;
  const asks = options.askAgain === true && mayAsk(resource);
  if (asks && options.file.includes('-'))
    throw usage('--ask-again reads files twice, so it needs files, not -');
  const contract = await appliedContract(settings, io.cwd);
  const sources = await openSources(options, settings, context, contract);
  const known = readingsIn(runsFolders(options, settings, io.cwd), journals);
  const here = sentHere(job, known, context);
  // While the files are read, other commands may need the journals.
  journals.close();
  const checked = await checkedSources(
    sources,
    { flags: options, settings },
    { ports: context, interruption },
    asks ? { limits: batchLimits(resource, settings, contract), skipInvalid: true } : {},
  );
  const { run, staged } = checked;
  if (staged.kind === 'interrupted' || (staged.kind === 'invalid' && staged.unusable)) {
    const ending = checkEnding(staged, interruption, NEXT_STEPS);
    return { end: { exit: ending.exit, result: shownCheck({ report: run.report(), ending }) } };
  }
  const files = [...new Set(here.map(({ file }) => file))];
  const standing = files.length === 0 ? undefined : standingRows(run, files, journals);
  const sides: ComparedSide[] = [];
  if (ledger !== undefined) {
    const { comparedWithLedger } = await import('./ledger.ts');
    const choice = {
      ledger,
      descriptors: contract?.descriptors ?? DESCRIPTORS,
      standings: standing?.standings,
      journalFiles: files,
      ofPlatform: here.length > 0 ? here : sentTo(ledger, known, context).filter(isOf(resource)),
      allowsOthers: options.others === 'allowed',
    };
    sides.push(await comparedWithLedger(checked, choice, { io, onClose, journals }));
  }
  const heads = files.map((file) => ({ file, ...journals.at(file).head() }));
  journals.close();
  const verified: VerifiedFiles = { ...job, checked, here, journals: heads, standing, context };
  // Without a journal, a ledger alone says what arrived, or the answers of a platform that is asked.
  if (!standing && sides[0]?.errors_total === 0) countAsThere(run.db);
  const part = partOf(verified);
  const isWhole = !standing || missingRows(part.rows) === 0;
  if (asks && isWhole) {
    standing?.standings.forget();
    const { globals, words } = context;
    const asked = await askedAgain(checked, { settings, globals, words }, context);
    if (asked !== undefined) return { end: { exit: asked.ending.exit, result: shownRun(asked) } };
    sides.push(comparedByAsking(checked));
  }
  const whole = { ...(standing ? part : partOf(verified)), comparisons: sides };
  const notAsked: readonly VerificationStep[] =
    asks && !isWhole
      ? [{ who: 'importer', what: NOT_ASKED, command: null, rows: missingRows(part.rows) }]
      : [];
  return { ...verified, part: whole, notAsked };
}

/**
 * Sends the valid records of files that were checked once more, with the check for earlier ones on. They are thrown away with the check,
 * so asking leaves no run. Returns how the command ends when it could not ask for all of them.
 */
async function askedAgain(
  { run, sources: { shard } }: Pick<CheckedFiles, 'run' | 'sources'>,
  { settings, globals, words }: CommandChoice,
  ports: CommandContext,
): Promise<RunResult | undefined> {
  const commands = nextCommands(settings, globals, ports.io.cwd);
  const sending = await openSending({ flags: {}, settings, commands, shard }, ports);
  const progress = await openProgress(sending);
  const end = await drainRuns([run], sending, {
    run: drainingOf({ run, journal: undefined }, sending),
    progress,
  });
  progress.stop();
  if (end.kind === 'finished') return undefined;
  const again = sameCommand(words, shard);
  const counted = run.report();
  const reason = endReasonOf(end, again);
  const report = reportWithReason(counted, reason, { file: run.header.sources[0]!.name, resume: again });
  const stop = stopOf(end, sending.interruption.exit());
  const ending = endingOf(report, stop, { again, unresolved: again, isOpen: true });
  return {
    run: null,
    report,
    ending,
    durationMs: elapsedMs(sending),
  };
}

const NOT_ASKED =
  'The platform was not asked again, because asking would send the rows that have not arrived: run the command of the files again first.';

const NEXT_STEPS = {
  staged: null,
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

/** Whether the platform can say that it has a record already. */
export const mayAsk = (resource: Resource): boolean =>
  Object.values(DESCRIPTORS[resource].answer.statuses ?? {}).includes('existing');
