import { availableParallelism } from 'node:os';
import { Option } from 'commander';
import { dateInZone } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { flagValue } from '../command/flags.ts';
import { junitText } from '../output/formats/junit.ts';
import { replaySuite, shownReplay } from './replay-result.ts';
import { fixtureFolders, openFixture, replayFixture } from './fixture.ts';
import { inLanes } from './lanes.ts';
import { listenForInterruption } from '../ending/interruption.ts';
import { count } from '../settings/parsers.ts';
import { assertWritable, writeTypedFile } from '../command/typed-file.ts';
import { replayPorts } from './replay-ports.ts';

export interface ReplayOptions {
  readonly dir: readonly string[];
  readonly update?: boolean;
  /** Folders that are replayed at the same time. */
  readonly jobs: number;
  /** File for the folders as JUnit tests. */
  readonly junit?: string;
}

export const command: CommandDeclaration<ReplayOptions> = {
  description:
    'Runs the steps in the expected.yaml of each folder against a local platform with its seed.yaml, and shows differences as a diff. A folder of such folders means all of them. Ends with 1 when anything differs.',
  examples: [
    'dataimport replay fixtures',
    'dataimport replay fixtures/german-billing --update',
    'dataimport replay fixtures --junit replay.xml',
  ],
  settings: [],
  declare(command) {
    command
      .argument('<dir...>', 'folders with seed.yaml and expected.yaml, or folders of such folders')
      .option('--update', 'write the results to expected.yaml instead of comparing')
      .option('--junit <file>', 'write the folders as JUnit tests, for CI')
      .addOption(
        new Option('-j, --jobs <n>', 'folders at the same time')
          .argParser(flagValue(count({ max: 256 })))
          .default(availableParallelism(), 'one for each core'),
      );
  },
  run,
};

async function run(
  { dir, jobs, junit, update = false }: ReplayOptions,
  context: CommandContext,
): Promise<CommandEnd> {
  const { io, output } = context;
  if (junit !== undefined) assertWritable(junit, io.cwd, { kind: 'junit' });
  const interruption = listenForInterruption(context);
  const firstDay = update ? dateInZone(io.timing.nowMs(), 'UTC') : null;
  // All of them first: an expectation that is wrong is reported before any folder is replayed.
  const fixtures = fixtureFolders(dir, io.cwd).map((folder) =>
    openFixture({ folder, cwd: io.cwd, firstDay }),
  );
  const ports = replayPorts(context, interruption);
  const { timing } = io;
  const startedMs = timing.monotonicMs();
  const replayed = await inLanes(fixtures, jobs, {
    start: async (fixture) => {
      const beganMs = timing.monotonicMs();
      const ended = await replayFixture(fixture, update, ports);
      return { ...ended, seconds: (timing.monotonicMs() - beganMs) / 1_000 };
    },
    ended: ({ outcome, messages }) => output.emit({ kind: 'replayed', outcome, messages }),
  });
  const folders = replayed.map(({ outcome }) => outcome);
  if (junit !== undefined) {
    const seconds = (timing.monotonicMs() - startedMs) / 1_000;
    const timed = replayed.map(({ outcome, seconds: took }) => ({ ...outcome, seconds: took }));
    const text = junitText('dataimport replay', [replaySuite(timed, seconds)], seconds);
    writeTypedFile(junit, text, io.cwd, 'junit');
  }
  const isDifferent = folders.some(({ outcome }) => outcome === 'different');
  return {
    exit: interruption.stopping.aborted ? interruption.exit() : isDifferent ? 'DIFFERENT' : 'OK',
    result: shownReplay({ folders }),
  };
}
