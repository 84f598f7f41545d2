import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Option } from 'commander';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { collect, flagValue } from '../command/flags.ts';
import { listenForInterruption } from '../command/interruption.ts';
import { count, duration } from '../settings/parsers.ts';
import { runClient, type ClientSetup } from './client-run.ts';
import { isWrongData } from './findings.ts';
import { trialOf } from './trial.ts';
import { shownTry } from './try-result.ts';

export interface TryOptions {
  readonly command: readonly [string, ...string[]];
  readonly seed?: readonly string[];
  /** In milliseconds. */
  readonly budget: number;
  readonly runs: number;
  readonly jobs: number;
  readonly restart: boolean;
}

const MINUTE_MS = 60_000;

export const command: CommandDeclaration<TryOptions> = {
  description:
    'Runs the command of your client against a local platform with DATAIMPORT_BASE_URL and DATAIMPORT_API_KEY: twice undisturbed, then again and again, each time with a fault at one request. Compares what is stored, and lists what the client does wrong, the worst first (docs/try.md). Ends with 1 when records would be lost, doubled or changed.',
  examples: [
    'dataimport try -- node client.mjs',
    'dataimport try --seed seed.yaml --budget 10m --restart -- python3 client.py',
  ],
  settings: ['contract'],
  declare(command) {
    command
      .argument('<command...>', 'the command that runs your client once, after --')
      .option('--seed <file>', 'content of each platform, as of `serve`; may be given several times', collect)
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
      .option('--restart', 'also kill the client, and run its command again', false);
  },
  run,
};

async function run(options: TryOptions, context: CommandContext): Promise<CommandEnd> {
  const { io, output } = context;
  const { command, seed: seeds = [], restart } = options;
  const interruption = listenForInterruption(context, { sends: false });
  const contract = (await context.settings()).get('contract');
  const setup: ClientSetup = {
    command,
    seeds: seeds.map((file) => resolve(io.cwd, file)),
    contract: contract === undefined ? undefined : resolve(io.cwd, contract),
    io,
    stopping: interruption.stopping,
  };
  const notice = (text: string): void => {
    for (const line of text.split('\n')) output.emit({ kind: 'notice', text: line });
  };
  const trial = await trialOf({
    run: (fault, limits) => runClient(fault, limits, setup),
    timing: io.timing,
    stopping: interruption.stopping,
    budgetMs: options.budget,
    mostRuns: options.runs,
    jobs: options.jobs,
    restart,
    showOutput: (text) => notice(text.trimEnd().split('\n').slice(-LAST_LINES).join('\n')),
  });
  // What was tried until a signal came proves nothing.
  const isStopped = interruption.stopping.aborted;
  const isWrong = trial.findings.some(({ finding: { kind } }) => isWrongData(kind));
  return {
    exit: isStopped ? interruption.exit() : isWrong ? 'DIFFERENT' : 'OK',
    result: shownTry({ trial, command, seeds, restart }),
  };
}

const LAST_LINES = 20;
