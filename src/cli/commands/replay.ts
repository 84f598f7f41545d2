import { availableParallelism } from 'node:os';
import { Option } from 'commander';
import { dateInZone } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import { flagValue } from '../flag-value.ts';
import { exitDocument } from '../render/json-output.ts';
import { escapeControl } from '../render/text.ts';
import { openFixture, replayFixture } from '../replay/fixture.ts';
import { fixtureFolders } from '../replay/fixture-folders.ts';
import { inLanes } from '../replay/lanes.ts';
import type { ReplayDocument } from '../replay/replay-document.ts';
import type { ReplayPorts } from '../replay/replay-folder.ts';
import { closingText, folderText } from '../replay/replay-text.ts';
import { count } from '../settings/reading.ts';
import { listenForInterruption, type Interruption } from './interruption.ts';
import { startReplayPlatform } from './replay/platform.ts';

export interface ReplayOptions {
  readonly dir: readonly string[];
  readonly update?: boolean;
  /** Folders that are replayed at the same time. */
  readonly jobs: number;
}

export const replay: CommandDeclaration<ReplayOptions> = {
  name: 'replay',
  group: 'Rehearse',
  summary: 'Run fixture migrations and compare with what they expect',
  description:
    'Runs the steps in the expected.yaml of each folder against a local platform that holds its seed.yaml, and shows as a diff what is not as expected. A folder of such folders stands for all of them. Ends with 1 when anything differs.',
  examples: ['dataimport replay fixtures', 'dataimport replay fixtures/german-billing --update'],
  settings: [],
  declare(command) {
    command
      .argument('<dir...>', 'folders with seed.yaml and expected.yaml, or folders of such folders')
      .option('--update', 'write what happened to expected.yaml, in place of comparing')
      .addOption(
        new Option('-j, --jobs <n>', 'folders at the same time')
          .argParser(flagValue(count({ max: 256 })))
          .default(availableParallelism(), 'one for each core'),
      );
  },
  run,
};

async function run({ dir, jobs, update = false }: ReplayOptions, context: CommandContext): Promise<ExitName> {
  const { io, globals } = context;
  const interruption = listenForInterruption(context);
  const firstDay = update ? dateInZone(io.timing.nowMs(), 'UTC') : null;
  // A mistake in one expectation is told before all others are replayed.
  const fixtures = fixtureFolders(dir, io.cwd).map((folder) =>
    openFixture({ folder, cwd: io.cwd, firstDay }),
  );
  const ports = await portsOf(interruption, context);
  const replayed = await inLanes(fixtures, jobs, {
    start: (fixture) => replayFixture(fixture, update, ports),
    tell({ outcome, messages }) {
      if (!globals.json) io.stdout.write(folderText(outcome));
      io.stderr.write(messages.map((line) => `${escapeControl(line)}\n`).join(''));
    },
  });
  const folders = replayed.map(({ outcome }) => outcome);
  const isDifferent = folders.some(({ outcome }) => outcome === 'different');
  const exit = interruption.interrupt.aborted ? interruption.exit() : isDifferent ? 'DIFFERENT' : 'OK';
  context.document({ version: 1, exit: exitDocument(exit), folders } satisfies ReplayDocument);
  if (!globals.json) io.stdout.write(closingText(folders));
  return exit;
}

async function portsOf({ interrupt, cut }: Interruption, { io }: CommandContext): Promise<ReplayPorts> {
  // Loaded here because the program knows its commands and not the other way round.
  const { main } = await import('../main.ts');
  return {
    startPlatform: (seed, nowMs) => startReplayPlatform(seed, nowMs, io.version()),
    run: main,
    machine: {
      pid: io.pid,
      platform: io.platform,
      packageFolder: io.packageFolder,
      version: () => io.version(),
    },
    interrupt,
    cut,
  };
}
