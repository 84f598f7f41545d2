import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { declareReports, declareSending, declareSources } from '../command/flags.ts';
import { shownAsked } from '../output/run/asked-result.ts';
import { shownRun } from '../output/run/run-result.ts';
import { assertReportWritable, writeReport } from '../report/report-file.ts';
import { pushReports, writtenReports, type WorkedRun } from '../report/push-reports.ts';
import { pushFiles } from '../sending/push-files.ts';
import { withFiles } from '../sources/sources.ts';
import { declareRequests, SENDING_SETTINGS, type PushOptions } from '../sending/push-options.ts';

export const command: CommandDeclaration<PushOptions> = {
  description:
    'Reads and checks every row of the files, then sends account by account what has not arrived. Sends nothing while a row is invalid. Run the same command again after any end: it goes on, and its report is about everything in the files.',
  examples: [
    'dataimport push transactions transactions.csv --base-url https://platform.example',
    'dataimport push notes notes.csv --supplier ACME --dry-run',
    'dataimport push transactions transactions.csv --shard 2/4',
  ],
  settings: SENDING_SETTINGS,
  declare(command) {
    declareSources(command);
    declareRequests(command);
    declareReports(command);
    declareSending(command);
  },
  run,
};

async function run(typed: PushOptions, context: CommandContext): Promise<CommandEnd> {
  const { io, globals, words } = context;
  const options = await withFiles(typed, io.cwd);
  const { reportJson: file } = options;
  if (file !== undefined) assertReportWritable(file, io.cwd);
  const settings = await context.settings();
  const forms = pushReports(options, io.cwd);
  let worked: WorkedRun | undefined;
  const onRun: NonNullable<Parameters<typeof pushFiles>[1]['onRun']> = (run, sending) =>
    void (worked = { run, sending });
  const pushed = await pushFiles(options, { settings, globals, words, onRun }, context);
  const notes = worked && forms ? await writtenReports(worked, pushed, { settings, forms, context }) : [];
  const result = { ...pushed, notes: [...(pushed.notes ?? []), ...notes], isOfFiles: true };
  const { exit } = result.ending;
  if (options.askPlatform) return { exit, result: shownAsked(result) };
  const reportFailure =
    file === undefined
      ? undefined
      : writeReport(file, result, { cwd: io.cwd, commands: worked?.sending.commands });
  if (!reportFailure || exit !== 'OK') return { exit, result: shownRun({ ...result, reportFailure }) };
  // A missing report is no success. Any other exit says more than this one.
  const ending = { ...result.ending, exit: 'RUN_FILE' } as const;
  return { exit: 'RUN_FILE', result: shownRun({ ...result, ending, reportFailure }) };
}
