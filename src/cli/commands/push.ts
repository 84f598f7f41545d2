import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { declareSending, declareSources } from '../command/flags.ts';
import { inList } from '../sending/listed-command.ts';
import type { BegunCommand } from '../journal/commands-log.ts';
import { shownRun } from '../output/run/run-summary.ts';
import { pushFiles, type PushFlags } from '../sending/push-files.ts';
import { withFiles } from '../sources/sources.ts';
import { declareRequests, SENDING_SETTINGS } from '../sending/push-options.ts';

export const command: CommandDeclaration<PushFlags> = {
  description:
    'Reads and checks every row of the files, then sends account by account what has not arrived. Sends nothing while a row is invalid. Run the same command again after any end: it goes on, and its report is about everything in the files.',
  examples: [
    'dataimport push transactions transactions.csv --base-url https://platform.example',
    'dataimport push notes notes.csv --supplier ACME --dry-run',
  ],
  settings: SENDING_SETTINGS,
  declare(command) {
    declareSources(command);
    declareRequests(command);
    declareSending(command);
  },
  run,
};

async function run(typed: PushFlags, context: CommandContext): Promise<CommandEnd> {
  const { io, globals, words } = context;
  const { dryRun, resource, file } = typed;
  const settings = await context.settings();
  const push = async (listed?: BegunCommand) =>
    pushFiles(await withFiles(typed, io.cwd), { settings, globals, words, listed }, context);
  const command = { name: `push-${resource}`, readsInput: file.includes('-') };
  const pushed = dryRun ? await push() : await inList(command, settings, context, push);
  return { exit: pushed.ending.exit, result: shownRun({ ...pushed, isOfFiles: true }) };
}
