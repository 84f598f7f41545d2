import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { junitText } from '../output/formats/junit.ts';
import { folderLines, replaySuite, shownReplay, type FolderOutcome } from './replay-result.ts';
import { fixtureFolders, openFixture, replayFixture } from './fixture.ts';
import { assertWritable, writeTypedFile } from '../command/typed-file.ts';

export interface ReplayOptions {
  readonly dir: readonly string[];
  readonly update?: boolean;
  readonly junit?: string;
}

export const command: CommandDeclaration<ReplayOptions> = {
  description:
    'Runs the steps in the expected.yaml of each folder against a local platform with its seed.yaml, and shows differences as a diff. A folder of such folders means all of them. Ends with 1 when anything differs.',
  examples: [
    'dataimport replay fixtures/german-billing --update',
    'dataimport replay fixtures --junit replay.xml',
  ],
  settings: [],
  declare(command) {
    command
      .argument('<dir...>', 'folders with seed.yaml and expected.yaml, or folders of such folders')
      .option('--update', 'write the results to expected.yaml instead of comparing')
      .option('--junit <file>', 'write the folders as JUnit tests, for CI');
  },
  run,
};

async function run(
  { dir, junit, update = false }: ReplayOptions,
  { io, output, runCommandLine }: CommandContext,
): Promise<CommandEnd> {
  if (junit !== undefined) assertWritable(junit, io.cwd, { kind: 'junit' });
  // All of them first: an expectation that is wrong is reported before any folder is replayed.
  const fixtures = fixtureFolders(dir, io.cwd).map((folder) => openFixture(folder, io.cwd));
  const folders: FolderOutcome[] = [];
  for (const fixture of fixtures) {
    const { outcome, messages } = await replayFixture(fixture, update, { io, runCommandLine });
    const unexpected = messages.map((stderr) => ({ stderr }));
    output.emit({ kind: 'shown', parts: [...folderLines(outcome), ...unexpected] });
    folders.push(outcome);
  }
  if (junit !== undefined)
    writeTypedFile(junit, junitText('dataimport replay', [replaySuite(folders)], 0), io.cwd, 'junit');
  const isDifferent = folders.some(({ outcome }) => outcome === 'different');
  return { exit: isDifferent ? 'DIFFERENT' : 'OK', result: shownReplay(folders) };
}
