import { isExitName } from '../exit-codes.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import { showValuesOption } from '../flags.ts';
import { migrationReportOf } from '../runs/migration-report.ts';
import { reportFiles, STANDARD_OUTPUT, writeReportFiles } from '../runs/report-files.ts';
import { assertWritable } from '../typed-file.ts';

export interface ReportOptions {
  readonly run: readonly string[];
  readonly html?: string;
  readonly junit?: string;
  readonly ctrf?: string;
  /** Whether values of cells are shown. */
  readonly showValues?: boolean;
}

export const command: CommandDeclaration<ReportOptions> = {
  description:
    'Makes a report of finished or unfinished runs: one page that needs no network, with the answer first, counts, exact sums, problems, what was run and a place to sign. Retries are followed, and shards are added up. Without a file the page is report-<run>.html. Ends with the exit code of the runs.',
  examples: [
    'dataimport report 20261121-101502-transactions-4f2a',
    'dataimport report .dataimport/runs --html report.html',
    'dataimport report 20261121-101502-transactions-4f2a --json',
  ],
  settings: ['runDir'],
  declare: (command) =>
    void command
      .argument('<run...>', 'ids of runs, run files, or folders of run files')
      .option('--html <file>', 'write the page to this file; - for standard output')
      .option('--junit <file>', 'write the report as JUnit tests, for CI')
      .option('--ctrf <file>', 'write the report in the Common Test Report Format')
      .addOption(showValuesOption()),
  run,
};

async function run(options: ReportOptions, context: CommandContext): Promise<CommandEnd> {
  const { io, globals } = context;
  const settings = await context.settings();
  const files = reportFiles(options, { command: 'report', isDocument: globals.json });
  for (const file of files.values()) if (file !== STANDARD_OUTPUT) assertWritable(file, io.cwd);
  const report = migrationReportOf(options.run, {
    settings,
    flags: globals,
    cwd: io.cwd,
    showValues: options.showValues ?? false,
    nowMs: io.timing.nowMs(),
    version: io.version(),
  });
  const { exit } = report;
  // Without a file a person gets the page, and a program only the document.
  if (files.size === 0 && !globals.json) files.set('html', `report-${report.parts[0]!.runs[0]!.run}.html`);
  const { written, text } = await writeReportFiles(report, files, io.cwd);
  return {
    exit: isExitName(exit.name) ? exit.name : 'OK',
    result: { kind: 'migration_report', report, files: written, text },
  };
}
