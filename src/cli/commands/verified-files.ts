import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import type { CommandContext, CommandEnd } from '../command.ts';
import type { ClosingStep, CommandPorts } from '../command-ports.ts';
import { targetOf } from '../connection.ts';
import type { SourceFlags } from '../flags.ts';
import type { RunResult } from '../output/run-document.ts';
import { exitOfVerification, isBroken, type ComparedSide } from '../output/verification-result.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import { accountsFile } from '../runs/accounts-file.ts';
import { appliedContract } from '../runs/applied-contract.ts';
import { checkedFiles, type CheckedFiles } from '../runs/checked-files.ts';
import { newestRunsOf, openRunsToCompare } from '../runs/compared-runs.ts';
import type { Interruption } from '../runs/interruption.ts';
import { nextCommands } from '../runs/next-commands.ts';
import { assertSigned } from '../runs/signature.ts';
import { readSigned, type SignedFlags } from '../runs/signed-file.ts';
import { unsentEnding } from '../runs/stage.ts';
import { comparedRows, comparedWithLedger, comparedWithRuns, invalidRowsOf } from '../runs/verification.ts';
import { findKey } from '../settings/credentials.ts';
import type { ResolvedSetting, Settings } from '../settings/settings.ts';
import { OF_ASKING, OF_RUN } from '../verify/sent-record.ts';
import { pushFiles } from './push.ts';

type RowFlags = Omit<SourceFlags, 'documents' | 'rejects' | 'keepInput' | 'leftOut'>;

export interface VerifyOptions extends RowFlags, SignedFlags {
  /** Ids of runs that are compared as a whole, such as those of the shards of a file. */
  readonly run?: readonly string[];
  /** Address of a local platform, or a file with the output of `admin ledger`. */
  readonly ledger?: string;
  /** Whether each record is sent once more, with the check for earlier ones on. */
  readonly askAgain?: boolean;
  /** File for the totals of all accounts. */
  readonly accounts?: string;
}

export interface VerifySettings {
  readonly settings: Settings;
  readonly interruption: Interruption;
  /** How unfinished runs are compared and continued, as a cohort has them; left out where only finished runs prove something. */
  readonly unfinished?: {
    readonly cohortFile: string;
    /** The setting of the folder of all runs. */
    readonly root: ResolvedSetting<string>;
  };
}

export async function verified(
  options: VerifyOptions,
  { settings, interruption, unfinished }: VerifySettings,
  context: CommandContext,
): Promise<CommandEnd> {
  assertMayAsk(options);
  const { io, onClose } = context;
  const signature = readSigned(options, io.cwd);
  const contract = await appliedContract(settings, io.cwd);
  const accounts = accountsFile(options.accounts, { cwd: io.cwd, onClose });
  const checked = await checkedFiles(
    options,
    settings,
    { ports: context, interruption },
    { contract, keeps: 'records' },
  );
  const { run: read, staged } = checked;
  const report = read.report();
  if (staged.kind === 'interrupted' || (staged.kind === 'invalid' && staged.unusable)) {
    const ending = unsentEnding(staged, interruption, NEXT_STEPS);
    return { exit: ending.exit, result: { kind: 'check', report, ending } };
  }

  const folder = new RunsFolder(settings.need('runDir'));
  const mayBeOpen = unfinished !== undefined;
  const ids = chosenRuns(options, checked, { folder, target: settings.get('baseUrl'), mayBeOpen });
  const sides: ComparedSide[] = [];
  const opening = { folder, onClose, command: 'verify', mayBeOpen };
  const runs = openRunsToCompare(ids, options.resource, opening);
  if (runs.length > 0) {
    const onAccount = accounts.of('run');
    sides.push(comparedWithRuns(checked, { runs, with: 'run', codes: OF_RUN }, { onClose, onAccount }));
  }
  if (signature) {
    const chains = sides.flatMap((side) => side.chains);
    if (chains.length === 0) throw usage('--signed needs a run to compare with');
    assertSigned(chains, signature);
  }
  const { ledger } = options;
  if (ledger !== undefined) {
    const { loadLedger } = await import('../runs/ledger.ts');
    const { resource } = options;
    const descriptors = contract?.descriptors;
    const worldKey = async () => findKey(settings, io)?.apiKey();
    const store = await loadLedger(ledger, { resource, descriptors, cwd: io.cwd, onClose, worldKey });
    const onAccount = accounts.of('ledger');
    sides.push(comparedWithLedger(checked, { ledger, store, descriptors, runs }, { onClose, onAccount }));
  }
  const open = runs.find((each) => each.isOpen)?.header;
  for (const each of runs) each.close();
  if (options.askAgain) {
    const asked = await askAgain(options, settings, context);
    if (asked.run === null) return { exit: asked.ending.exit, result: asked };
    const asking = openRunsToCompare([asked.run], options.resource, { ...opening, mayBeOpen: false });
    const onAccount = accounts.of('asking');
    const compared = { runs: asking, with: 'asking', codes: OF_ASKING } as const;
    sides.push(comparedWithRuns(checked, compared, { onClose, onAccount }));
  }
  accounts.finish();

  const { read: all, not_sent: valid, invalid, filtered } = report.rows;
  for (const side of sides)
    if (comparedRows(side) !== valid)
      throw new AppError('totals_unequal', {
        what: `the comparison with ${side.names.join(', ')}`,
        detail: `${valid} rows are valid, ${comparedRows(side)} were compared`,
      });
  const invalidRows = invalidRowsOf(checked);
  const first = [...invalidRows, ...sides.flatMap(({ differences }) => differences)].find(
    ({ severity }) => severity === 'error',
  );
  const isChainBroken = sides.some(({ chains }) => chains.some(isBroken));
  const code = first?.code ?? (isChainBroken ? 'chain_broken' : null);
  const whole = { differs: code !== null, left: Math.max(0, ...sides.map(({ left }) => left)) };
  return {
    exit: exitOfVerification(whole),
    result: {
      kind: 'verification',
      resource: options.resource,
      rows: { read: all, valid, invalid, filtered },
      invalidRows,
      sides,
      signedBy: signature?.file ?? null,
      ...whole,
      next: code === null ? continuing() : `dataimport explain ${code}`,
    },
  };

  /** The line of the cohort; null when nothing is left. */
  function continuing(): string | null {
    if (!unfinished || !open) return null;
    const { cohortFile, root } = unfinished;
    const commands = nextCommands(settings, context.globals, io.cwd, root);
    return commands.resume({ ...open, options: { ...open.options, cohortFile } });
  }
}

const NEXT_STEPS = {
  staged: null,
  invalid: 'correct the problems, then type the same command again',
  interrupted: 'nothing was compared: type the same command again',
};

function usage(reason: string): AppError {
  return new AppError('usage', { reason, command: 'verify' });
}

/** Asking adds nothing only where the platform looks for earlier records. @throws AppError `usage` */
function assertMayAsk({ askAgain: asks, resource, file }: VerifyOptions): void {
  if (!asks) return;
  const statuses = DESCRIPTORS[resource].answer.statuses ?? {};
  if (!Object.values(statuses).includes('existing'))
    throw usage(`--ask-again: the platform cannot say that ${resource} are already there`);
  if (file.includes('-')) throw usage('--ask-again reads files twice, so it needs files, not -');
}

/** @throws AppError `run_to_verify_missing` when there is nothing to compare with */
function chosenRuns(
  { run: typed, ledger, askAgain: asks, resource }: VerifyOptions,
  { sources: { contentSha256 }, run }: CheckedFiles,
  {
    folder,
    target,
    mayBeOpen,
  }: { readonly folder: RunsFolder; readonly target: string | undefined; readonly mayBeOpen: boolean },
): readonly string[] {
  if (typed) return typed;
  const { shard } = run.header.options.selection ?? {};
  const newest = newestRunsOf({ contentSha256, target, shard, mayBeOpen }, resource, folder);
  if (newest.length > 0) return newest;
  if (ledger !== undefined || asks) return [];
  const to = target === undefined ? '' : ` to ${target}`;
  throw new AppError('run_to_verify_missing', {
    finished: mayBeOpen ? '' : ' finished',
    to,
    folder: folder.path,
  });
}

/** Sends every record once more in a run of its own. */
async function askAgain(
  options: VerifyOptions,
  settings: Settings,
  context: CommandContext,
): Promise<RunResult> {
  const { io, globals } = context;
  const steps: ClosingStep[] = [];
  const ports: CommandPorts = { ...context, onClose: (close) => void steps.push(close) };
  try {
    const flags = {
      ...options,
      checkPreviouslyAdded: true,
      forceAddToCurrentStatement: true,
      onReject: 'skip',
      skipInvalid: true,
    } as const;
    const commands = nextCommands(settings, globals, io.cwd);
    return await pushFiles(flags, { settings, commands, target: targetOf(settings, io) }, ports);
  } finally {
    // The run is closed before it is compared.
    for (const close of steps.toReversed()) await close();
  }
}
