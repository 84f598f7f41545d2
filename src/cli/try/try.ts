import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { temporaryFolder } from '../outside/temporary-folder.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { collect, flagValue } from '../command/flags.ts';
import { assertWritable, writeTypedFile } from '../command/typed-file.ts';
import { listenForInterruption } from '../ending/interruption.ts';
import { junitText } from '../output/formats/junit.ts';
import { escapeControl } from '../output/text/text.ts';
import { count, duration } from '../settings/parsers.ts';
import { openPlatform, runClient, startClient, TRIAL_FOLDER, type ClientSetup } from './client-run.ts';
import { keepTrial, keptFaults } from './last-trial.ts';
import { trialOf } from './trial.ts';
import { runText, shownTry, trySuite, whenOf, type TryResult } from './try-result.ts';

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
        'play finding n of the last trial again, and keep the page open until Ctrl-C',
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
  if (replay !== undefined) return replayed(replay, setup, context);
  if (junit !== undefined) assertWritable(junit, io.cwd, { kind: 'junit' });
  const startedMs = io.timing.monotonicMs();
  const notice = (text: string): void => {
    for (const line of text.split('\n')) output.emit({ kind: 'notice', text: line });
  };
  const trial = await trialOf({
    run: (faults, limits) => runClient(faults, limits, setup),
    timing: io.timing,
    stopping: interruption.stopping,
    budgetMs: options.budget,
    mostRuns: options.runs,
    jobs: options.jobs,
    seed: options.faultSeed,
    restart: options.restart,
    ran: (ended) => (globals.verbose ? notice(runText(ended)) : undefined),
    showOutput: (text) => notice(text.trimEnd().split('\n').slice(-LAST_LINES).join('\n')),
  });
  const result: TryResult = {
    trial,
    words: words.slice(0, words.length - options.command.length).filter((word) => word !== '--'),
    command: options.command,
    durationMs: io.timing.monotonicMs() - startedMs,
    seed: options.faultSeed,
  };
  keepTrial(trial.findings, io.cwd);
  if (junit !== undefined) {
    const suite = trySuite(result);
    writeTypedFile(junit, junitText('dataimport try', [suite], result.durationMs / 1_000), io.cwd, 'junit');
  }
  const isWrong = trial.findings.some(({ finding: { kind } }) => WRONG.has(kind));
  return {
    exit: interruption.stopping.aborted ? interruption.exit() : isWrong ? 'DIFFERENT' : 'OK',
    result: shownTry(result),
  };
}

/** How much of a failing client is shown. */
const LAST_LINES = 20;

/** Findings after which the platform has the wrong records, and nobody knows. */
const WRONG: ReadonlySet<string> = new Set(['lost', 'twice', 'different']);

/** Plays a finding again, and keeps its platform until the first signal. */
async function replayed(number: number, setup: ClientSetup, context: CommandContext): Promise<CommandEnd> {
  const { io, output, onClose } = context;
  const faults = keptFaults(number, io.cwd);
  const notice = (text: string): void => output.emit({ kind: 'notice', text });
  const folder = temporaryFolder(TRIAL_FOLDER);
  onClose(() => rmSync(folder, { recursive: true, force: true }));
  let kill = (): void => undefined;
  const platform = await openPlatform(faults, folder, setup, () => kill());
  onClose(async () => void (await platform.close()));
  onClose(() => kill());
  notice(`finding ${number}, when ${whenOf(faults)}: ${platform.url}/#/requests`);
  if (io.stdout.isTTY) await io.openPage(`${platform.url}/#/requests`);
  const stopped = new Promise<void>((end) => setup.stopping.addEventListener('abort', () => end()));
  const play = async (): Promise<void> => {
    const client = startClient(platform, folder, setup);
    kill = client.kill;
    const exitCode = await client.ended;
    notice(escapeControl(`the client ended with ${exitCode ?? 'a signal'}`));
    if (exitCode === null && platform.hasKilled() && !setup.stopping.aborted) await play();
  };
  await Promise.race([play(), stopped]);
  notice('Look at the page. Press Ctrl-C to end.');
  if (!setup.stopping.aborted) await stopped;
  return { exit: 'OK' };
}
