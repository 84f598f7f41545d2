import { commandLine } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import type { ReportFlags } from '../command/flags.ts';
import type { RunResult } from '../output/run/run-document.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { Sending } from '../sending/sending.ts';
import type { Settings } from '../settings/settings.ts';
import type { RepeatedFlags } from '../ending/next-commands.ts';
import { assertFormsWritable, writtenForms, type ReportForms } from './report-forms.ts';

export type WorkedRun = { readonly run: RunFile; readonly sending: Sending };

/** The reports that a push is asked for. @throws AppError `file_not_writable`, `file_not_ours` */
export function pushReports({ reportHtml, reportJunit }: ReportFlags, cwd: string): ReportForms | undefined {
  if (reportHtml === undefined && reportJunit === undefined) return undefined;
  const forms = { html: reportHtml, junit: reportJunit };
  assertFormsWritable(forms, cwd);
  return forms;
}

/** Writes the reports of a push. Returns a note for each, also for one that was not written: the result of the run matters more. */
export async function writtenReports(
  { run, sending: { folder } }: WorkedRun,
  { ending }: Pick<RunResult, 'ending'>,
  {
    settings,
    forms,
    context: { io, globals },
  }: {
    settings: Settings;
    forms: ReportForms;
    context: Pick<CommandPorts, 'io'> & { globals: RepeatedFlags };
  },
): Promise<readonly string[]> {
  const [{ measuredNow }, { reportOfFiles }] = await Promise.all([
    import('./measured-runs.ts'),
    import('./composed-report.ts'),
  ]);
  const choice = {
    settings,
    flags: globals,
    cwd: io.cwd,
    showValues: false,
    nowMs: io.timing.nowMs(),
    version: io.version(),
  };
  try {
    // A page is handed over, so it shows no figures of a run that somebody has changed.
    const { broken } = run.proving.chain();
    if (broken !== null)
      throw new AppError('run_damaged', { file: folder.fileOf(run.header.id), reason: broken });
    const report = reportOfFiles([measuredNow(run, folder, { ...choice, ending })], choice);
    const written = await writtenForms(report, forms, io.cwd);
    return written.map((file) => `report: ${file}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [
      `report: not written: ${error.message}; \`${commandLine('report', [run.header.id])}\` makes it again`,
    ];
  }
}
