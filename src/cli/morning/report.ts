import { isExitName } from '../output/exit-codes.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { showValuesOption } from '../command/flags.ts';
import { assertWritable, writeTypedFile } from '../command/typed-file.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { escapedLines } from '../output/text/text.ts';
import { ACTOR_WORDS, type MigrationReport } from '../report/page/migration-report.ts';
import { migrationReportOf } from '../report/composed-report.ts';
import { ledgerOption, othersOption, VERIFY_SETTINGS } from '../verify/verify.ts';
import { comparedFiles } from './compared-files.ts';
import { openJournals, type RunDirFlag } from '../runs/run-folders.ts';
import { namedReadings } from './named-readings.ts';

/** The files of a report, by their forms. */
interface ReportForms {
  readonly html?: string | undefined;
  readonly junit?: string | undefined;
}

export interface ReportOptions extends ReportForms, RunDirFlag {
  readonly run: readonly string[];
  /** Address of a local platform, or a file with the output of `admin ledger`. */
  readonly ledger?: string;
  /** `allowed`: the accounts had records before, which nobody here has sent. */
  readonly others?: 'allowed';
  /** Whether notes and transactions are sent once more, with the check for earlier ones on. */
  readonly askAgain?: boolean;
  /** Whether values of cells are shown. */
  readonly showValues?: boolean;
}

export const command: CommandDeclaration<ReportOptions> = {
  description:
    'The command of the morning: computes the chains of runs anew, compares their files with them and with the ledger of a local platform, and writes one page that needs no network: the answer first, counts, exact sums, problems, what was run and a place to sign. Without words it takes the newest run, with its cohort. Without a file the page is report-<run>.html. Ends with the exit code of the runs, and with 11 when something differs.',
  examples: [
    'dataimport report',
    'dataimport report cohort.yaml --ledger http://127.0.0.1:4010',
    'dataimport report transactions.csv --ledger http://127.0.0.1:4010',
    'dataimport report 20261121-101502-transactions-4f2a',
    'dataimport report .dataimport/journal --html report.html',
    'dataimport report --run-dir volume-1 --run-dir volume-2',
    'dataimport report 20261121-101502-transactions-4f2a --json',
  ],
  sendsWith: '--ask-again',
  settings: VERIFY_SETTINGS,
  repeated: 'runDir',
  declare: (command) =>
    void command
      .argument(
        '[run...]',
        'cohort files, names of cohorts, ids of runs, files that were sent, or folders of journals (default: the newest run, with its cohort)',
      )
      .addOption(ledgerOption())
      .addOption(othersOption())
      .option(
        '--ask-again',
        'send the notes and transactions of the files once more, with the check for earlier ones on',
      )
      .option('--html <file>', 'write the page to this file')
      .option('--junit <file>', 'write the report as JUnit tests, for CI')
      .addOption(showValuesOption()),
  run,
};

async function run(options: ReportOptions, context: CommandContext): Promise<CommandEnd> {
  const { io, globals } = context;
  const settings = await context.settings();
  assertFormsWritable(options, io.cwd);
  const journals = openJournals(context);
  const ports = { settings, journals, context };
  const { run: _, ...flags } = options;
  const named = await namedReadings(options, ports);
  const compared = await comparedFiles(named, flags, ports);
  if ('end' in compared) return compared.end;
  const report = migrationReportOf(named, {
    compared: compared.compared,
    allowsOthers: options.others !== undefined,
    settings,
    journals,
    flags: globals,
    cwd: io.cwd,
    showValues: options.showValues ?? false,
    nowMs: io.timing.nowMs(),
    version: io.version(),
  });
  const { exit } = report;
  // Without a file a person gets the page, and a program only the document.
  const isWithoutForm = options.html === undefined && options.junit === undefined && !globals.json;
  const page = `report-${named.name ?? report.parts[0]!.runs[0]!.run}.html`;
  const files = await writtenForms(report, isWithoutForm ? { html: page } : options, io.cwd);
  return {
    exit: isExitName(exit.name) ? exit.name : 'OK',
    result: shownMigrationReport({ report, files }),
  };
}

/** @throws AppError `file_not_writable`, `file_not_ours` */
function assertFormsWritable({ html, junit }: ReportForms, cwd: string): void {
  if (html !== undefined) assertWritable(html, cwd, { kind: 'html' });
  if (junit !== undefined) assertWritable(junit, cwd, { kind: 'junit' });
}

/**
 * Writes a report in its forms. The files are private, because they may name files and accounts. Returns their names.
 * @throws AppError `file_not_writable`, `file_not_ours`
 */
async function writtenForms(
  report: MigrationReport,
  { html, junit }: ReportForms,
  cwd: string,
): Promise<readonly string[]> {
  if (html !== undefined) {
    const { reportPage } = await import('../report/page/report-page.ts');
    writeTypedFile(html, reportPage(report), cwd, 'html');
  }
  if (junit !== undefined) {
    const [{ junitText }, { suitesOf }] = await Promise.all([
      import('../output/formats/junit.ts'),
      import('../report/page/cases.ts'),
    ]);
    const text = junitText('dataimport', suitesOf(report), 0);
    writeTypedFile(junit, text, cwd, 'junit');
  }
  return [html, junit].filter((file) => file !== undefined);
}

/** A report that was made, and the names of the files that have it, as typed. */
const shownMigrationReport = shownAs<Readonly<{ report: MigrationReport; files: readonly string[] }>>({
  document: ({ report }) => report,
  text: ({ report, files }) => summary(report, files),
});

/** The answer and the steps for the person at the terminal. */
function summary({ answer, parts, notes }: MigrationReport, files: readonly string[]): string {
  const platforms = new Set(parts.flatMap(({ runs }) => runs.map(({ target }) => target)));
  return escapedLines([
    answer.sentence,
    `platform: ${[...platforms].join(', ')}`,
    ...answer.to_do.flatMap(({ who, what, command }) => [
      `${ACTOR_WORDS[who]}: ${what}`,
      ...(command === null ? [] : [`  ${command}`]),
    ]),
    ...notes.map((note) => `note: ${note}`),
    ...files.map((file) => `report: ${file}`),
  ]);
}
