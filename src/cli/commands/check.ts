import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import { declareSources, type SourceFlags } from '../flags.ts';
import { listenForInterruption } from '../runs/interruption.ts';
import { leftOutTargets, rejectsAfterReading, rejectsTargets, writeLeftOut } from '../runs/rejects.ts';
import { scratchRun } from '../runs/scratch-run.ts';
import { unsentEnding } from '../runs/stage.ts';

export const command: CommandDeclaration<SourceFlags> = {
  description:
    'Reads, maps and checks every row and prints every problem as file:line:column. Sends nothing and keeps nothing.',
  examples: [
    'dataimport check transactions transactions.csv',
    'dataimport check notes notes.csv --supplier ACME --json',
  ],
  settings: ['supplier', 'contract', 'earliestDate'],
  declare: declareSources,
  run,
};

async function run(options: SourceFlags, context: CommandContext): Promise<CommandEnd> {
  const interruption = listenForInterruption(context);
  const targets = rejectsTargets(options.rejects, options.file, context.io.cwd);
  const leftOut = leftOutTargets(options.leftOut, options.file, context.io.cwd);
  const settings = await context.settings();
  const { sources, run, staged } = await scratchRun(options, settings, { ports: context, interruption });

  const notes = [
    ...(await writeLeftOut(run, sources.files, leftOut)),
    ...(await rejectsAfterReading(run, staged, { files: sources.files, targets })),
  ];
  const ending = unsentEnding(staged, interruption, NEXT_STEPS);
  return { exit: ending.exit, result: { kind: 'check', report: run.report(), ending, notes } };
}

const NEXT_STEPS = {
  staged: null,
  invalid: 'correct the problems, then type the same command again',
  interrupted: 'the check is incomplete: type the same command again',
};
