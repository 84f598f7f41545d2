import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { shownRunDifference } from './run-difference-result.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { RunsFolder } from '../run-file/runs-folder.ts';
import { othersOf } from './compared-runs.ts';
import { runDifference } from './run-difference.ts';
import { openedRun } from '../ending/opened-run.ts';

export type RunsDiffOptions = { readonly earlier: string; readonly later: string };

export const command: CommandDeclaration<RunsDiffOptions> = {
  description:
    'Compares the records of two runs, such as two versions of a file: which are new, changed, on another account, or there no more. Ends with 6 when a record is changed, moved or vanished. Sends nothing and changes nothing.',
  examples: [
    'dataimport runs diff 20261121-101502-transactions-4f2a 20261128-093000-transactions-7c1e',
    'dataimport runs diff 20261121-101502-transactions-4f2a 20261128-093000-transactions-7c1e --json',
  ],
  settings: ['runDir'],
  declare: (command) =>
    void command
      .argument('<earlier>', 'id of the run of the earlier version')
      .argument('<later>', 'id of the run of the later version'),
  run,
};

async function run(options: RunsDiffOptions, context: CommandContext): Promise<CommandEnd> {
  if (options.earlier === options.later) throw unusable('give two runs');
  const settings = await context.settings();
  const folder = new RunsFolder(settings.need('runDir'));
  const open = (id: string): RunFile => openedRun(folder, id, context);
  const [earlier, later] = [options.earlier, options.later].map((id) => {
    const opened = open(id);
    if (opened.condition === 'never_staged') throw new AppError('run_never_staged', { run: id });
    return opened;
  }) as [RunFile, RunFile];
  const [before, after] = [earlier.header.resource, later.header.resource];
  if (before !== after) throw unusable(`one run has ${before}, and the other one has ${after}`);
  const others = othersOf([earlier, later], folder.ids(), open);
  const result = runDifference(earlier, later, { others, onClose: context.onClose });
  const { changed, moved, vanished } = result.records;
  return { exit: changed + moved + vanished > 0 ? 'PARTIAL' : 'OK', result: shownRunDifference(result) };
}

const unusable = (reason: string): AppError => new AppError('usage', { reason, command: 'runs diff' });
