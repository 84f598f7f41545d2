import type { Command } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import type { ClosingStep, CommandPorts } from '../command-ports.ts';
import { targetOf } from '../connection.ts';
import {
  collect,
  declareRowsOrCohort,
  gzipRatioOption,
  assertRowsOrCohort,
  isCohortFile,
  showValuesOption,
  type SourceFlags,
} from '../flags.ts';
import { readCohort } from '../cohort/read-cohort.ts';
import type { RunResult } from '../output/run-document.ts';
import { isBroken, type ComparedSide, type VerificationResult } from '../output/verification-result.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import { accountsFile } from '../runs/accounts-file.ts';
import { appliedContract } from '../runs/applied-contract.ts';
import { checkedFiles, type CheckedFiles } from '../runs/checked-files.ts';
import { resourceFlags } from '../runs/cohort-files.ts';
import { cohortSettings } from '../runs/cohort-settings.ts';
import { newestRunsOf, openFinishedRuns } from '../runs/compared-runs.ts';
import { listenForInterruption, type Interruption } from '../runs/interruption.ts';
import { nextCommands } from '../runs/next-commands.ts';
import { assertSigned, publicKey, signedReport, type SignedReport } from '../runs/signature.ts';
import { unsentEnding } from '../runs/stage.ts';
import { comparedRows, comparedWithLedger, comparedWithRuns, invalidRowsOf } from '../runs/verification.ts';
import { findKey } from '../settings/credentials.ts';
import type { Settings } from '../settings/settings.ts';
import { OF_ASKING, OF_RUN } from '../verify/sent-record.ts';
import { readText } from '../typed-file.ts';
import { pushFiles } from './push.ts';

type RowFlags = Omit<SourceFlags, 'documents' | 'rejects' | 'keepInput' | 'leftOut'>;

export interface VerifyOptions extends RowFlags {
  /** Ids of runs that are compared as a whole, such as those of the shards of a file. */
  readonly run?: readonly string[];
  /** Address of a local platform, or a file with the output of `admin ledger`. */
  readonly ledger?: string;
  /** Whether each record is sent once more, with the check for earlier ones on. */
  readonly askAgain?: boolean;
  /** Document of `report --json --sign`, whose heads the runs must have. */
  readonly signed?: string;
  /** The key that it must be signed with. */
  readonly publicKey?: string;
  /** File for the totals of all accounts. */
  readonly accounts?: string;
}

export const command: CommandDeclaration<VerifyOptions> = {
  description:
    'Reads and maps the files anew and compares every record with a finished run, with the ledger of a local platform, or with both: count, exact sum, ids and contents by account and type. Ends with exit code 11 when anything differs.',
  examples: [
    'dataimport verify transactions transactions.csv',
    'dataimport verify transactions transactions.csv --ledger http://127.0.0.1:4010',
    'dataimport verify cohort.yaml',
    'dataimport verify notes notes.csv --run 20261121-101502-notes-4f2a --ask-again',
  ],
  settings: [
    'baseUrl',
    'supplier',
    'contract',
    'caFile',
    'earliestDate',
    'batchSize',
    'maxBatchBytes',
    'concurrency',
    'rateLimit',
    'retryFor',
    'connectTimeout',
    'timeout',
    'runDir',
  ],
  declare(command) {
    declareRowsOrCohort(command);
    declareSides(command);
    command.addOption(gzipRatioOption()).addOption(showValuesOption());
  },
  run,
};

function declareSides(command: Command): void {
  command
    .option(
      '--run <id>',
      'finished run to compare with; several are one whole, such as the shards of a file (default: the newest finished run of these files, or all its shards)',
      collect,
    )
    .option(
      '--ledger <url|file>',
      'compare with what a local platform has stored: its address, or a file with the output of `admin ledger`',
    )
    .option(
      '--ask-again',
      'send each record once more with the check for earlier ones on, and expect that the platform has it (notes and transactions)',
    )
    .option(
      '--signed <file>',
      'signed document of `report --json --sign`: its signature and the chains of the runs must fit',
    )
    .option('--public-key <file>', 'public key (PEM) that --signed must be signed with')
    .option('--accounts <file>', 'write the totals of all accounts to a new CSV file');
}

async function run(options: VerifyOptions, context: CommandContext): Promise<CommandEnd> {
  const settings = await context.settings();
  const interruption = listenForInterruption(context, { sends: false });
  // The declaration takes the name of a cohort file in this place, too.
  const cohort: string = options.resource;
  const excluded = COHORT_EXCLUDES.find(([name]) => options[name] !== undefined)?.[1];
  assertRowsOrCohort(options, { excluded, command: 'verify' });
  if (isCohortFile(cohort)) return verifiedCohort(cohort, { options, settings, interruption }, context);
  return verified(options, { settings, interruption }, context);
}

/** Compares every resource of a cohort, one after the other. */
async function verifiedCohort(
  file: string,
  { options, settings: given, interruption }: VerifySettings & { readonly options: VerifyOptions },
  context: CommandContext,
): Promise<CommandEnd> {
  const { io } = context;
  const cohort = readCohort(file, readText(file, io.cwd));
  const settings = cohortSettings(cohort, given, io);
  const parts: VerificationResult[] = [];
  for (const flags of resourceFlags(cohort, io.cwd)) {
    const end = await verified({ ...options, ...flags }, { settings, interruption }, context);
    // Files that cannot be compared, or an interruption.
    if (end.result?.kind !== 'verification') return end;
    parts.push(end.result);
  }
  const next = parts.find((part) => part.next !== null)?.next ?? null;
  const result = { kind: 'cohort_verification', name: cohort.name, parts, next } as const;
  return { exit: next === null ? 'OK' : 'UNRECONCILED', result };
}

/** Flags that mean something for one resource only. */
const COHORT_EXCLUDES = [
  ['run', '--run'],
  ['askAgain', '--ask-again'],
  ['accounts', '--accounts'],
  ['map', '--map'],
] as const satisfies readonly (readonly [keyof VerifyOptions, string])[];

interface VerifySettings {
  readonly settings: Settings;
  readonly interruption: Interruption;
}

async function verified(
  options: VerifyOptions,
  { settings, interruption }: VerifySettings,
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
  const ids = chosenRuns(options, checked, { folder, target: settings.get('baseUrl') });
  const sides: ComparedSide[] = [];
  if (ids.length > 0) {
    const runs = openFinishedRuns(ids, options.resource, { folder, onClose, command: 'verify' });
    const onAccount = accounts.of('run');
    sides.push(comparedWithRuns(checked, { runs, with: 'run', codes: OF_RUN }, { onClose, onAccount }));
    for (const each of runs) each.close();
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
    sides.push(comparedWithLedger(checked, { ledger, store, descriptors }, { onClose, onAccount }));
  }
  if (options.askAgain) {
    const asked = await askAgain(options, settings, context);
    if (asked.run === null) return { exit: asked.ending.exit, result: asked };
    const runs = openFinishedRuns([asked.run], options.resource, {
      folder,
      onClose,
      command: 'verify',
    });
    const onAccount = accounts.of('asking');
    sides.push(comparedWithRuns(checked, { runs, with: 'asking', codes: OF_ASKING }, { onClose, onAccount }));
  }
  accounts.finish();

  const { read: all, not_sent: valid, invalid, filtered } = report.rows;
  for (const { names, totals } of sides)
    if (comparedRows(totals) !== valid)
      throw new AppError('totals_unequal', {
        what: `the comparison with ${names.join(', ')}`,
        detail: `${valid} rows are valid, ${comparedRows(totals)} were compared`,
      });
  const invalidRows = invalidRowsOf(checked);
  const first = [...invalidRows, ...sides.flatMap(({ differences }) => differences)].find(
    ({ severity }) => severity === 'error',
  );
  const isChainBroken = sides.some(({ chains }) => chains.some(isBroken));
  const code = first?.code ?? (isChainBroken ? 'chain_broken' : null);
  return {
    exit: code === null ? 'OK' : 'UNRECONCILED',
    result: {
      kind: 'verification',
      resource: options.resource,
      rows: { read: all, valid, invalid, filtered },
      invalidRows,
      sides,
      signedBy: signature?.file ?? null,
      next: code === null ? null : `dataimport explain ${code}`,
    },
  };
}

const NEXT_STEPS = {
  staged: null,
  invalid: 'correct the problems, then type the same command again',
  interrupted: 'nothing was compared: type the same command again',
};

/** @throws AppError `usage`, `signing_key_unusable`, `signature_refused`, `file_not_readable` */
function readSigned({ signed, publicKey: keyFile }: VerifyOptions, cwd: string): SignedReport | undefined {
  if (signed === undefined && keyFile === undefined) return undefined;
  if (signed === undefined || keyFile === undefined) throw usage('--signed and --public-key belong together');
  const key = publicKey(readText(keyFile, cwd), keyFile);
  return signedReport(readText(signed, cwd), { file: signed, key });
}

function usage(reason: string): AppError {
  return new AppError('usage', { reason, command: 'verify' });
}

/** Asking adds nothing only where the platform looks for earlier records. @throws AppError `usage` */
function assertMayAsk({ askAgain: asks, resource, file }: VerifyOptions): void {
  if (!asks) return;
  const statuses = DESCRIPTORS[resource].answer.statuses ?? {};
  if (!Object.values(statuses).includes('existing')) {
    const reason = `--ask-again: the platform cannot say that ${resource} are already there`;
    throw new AppError('usage', { reason, command: 'verify' });
  }
  if (file.includes('-'))
    throw new AppError('usage', {
      reason: '--ask-again reads files twice, so it needs files, not -',
      command: 'verify',
    });
}

/** @throws AppError `run_to_verify_missing` when there is nothing to compare with */
function chosenRuns(
  { run: typed, ledger, askAgain: asks, resource }: VerifyOptions,
  { sources: { contentSha256 }, run }: CheckedFiles,
  { folder, target }: { readonly folder: RunsFolder; readonly target: string | undefined },
): readonly string[] {
  if (typed) return typed;
  const { shard } = run.header.options.selection ?? {};
  const newest = newestRunsOf({ contentSha256, target, shard }, resource, folder);
  if (newest.length > 0) return newest;
  if (ledger !== undefined || asks) return [];
  const to = target === undefined ? '' : ` to ${target}`;
  throw new AppError('run_to_verify_missing', { to, folder: folder.path });
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
