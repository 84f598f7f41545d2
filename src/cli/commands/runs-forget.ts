import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import type { ExitName } from '../exit-codes.ts';
import { exitDocument, type JsonDocument } from '../render/json-output.ts';
import { escapeControl } from '../render/text.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { resumeLine, runsFolder } from './runs-folder.ts';

export interface RunsForgetOptions {
  readonly run: string;
  readonly force?: boolean;
}

export const runsForget: CommandDeclaration<RunsForgetOptions> = {
  name: 'runs forget',
  group: 'Look',
  summary: 'Erase the payloads of a run',
  description:
    'Erases the customer data that a run holds. Ids, lines, amounts and outcomes stay, so its report stays, too. A run that was stopped while it read the file has none, and is removed.',
  examples: ['dataimport runs forget 20261121-101502-transactions-4f2a'],
  settings: ['runDir'],
  declare(command) {
    command
      .argument('<run>', 'id of the run')
      .option('--force', 'also of a run that is unfinished, which can then never be resumed');
  },
  run: forget,
};

interface ForgetDocument extends JsonDocument {
  readonly run: string;
}

async function forget(options: RunsForgetOptions, context: CommandContext): Promise<ExitName> {
  const folder = await runsFolder(context);
  const run = folder.open(options.run);
  context.onClose(() => run.close());
  if (run.condition === 'open' && !options.force) {
    const reason = `the run is unfinished: go on with \`${await resumeLine(run.header, context)}\`, or add --force`;
    throw new AppError('usage', { reason, command: 'runs forget' });
  }
  const done = forgotten(run, folder);
  context.document({ version: 1, exit: exitDocument('OK'), run: options.run } satisfies ForgetDocument);
  if (!context.globals.json) context.io.stdout.write(`${escapeControl(options.run)}: ${done}\n`);
  return 'OK';
}

/** Forgets a run and says what that was. */
function forgotten(run: RunFile, folder: RunsFolder): string {
  if (run.condition === 'never_staged') {
    // There is nothing to report of it: it would look like a run that was finished.
    run.close();
    folder.remove(run.header.id);
    return 'removed; it was stopped while it read the file, and nothing of it was sent';
  }
  run.erasePayloads();
  const left = run.condition === 'done' ? '' : '; what it did not send can no longer be sent from here';
  return `payloads erased${left}`;
}
