import { AppError } from '../../core/app-error.ts';
import { Option } from 'commander';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import {
  declareSources,
  flagValue,
  MOST_ROWS,
  resourceArgument,
  type SourceFlags,
} from '../command/flags.ts';
import type { CheckResult } from '../output/run/run-document.ts';
import { shownCheck } from '../output/run/run-summary.ts';
import { appliedContract } from '../sources/applied-contract.ts';
import { repeatedFlags } from '../ending/next-commands.ts';
import { checkedSources } from './checked-files.ts';
import { listenForInterruption, type Interruption } from '../command/interruption.ts';
import { unsentEnding } from '../sending/unsent-ending.ts';
import { openSources, withFiles } from '../sources/sources.ts';
import { rejectsAfterReading, rejectsTargets } from '../rejects/rejects.ts';
import { assertWritable, writeTypedFile } from '../command/typed-file.ts';
import { count } from '../settings/parsers.ts';
import { total } from '../../core/values/counts.ts';
import type { JUnitCase } from '../output/formats/junit.ts';
import { problemLine, type ReportedProblem } from '../output/text/problem-line.ts';
import { linesText } from '../output/text/problem-list.ts';
import { counted } from '../output/text/text.ts';
import type { ProblemGroup } from '../push/ports/report.ts';

/** The resource may be left out for a mapping alone. */
export interface CheckOptions extends Omit<SourceFlags, 'resource'> {
  readonly resource?: Resource;
  /** A line of the record to show. */
  readonly line?: number;
  /** File for the causes of errors as JUnit tests. */
  readonly junit?: string;
}

export const command: CommandDeclaration<CheckOptions> = {
  description:
    'Reads, maps and checks every row and prints every problem as file:line:column. Sends nothing and keeps nothing. With --line it shows one record: its cells, its fields, its problems, and the request that a push would send. With --map alone it lists every problem of the mapping file.',
  examples: [
    'dataimport check transactions transactions.csv',
    'dataimport check transactions transactions.csv --line 42',
  ],
  settings: ['supplier', 'contract'],
  declare(command) {
    declareSources(command, resourceArgument('[resource]'));
    command
      .addOption(
        new Option('--line <n>', 'show the record on this line, the values of its cells included')
          .argParser(flagValue(count({ max: MOST_ROWS })))
          .helpGroup('Rows:'),
      )
      .option('--junit <file>', 'write the causes of errors as JUnit tests, for CI');
  },
  run,
};

async function run(typed: CheckOptions, context: CommandContext): Promise<CommandEnd> {
  const { resource, map, line } = typed;
  if (resource !== undefined) return rowsOf({ ...typed, resource }, line, context);
  if (map === undefined) {
    const reason = `the resource is missing (${RESOURCES.join(', ')}); without one, --map FILE checks a mapping alone`;
    throw new AppError('usage', { reason, command: 'check' });
  }
  const { mappingAlone } = await import('./mapping-alone.ts');
  const checked = await mappingAlone(map, context);
  if ('queried' in checked) return rowsOf({ ...typed, resource: checked.queried }, line, context);
  assertAlone(typed, 'a mapping alone has no rows, so --map goes with --contract alone');
  return checked;
}

/** Makes sure that nothing was typed that a command of this kind would ignore. */
function assertAlone(
  typed: { readonly [Key in keyof CheckOptions]?: CheckOptions[Key] | undefined },
  reason: string,
): void {
  const { line, junit, rejects, maxRecords, shard, documents } = typed;
  const given = [line, junit, rejects, maxRecords, shard, documents].some((flag) => flag !== undefined);
  if (given) throw new AppError('usage', { reason, command: 'check' });
}

type RowOptions = CheckOptions & SourceFlags;

async function rowsOf(
  typed: RowOptions,
  line: number | undefined,
  context: CommandContext,
): Promise<CommandEnd> {
  const options = await withFiles(typed, context.io.cwd);
  if (line === undefined) return everyRow(options, context);
  const reason = '--line shows a record of one file, and goes with --map, --supplier and --contract alone';
  assertAlone({ ...options, line: options.file.length > 1 ? line : undefined }, reason);
  const { oneRow } = await import('./one-row.ts');
  return oneRow(options, line, context);
}

async function everyRow(options: RowOptions, context: CommandContext): Promise<CommandEnd> {
  assertJUnitFits(options, context);
  const interruption = listenForInterruption(context, { sends: false });
  const { io } = context;
  const startedMs = io.timing.monotonicMs();
  const { junit } = options;
  const writeJUnit = async (problems: number, cases: readonly JUnitCase[]): Promise<void> => {
    if (junit === undefined) return;
    const { junitText } = await import('../output/formats/junit.ts');
    const seconds = (io.timing.monotonicMs() - startedMs) / 1_000;
    const suite = { name: options.file.join(', '), cases, properties: { problems }, seconds };
    writeTypedFile(junit, junitText('dataimport check', [suite], seconds), io.cwd, 'junit');
  };
  const checked = await check(options, context, interruption).catch(async (error: unknown) => {
    // CI shows a mapping that cannot be used, or a missing file, where it shows the rows.
    if (error instanceof AppError && junit !== undefined) {
      const { failureOf } = await import('../output/failure.ts');
      const { problems } = failureOf(error);
      await writeJUnit(problems.length, problems.map(failedCase));
    }
    throw error;
  });
  const { report, ending } = checked;
  await writeJUnit(report.problemsTotal, casesOf(report.errorGroups));
  return { exit: ending.exit, result: shownCheck(checked) };
}

async function check(
  options: RowOptions,
  context: CommandContext,
  interruption: Interruption,
): Promise<CheckResult> {
  const { cwd } = context.io;
  const targets = rejectsTargets(options.rejects, options.file, cwd);
  const settings = await context.settings();
  const contract = await appliedContract(settings, cwd, context.output, [options.resource]);
  const sources = await openSources(options, settings, context, contract);
  const flags = { flags: options, settings };
  const { run, staged, look } = await checkedSources(sources, flags, { ports: context, interruption }, true);
  const notes = await rejectsAfterReading(run, staged, {
    files: sources.files,
    targets,
    flags: repeatedFlags(settings, context.globals),
  });
  const report = run.report();
  const ending = unsentEnding(staged.kind, interruption, NEXT_STEPS);
  const isRead = staged.kind === 'staged' || (staged.kind === 'invalid' && !staged.unusable);
  const looks = isRead && { picture: look.picture(), behind: look.behind(options.showValues ?? false) };
  return { report, ending, notes, ...looks };
}

function assertJUnitFits({ junit, showValues }: CheckOptions, { io: { cwd } }: CommandContext): void {
  if (junit === undefined) return;
  if (showValues) {
    const reason = '--junit and --show-values do not go together, because files for CI are published';
    throw new AppError('usage', { reason, command: 'check' });
  }
  assertWritable(junit, cwd, { kind: 'junit' });
}

const NEXT_STEPS = {
  invalid: 'correct the problems, then type the same command again',
  interrupted: 'the check is incomplete: type the same command again',
};

/** A check in the form of tests: each cause of errors is a failing case. Warnings fail none. */
function casesOf(errorGroups: readonly ProblemGroup[]): readonly JUnitCase[] {
  const errors = total(errorGroups, ({ count }) => count);
  return [
    { name: 'every row is valid', failure: errors === 0 ? null : counted(errors, 'error') },
    ...errorGroups.map(({ first, count, lines }) => ({
      name: `no ${first.code}${first.header === null ? '' : ` in ${first.header}`} (${first.file})`,
      failure: `${counted(count, 'error')} at ${first.file}:${linesText({ count, lines })}: ${first.detail}${first.next === null ? '' : `\n${first.next}`}`,
    })),
  ];
}

/** A problem that has ended a check before the rows were read. */
const failedCase = (problem: ReportedProblem): JUnitCase => ({
  name: `no ${problem.code}`,
  failure: problemLine(problem),
});
