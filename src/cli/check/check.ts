import { CountedRows } from '../journal/read/counted-rows.ts';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { declareSources, type SourceFlags } from '../command/flags.ts';
import type { CheckResult } from '../output/run/run-document.ts';
import { shownCheck } from '../output/run/run-result.ts';
import { appliedContract } from '../sources/applied-contract.ts';
import { checkedFiles } from './checked-files.ts';
import { listenForInterruption, type Interruption } from '../command/interruption.ts';
import { withFiles } from '../sources/sources.ts';
import { rejectsAfterReading, rejectsTargets } from '../rejects/rejects.ts';
import { assertWritable, writeTypedFile } from '../command/typed-file.ts';
import { checkEnding } from './check-ending.ts';
import { suiteOfCheck, type CheckedRows } from './check-suite.ts';

export interface CheckOptions extends SourceFlags {
  /** File for the causes of errors as JUnit tests. */
  readonly junit?: string;
}

export const command: CommandDeclaration<CheckOptions> = {
  description:
    'Reads, maps and checks every row and prints every problem as file:line:column. Sends nothing and keeps nothing.',
  examples: [
    'dataimport check transactions transactions.csv',
    'dataimport check notes notes.csv --supplier ACME --json',
  ],
  settings: ['supplier', 'contract'],
  declare(command) {
    declareSources(command);
    command.option('--junit <file>', 'write the causes of errors as JUnit tests, for CI');
  },
  run,
};

async function run(typed: CheckOptions, context: CommandContext): Promise<CommandEnd> {
  const options = await withFiles(typed, context.io.cwd);
  assertJUnitFits(options, context);
  const interruption = listenForInterruption(context, { sends: false });
  const { io } = context;
  const startedMs = io.timing.monotonicMs();
  const { junit } = options;
  const writeJUnit = async (found: Omit<CheckedRows, 'files' | 'seconds'>): Promise<void> => {
    if (junit === undefined) return;
    const { junitText } = await import('../output/formats/junit.ts');
    const seconds = (io.timing.monotonicMs() - startedMs) / 1_000;
    const suite = suiteOfCheck({ ...found, files: options.file, seconds });
    writeTypedFile(junit, junitText('dataimport check', [suite], seconds), io.cwd, 'junit');
  };
  const checked = await check(options, context, interruption).catch(async (error: unknown) => {
    // CI shows a mapping that cannot be used, or a missing file, where it shows the rows.
    if (error instanceof AppError && junit !== undefined) {
      const { failureOf } = await import('../output/failure.ts');
      const { problems } = failureOf(error);
      await writeJUnit({ problems, problemsTotal: problems.length, errorGroups: [], isRead: false });
    }
    throw error;
  });
  const { report, ending } = checked;
  await writeJUnit({ ...report, isRead: true });
  return { exit: ending.exit, result: shownCheck(checked) };
}

async function check(
  options: CheckOptions,
  context: CommandContext,
  interruption: Interruption,
): Promise<CheckResult> {
  const { cwd } = context.io;
  const targets = rejectsTargets(options.rejects, options.file, cwd);
  const settings = await context.settings();
  const contract = await appliedContract(settings, cwd);
  const { sources, run, staged } = await checkedFiles(
    options,
    settings,
    { ports: context, interruption },
    { contract, counted: new CountedRows() },
  );
  const notes = await rejectsAfterReading(run, staged, { files: sources.files, targets });
  const report = run.report();
  const ending = checkEnding(staged, interruption, NEXT_STEPS);
  return { report, ending, notes };
}

/** @throws AppError `usage`, `file_not_writable`, `file_not_ours` */
function assertJUnitFits({ junit, showValues }: CheckOptions, { io: { cwd } }: CommandContext): void {
  if (junit === undefined) return;
  if (showValues) {
    const reason = '--junit and --show-values do not go together, because files for CI are published';
    throw new AppError('usage', { reason, command: 'check' });
  }
  assertWritable(junit, cwd, { kind: 'junit' });
}

const NEXT_STEPS = {
  staged: null,
  invalid: 'correct the problems, then type the same command again',
  interrupted: 'the check is incomplete: type the same command again',
};
