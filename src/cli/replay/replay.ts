import { join } from 'node:path';
import { commandLine } from '../../core/command-line.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { assertWritable, writeTypedFile } from '../command/typed-file.ts';
import { junitText } from '../output/formats/junit.ts';
import type { Result } from '../output/result.ts';
import { counted } from '../output/text/text.ts';
import { EXPECTATION_FILE } from './expectation.ts';
import { fixtureFolders, openFixture, replayFixture, type FolderOutcome } from './fixture.ts';

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
  if (junit !== undefined) {
    // A folder is a test, which fails with its difference.
    const cases = folders.map(({ folder, difference }) => ({
      name: folder,
      failure: difference === null ? null : `differs from its expectation\n${difference}`,
    }));
    const suite = { name: 'replay', cases, properties: { folders: folders.length }, seconds: 0 };
    writeTypedFile(junit, junitText('dataimport replay', [suite], 0), io.cwd, 'junit');
  }
  const isDifferent = folders.some(({ difference }) => difference !== null);
  return { exit: isDifferent ? 'DIFFERENT' : 'OK', result: shownReplay(folders) };
}

/** A folder and what differs from its expectation. Shown when it has ended. */
function folderLines({ folder, outcome, steps, difference }: FolderOutcome): readonly string[] {
  const lines = difference?.trimEnd().split('\n') ?? [];
  return [
    `${outcome.padEnd(11)}  ${folder}  (${counted(steps, 'step')})`,
    ...lines.map((line) => `  ${line}`),
  ];
}

/** All folders of a replay, and what to type next. */
const shownReplay = (folders: readonly FolderOutcome[]): Result => {
  const different = folders.filter(({ difference }) => difference !== null).map(({ folder }) => folder);
  const accept = commandLine('replay --update', different);
  const outcomes = [...Map.groupBy(folders, ({ outcome }) => outcome)].map(
    ([outcome, each]) => `${each.length} ${outcome}`,
  );
  return {
    next: different.length === 0 ? null : `correct what changed, or accept it with \`${accept}\``,
    fields: { folders },
    text: () => [`${counted(folders.length, 'folder')}: ${outcomes.join(', ')}`],
    annotated: different.map((folder) => ({
      code: 'replay differs',
      severity: 'error',
      file: join(folder, EXPECTATION_FILE),
      line: 1,
      detail: 'the replay differs from this expectation; the log of the step has the difference',
    })),
  };
};
