import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import { declareSources, type SourceFlags } from '../flags.ts';
import { RunFile } from '../run-file/run-file.ts';
import { newRunHeader } from '../runs/begin.ts';
import { listenForInterruption } from '../runs/interruption.ts';
import { leftOutTargets, rejectsAfterReading, rejectsTargets, writeLeftOut } from '../runs/rejects.ts';
import { openSources } from '../runs/sources.ts';
import { unsentEnding } from '../runs/stage.ts';
import { stageRun } from '../push/stage.ts';

export const command: CommandDeclaration<SourceFlags> = {
  description:
    'Reads, maps and checks every row and prints every problem as file:line:column. Sends nothing and keeps nothing.',
  examples: [
    'dataimport check transactions transactions.csv',
    'dataimport check notes notes.csv --supplier ACME --json',
  ],
  settings: ['supplier', 'earliestDate'],
  declare: declareSources,
  run,
};

async function run(options: SourceFlags, context: CommandContext): Promise<CommandEnd> {
  const { io, output, onClose } = context;
  const interruption = listenForInterruption(context);
  const targets = rejectsTargets(options.rejects, options.file, io.cwd);
  const leftOut = leftOutTargets(options.leftOut, options.file, io.cwd);
  const settings = await context.settings();
  const sources = await openSources(options, settings, context);

  // A check stages like a push, into a run file that is thrown away.
  const header = newRunHeader({ ...options, ...UNUSED_OPTIONS }, sources, { target: '', io });
  const run = RunFile.scratch({ ...header, id: 'check' });
  onClose(() => run.close());
  const progress = await output.progress();
  onClose(progress.stop);
  const ports = { emit: progress.emit, stopping: interruption.stopping };
  const staged = await stageRun(sources.job, { limits: null, skipInvalid: false }, run, ports);
  progress.stop();

  const notes = [
    ...(await writeLeftOut(run, sources.files, leftOut)),
    ...(await rejectsAfterReading(run, staged, { files: sources.files, targets })),
  ];
  const ending = unsentEnding(staged, interruption, NEXT_STEPS);
  return { exit: ending.exit, result: { kind: 'check', report: run.report(), ending, notes } };
}

/** A check sends no requests, so their options do not matter. */
const UNUSED_OPTIONS = { checkPreviouslyAdded: true, forceAddToCurrentStatement: true };

const NEXT_STEPS = {
  staged: null,
  invalid: 'correct the problems, then type the same command again',
  interrupted: 'the check is incomplete: type the same command again',
};
