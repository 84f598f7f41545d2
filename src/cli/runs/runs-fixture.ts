import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { commandLine } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { flagValue, runArgument } from '../command/flags.ts';
import { shownProblemFixture } from './problem-fixture-result.ts';
import { LISTED_PROBLEMS } from '../push/ports/report.ts';
import { problemFixture, type ProblemFixture } from '../replay/problem-fixture.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import { listenForInterruption } from '../ending/interruption.ts';
import { problemCase } from './problem-case.ts';
import { count } from '../settings/parsers.ts';
import { notWritten } from '../command/typed-file.ts';
import { replayPorts } from '../replay/replay-ports.ts';
import { openedRun } from '../ending/opened-run.ts';

export interface RunsFixtureOptions {
  readonly run: string;
  /** Place of the problem in the list of the report, from 1. */
  readonly problem: number;
  /** The new folder. */
  readonly out?: string;
  /** Whether values stay when the problem does not show without them. */
  readonly showValues?: boolean;
}

export const command: CommandDeclaration<RunsFixtureOptions> = {
  description:
    'Makes a folder for `replay` that shows a problem of a run again: the fewest rows that are needed, the mapping, a seed and the expectation. Letters and digits of the values are replaced by others, so the folder can be given to others.',
  examples: ['dataimport runs fixture 20261121-101502-transactions-4f2a --problem 1'],
  settings: ['runDir', 'contract'],
  declare: (command) =>
    void command
      .addArgument(runArgument())
      .requiredOption(
        '--problem <n>',
        'number of the problem in `problems` of `runs show --json`, from 1',
        flagValue(count({ max: LISTED_PROBLEMS })),
      )
      .option('--out <folder>', 'the new folder (default: fixture-<run>-<n>)')
      .option('--show-values', 'let values stay as they are when the problem does not show without them'),
  run,
};

async function run(options: RunsFixtureOptions, context: CommandContext): Promise<CommandEnd> {
  const { io, onClose } = context;
  const { problem: number, showValues = false, out = `fixture-${options.run}-${number}` } = options;
  const path = resolve(io.cwd, out);
  if (existsSync(path)) throw new AppError('file_exists', { file: out });
  const settings = await context.settings();
  const run = openedRun(new RunsFolder(settings.need('runDir')), options.run, context);
  const problem = await problemCase(run, number, {
    contract: settings.get('contract'),
    cwd: io.cwd,
    onClose,
  });
  const interruption = listenForInterruption(context);
  const fixture = await problemFixture(problem, showValues, replayPorts(context, interruption));
  if (interruption.stopping.aborted) return { exit: interruption.exit() };
  if (!fixture) {
    const reason =
      fixture === null
        ? 'the problem shows with the values of the file only; --show-values keeps them'
        : 'the local platform does not show the problem with the rows around it';
    throw new AppError('fixture_not_made', { run: options.run, reason });
  }
  write(fixture, { path, out });
  return {
    exit: 'OK',
    result: shownProblemFixture({
      folder: out,
      code: problem.code,
      rows: fixture.rows,
      files: [...fixture.files.keys()],
      originalValues: fixture.leftOver,
      next: commandLine('replay', [out]),
    }),
  };
}

/** @throws AppError `file_exists`, `file_not_writable` */
function write({ files }: ProblemFixture, { path, out }: { path: string; out: string }): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    throw notWritten(out, error);
  }
  try {
    for (const [name, content] of files) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), content, { mode: 0o600 });
    }
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw notWritten(out, error);
  }
}
