import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { collect, flagValue } from '../command/flags.ts';
import { assertWritable, writeTypedFile } from '../command/typed-file.ts';
import { listenForInterruption } from '../ending/interruption.ts';
import { junitText, type JUnitSuite } from '../output/formats/junit.ts';
import { count, duration } from '../settings/parsers.ts';
import { runClient, type ClientSetup } from './client-run.ts';
import { isWrongData } from './findings.ts';
import { keepTrial } from './last-trial.ts';
import { replayed } from './replayed.ts';
import { trialOf, type UndisturbedOptions } from './trial.ts';
import { runText, shownTry, suiteWithout, trySuite, type TryResult } from './try-result.ts';

export interface TryOptions {
  readonly command: readonly [string, ...string[]];
  readonly seed: readonly string[];
  /** In milliseconds. */
  readonly budget: number;
  /** Most runs with faults. */
  readonly runs: number;
  /** Runs at the same time. */
  readonly jobs: number;
  readonly faultSeed: number;
  readonly restart: boolean;
  readonly junit?: string;
  /** The number of a finding of the last trial. */
  readonly replay?: number;
}

const MINUTE_MS = 60_000;

export const command: CommandDeclaration<TryOptions> = {
  description:
    'Runs the command of your client against a local platform with DATAIMPORT_BASE_URL and DATAIMPORT_API_KEY: twice undisturbed, then again and again, each time with a fault at one request or two. Compares what is stored, and lists what the client does wrong, the worst first (docs/try.md). Ends with 1 when records would be lost, doubled or changed.',
  examples: [
    'dataimport try --seed seed.yaml -- node client.mjs',
    'dataimport try --seed seed.yaml --budget 10m --restart --junit try.xml -- python3 client.py',
    'dataimport try --seed seed.yaml --replay 1 -- node client.mjs',
  ],
  settings: ['contract'],
  declare(command) {
    const most = Number.MAX_SAFE_INTEGER;
    command
      .argument('<command...>', 'the command that runs your client once, after --')
      .requiredOption('--seed <file>', 'content of each platform; may be given several times', collect)
      .addOption(
        new Option('--budget <duration>', 'how long new runs begin')
          .argParser(flagValue(duration))
          .default(2 * MINUTE_MS, '2m'),
      )
      .option('--runs <n>', 'most runs with faults', flagValue(count({ max: 100_000 })), 200)
      .addOption(
        new Option('-j, --jobs <n>', 'runs at the same time')
          .argParser(flagValue(count({ max: 256 })))
          .default(Math.max(2, availableParallelism()), 'one for each core, at least 2'),
      )
      .option(
        '--fault-seed <n>',
        'seed of the order of faults and of the pairs',
        flagValue(count({ min: 0, max: most })),
        0,
      )
      .option('--restart', 'also kill the client, and run its command again', false)
      .option('--junit <file>', 'write the kinds of faults as JUnit tests, for CI')
      .option(
        '--replay <n>',
        'play finding n of the last trial again, say whether it is there again, and keep the page open until Ctrl-C',
        flagValue(count({ max: most })),
      );
  },
  run,
};

async function run(options: TryOptions, context: CommandContext): Promise<CommandEnd> {
  const { io, output, globals, words } = context;
  const { junit, replay } = options;
  const interruption = listenForInterruption(context, { sends: false });
  const contract = (await context.settings()).get('contract');
  const setup: ClientSetup = {
    command: options.command,
    seeds: options.seed.map((file) => resolve(io.cwd, file)),
    contract: contract === undefined ? undefined : resolve(io.cwd, contract),
    io,
    stopping: interruption.stopping,
  };
  const client = { command: options.command, seeds: options.seed };
  const notice = (text: string): void => {
    for (const line of text.split('\n')) output.emit({ kind: 'notice', text: line });
  };
  const undisturbed: UndisturbedOptions = {
    run: (faults, limits) => runClient(faults, limits, setup),
    timing: io.timing,
    stopping: interruption.stopping,
    budgetMs: options.budget,
    ran: (ended) => (globals.verbose ? notice(runText(ended)) : undefined),
    showOutput: (text) => notice(text.trimEnd().split('\n').slice(-LAST_LINES).join('\n')),
  };
  if (replay !== undefined) return replayed(replay, { client, setup, undisturbed, interruption }, context);
  if (junit !== undefined) assertWritable(junit, io.cwd, { kind: 'junit' });
  const startedMs = io.timing.monotonicMs();
  const secondsSince = (): number => (io.timing.monotonicMs() - startedMs) / 1_000;
  const writeJunit = (suite: JUnitSuite): void => {
    if (junit === undefined) return;
    writeTypedFile(junit, junitText('dataimport try', [suite], suite.seconds), io.cwd, 'junit');
  };
  const trial = await trialOf({
    ...undisturbed,
    mostRuns: options.runs,
    jobs: options.jobs,
    seed: options.faultSeed,
    restart: options.restart,
  }).catch((error: unknown) => {
    if (error instanceof AppError) writeJunit(suiteWithout(error.message, secondsSince()));
    throw error;
  });
  const result: TryResult = {
    trial,
    words: words.slice(0, words.length - options.command.length).filter((word) => word !== '--'),
    command: options.command,
    durationMs: secondsSince() * 1_000,
    seed: options.faultSeed,
  };
  keepTrial(client, trial.findings, io.cwd);
  // What was tried until a signal came proves nothing.
  const isStopped = interruption.stopping.aborted;
  writeJunit(isStopped ? suiteWithout('the trial was stopped', secondsSince()) : trySuite(result));
  const isWrong = trial.findings.some(({ finding: { kind } }) => isWrongData(kind));
  return {
    exit: isStopped ? interruption.exit() : isWrong ? 'DIFFERENT' : 'OK',
    result: shownTry(result),
  };
}

/** How much of a failing client is shown. */
const LAST_LINES = 20;
