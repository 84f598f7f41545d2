import { CountedRows } from '../run-file/read/counted-rows.ts';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import type { ClosingStep, CommandPorts } from '../command/command-ports.ts';
import { declareSources, type SourceFlags } from '../command/flags.ts';
import { showFailure } from '../output/output.ts';
import type { CheckResult } from '../output/run/run-document.ts';
import { shownCheck } from '../output/run/run-result.ts';
import { appliedContract } from '../sources/applied-contract.ts';
import { checkedFiles } from './checked-files.ts';
import { correctionOf } from '../ending/ending.ts';
import { listenForInterruption, type Interruption } from '../ending/interruption.ts';
import { mappingNames } from '../../files/data-files.ts';
import { withFiles } from '../sources/sources.ts';
import { leftOutTargets, rejectsAfterReading, rejectsTargets, writeLeftOut } from '../rejects/rejects.ts';
import { assertWritable, writeTypedFile } from '../command/typed-file.ts';
import { nextSave, savedFiles } from './watch.ts';
import { checkEnding } from './check-ending.ts';
import { suiteOfCheck, type CheckedRows } from './check-suite.ts';

export interface CheckOptions extends SourceFlags {
  /** Whether to check again whenever a file is saved. */
  readonly watch?: boolean;
  /** File for the causes of errors as JUnit tests. */
  readonly junit?: string;
}

export const command: CommandDeclaration<CheckOptions> = {
  description:
    'Reads, maps and checks every row and prints every problem as file:line:column. Sends nothing and keeps nothing.',
  examples: [
    'dataimport check transactions transactions.csv',
    'dataimport check notes notes.csv --supplier ACME --json',
    'dataimport check transactions transactions.csv --watch',
  ],
  settings: ['supplier', 'contract'],
  declare(command) {
    declareSources(command);
    command.option('--junit <file>', 'write the causes of errors as JUnit tests, for CI');
    command.option(
      '--watch',
      'check again whenever a file, its mapping or a file that the mapping uses is saved, until Ctrl-C',
    );
  },
  run,
};

async function run(typed: CheckOptions, context: CommandContext): Promise<CommandEnd> {
  const options = await withFiles(typed, context.io.cwd);
  assertJUnitFits(options, context);
  if (options.watch) return watch(options, context);
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
  const checked = await check(options, context, { ...context, interruption }).catch(
    async (error: unknown) => {
      // CI shows a mapping that cannot be used, or a missing file, where it shows the rows.
      if (error instanceof AppError && junit !== undefined) {
        const { failureOf } = await import('../output/failure.ts');
        const { problems } = failureOf(error);
        await writeJUnit({ problems, problemsTotal: problems.length, errorGroups: [], isRead: false });
      }
      throw error;
    },
  );
  const { report, ending } = checked.result;
  await writeJUnit({ ...report, isRead: true });
  return { exit: ending.exit, result: shownCheck(checked.result) };
}

/** One check, and the names of the files that its mappings use. */
async function check(
  options: CheckOptions,
  { settings: resolved }: CommandContext,
  { interruption, ...ports }: CommandPorts & { interruption: Interruption },
): Promise<{ result: CheckResult; inputs: readonly string[] }> {
  const { cwd } = ports.io;
  const files = [...options.file, ...(options.corrections ?? [])];
  const targets = rejectsTargets(options.rejects, files, cwd);
  const leftOut = leftOutTargets(options.leftOut, files, cwd);
  const settings = await resolved();
  const contract = await appliedContract(settings, cwd);
  const { sources, run, staged } = await checkedFiles(
    options,
    settings,
    { ports, interruption },
    { contract, counted: new CountedRows({ keepsLeftOut: leftOut.length > 0 }) },
  );

  const notes = [
    ...(await writeLeftOut(run, sources.files, leftOut)),
    ...(await rejectsAfterReading(run, staged, { files: sources.files, targets })),
  ];
  const report = run.report();
  const invalid = `${correctionOf(report, 'correct the problems')}, then type the same command again`;
  const ending = checkEnding(staged, interruption, { ...NEXT_STEPS, invalid });
  return { result: { report, ending, notes }, inputs: sources.inputs.map(({ name }) => name) };
}

/** Checks until it is interrupted, again after each save. A failure, such as a wrong mapping, is shown and waits for the next save. */
async function watch(options: CheckOptions, context: CommandContext): Promise<CommandEnd> {
  const { io, output, globals, onClose } = context;
  assertWatchable(options, globals.json);
  // No request is in flight, so there is nothing to say about an interruption.
  const interruption = listenForInterruption({ io, onClose, output: { ...output, emit: () => undefined } });
  const { stopping } = interruption;
  const typed = options.map === undefined ? options.file.flatMap(mappingNames) : [options.map];
  let names: readonly string[] = [...options.file, ...typed];
  for (;;) {
    const before = savedFiles(names, io.cwd);
    const steps: ClosingStep[] = [];
    try {
      const ports = { ...context, onClose: (close: ClosingStep) => void steps.push(close), interruption };
      const { result, inputs } = await check(options, context, ports);
      names = [...options.file, ...typed, ...inputs];
      output.showPart(shownCheck(result), result.ending.exit);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await showFailure(error, io, globals);
      names = [...names, ...filesNamed(error)];
    } finally {
      for (const close of steps.toReversed()) await close();
    }
    output.emit({ kind: 'watching' });
    // A file that was saved during the check differs already.
    const known = new Map([...savedFiles(names, io.cwd), ...before]);
    if (!(await nextSave(known, { timing: io.timing, stopping }))) return { exit: interruption.exit() };
  }
}

/** @throws AppError `usage`, `file_not_writable`, `file_not_ours` */
function assertJUnitFits(
  { junit, showValues, watch: isWatched }: CheckOptions,
  { io: { cwd } }: CommandContext,
): void {
  if (junit === undefined) return;
  const command = 'check';
  if (showValues) {
    const reason = '--junit and --show-values do not go together, because files for CI are published';
    throw new AppError('usage', { reason, command });
  }
  if (isWatched) throw new AppError('usage', { reason: '--watch and --junit do not go together', command });
  assertWritable(junit, cwd, { kind: 'junit' });
}

/** @throws AppError `usage` */
function assertWatchable({ file, rejects, leftOut }: CheckOptions, json: boolean): void {
  const command = 'check';
  if (file.includes('-')) throw new AppError('usage', { reason: '--watch needs files, not -', command });
  if (json) throw new AppError('usage', { reason: '--watch has no end, so it has no --json', command });
  if (rejects !== undefined)
    throw new AppError('usage', { reason: '--watch and --rejects do not go together', command });
  if (leftOut !== undefined)
    throw new AppError('usage', { reason: '--watch and --left-out do not go together', command });
}

/** The files that a failure names, such as an included mapping with an error. */
function filesNamed({ facts, cause }: AppError): readonly string[] {
  const inner = cause instanceof AggregateError ? (cause.errors as readonly unknown[]) : [];
  return [
    ...(typeof facts['file'] === 'string' ? [facts['file']] : []),
    ...inner.flatMap((error) => (error instanceof AppError ? filesNamed(error) : [])),
  ];
}

const NEXT_STEPS = {
  staged: null,
  interrupted: 'the check is incomplete: type the same command again',
};
