import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { isExitName } from '../output/exit-codes.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { showValuesOption } from '../command/flags.ts';
import type { Io } from '../outside/io.ts';
import { shownMigrationReport } from '../report/page/report-result.ts';
import type { Ending } from '../output/run/run-document.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { migrationReportOf } from '../report/composed-report.ts';
import { fastOption, type FastFlag } from '../runs/proven-run.ts';
import { ledgerOption, othersOption, VERIFY_SETTINGS } from '../verify/verify.ts';
import { comparedFiles } from './compared-files.ts';
import { namedRuns } from './named-runs.ts';
import { formatFiles, STANDARD_OUTPUT, writeFormatFiles, type ReportFiles } from '../report/format-files.ts';
import { textIn } from '../report/file-formats.ts';
import { pdfPrinter } from '../report/pdf.ts';
import { rowsByPerson } from '../report/rows-by-person.ts';
import { signed, signingKey } from '../report/signature.ts';
import { secretFile } from '../settings/credentials.ts';
import { openTypedFile } from '../command/typed-file.ts';

export interface ReportOptions extends FastFlag {
  readonly run: readonly string[];
  /** Address of a local platform, or a file with the output of `admin ledger`. */
  readonly ledger?: string;
  /** `allowed`: the accounts had records before, which nobody here has sent. */
  readonly others?: 'allowed';
  /** Whether notes and transactions are sent once more, with the check for earlier ones on. */
  readonly askAgain?: boolean;
  readonly html?: string;
  /** File for the page as PDF, which a browser makes. */
  readonly pdf?: string;
  readonly junit?: string;
  readonly otlp?: string;
  /** Folder for the rows that did not arrive, by the person who has to act. */
  readonly rejects?: string;
  /** Private key (PEM) that signs the heads of the chains and the figures. */
  readonly sign?: string;
  /** File with the passphrase of the key. */
  readonly signPassphraseFile?: string;
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
    'dataimport report .dataimport/runs --html report.html',
    'dataimport report 20261121-101502-transactions-4f2a --json',
    'dataimport report .dataimport/runs --json --sign key.pem > signed.json',
  ],
  sendsWith: '--ask-again',
  settings: VERIFY_SETTINGS,
  declare: (command) =>
    void command
      .argument(
        '[run...]',
        'cohort files, names of cohorts, ids of runs, files that were sent, run files, or folders of run files (default: the newest run, with its cohort)',
      )
      .addOption(ledgerOption())
      .addOption(othersOption())
      .option(
        '--ask-again',
        'send the notes and transactions of the files once more, with the check for earlier ones on',
      )
      .option('--html <file>', 'write the page to this file; - for standard output')
      .option(
        '--pdf <file>',
        'print the page to this file, by the Chromium, Chrome or Edge that is installed',
      )
      .option('--junit <file>', 'write the report as JUnit tests, for CI')
      .option('--otlp <file>', 'write a trace of each run as lines of OTLP/JSON, for collectors')
      .option(
        '--rejects <dir>',
        'write the refused, invalid and unproven rows to this folder: a list for the supplier, the operator and the importer',
      )
      .option(
        '--sign <key>',
        'sign the heads of the chains and the figures with this private key (PEM, Ed25519)',
      )
      .option(
        '--sign-passphrase-file <file>',
        'file with the passphrase of the key, in place of the variable DATAIMPORT_SIGN_PASSPHRASE',
      )
      .addOption(showValuesOption())
      .addOption(fastOption()),
  run,
};

async function run(options: ReportOptions, context: CommandContext): Promise<CommandEnd> {
  const { io, globals } = context;
  const settings = await context.settings();
  const { html, junit, otlp } = options;
  if (options.fast && options.sign !== undefined)
    throw new AppError('usage', {
      reason: 'a signature needs figures that are proven, so --sign excludes --fast',
      command: 'report',
    });
  const files: ReportFiles = formatFiles(
    { html, junit },
    { command: 'report', isDocument: globals.json, other: otlp, cwd: io.cwd },
  );
  const pdf = options.pdf === undefined ? undefined : pdfPrinter(options.pdf, io);
  const trace = otlp === undefined ? undefined : await openTrace(otlp, context);
  const key = readKey(options, io);
  const showValues = options.showValues ?? false;
  const people =
    options.rejects === undefined
      ? undefined
      : rowsByPerson(options.rejects, { cwd: io.cwd, onClose: context.onClose, showValues });
  const named = await namedRuns(options, settings, context);
  const compared = await comparedFiles(named, options, { settings, context });
  if ('end' in compared) return compared.end;
  const made = migrationReportOf(named.runs, {
    ...(compared.resources && { compared: compared.resources }),
    look(run, ending) {
      trace?.add(run, ending);
      people?.add(run);
    },
    settings,
    flags: globals,
    cwd: io.cwd,
    showValues,
    fast: options.fast ?? false,
    nowMs: io.timing.nowMs(),
    version: io.version(),
  });
  const unsigned = { ...made, rows_by_person: people?.finish() ?? [] };
  const report = key ? signed(unsigned, key) : unsigned;
  const { exit } = report;
  // Without a file a person gets the page, and a program only the document.
  if (files.size === 0 && !trace && !pdf && !globals.json)
    files.set('html', `report-${nameOf(named.runs) ?? report.parts[0]!.runs[0]!.run}.html`);
  const { written, text } = await writeFormatFiles(report, files, io.cwd);
  await pdf?.(await textIn('html', report));
  return {
    exit: isExitName(exit.name) ? exit.name : 'OK',
    result: shownMigrationReport({
      report,
      files: [...written, ...(options.pdf === undefined ? [] : [options.pdf]), ...(trace?.file ?? [])],
      text: trace?.text ?? text,
    }),
  };
}

/** The name that is typed for one run or cohort; undefined for paths and for several runs. */
function nameOf(typed: readonly string[]): string | undefined {
  const [name] = typed;
  return typed.length === 1 && /^[\w.-]*\w$/.test(name!) && !name!.endsWith('.sqlite') ? name : undefined;
}

/** @throws AppError `signing_key_unusable`, `secret_file_open`, `file_not_readable`, `usage` */
function readKey({ sign: file, signPassphraseFile }: ReportOptions, io: Io): KeyObject | undefined {
  const secret = (name: string): string => secretFile(resolve(io.cwd, name), io, name);
  if (file === undefined) {
    if (signPassphraseFile === undefined) return undefined;
    throw new AppError('usage', { reason: '--sign-passphrase-file goes with --sign', command: 'report' });
  }
  const passphrase =
    signPassphraseFile === undefined
      ? io.env['DATAIMPORT_SIGN_PASSPHRASE']
      : secret(signPassphraseFile).replace(/\r?\n$/, '');
  return signingKey(secret(file), { file, passphrase });
}

/** Where the traces of runs go while the runs are read. @throws AppError `file_not_writable` */
async function openTrace(file: string, { io, onClose }: CommandContext) {
  const { otlpLines } = await import('../report/otlp.ts');
  const isOutput = file === STANDARD_OUTPUT;
  const write = isOutput
    ? (line: string) => io.stdout.write(line)
    : openTypedFile(file, { cwd: io.cwd, kind: 'otlp', onClose });
  return {
    file: isOutput ? [] : [file],
    /** Nothing else goes to standard output. */
    text: isOutput ? '' : null,
    add: ({ header: { id, resource }, measuring }: RunFile, { exit }: Ending): void => {
      const run = { id, resource, exit, version: io.version() };
      for (const line of otlpLines(run, measuring.attempts())) write(line);
    },
  };
}
