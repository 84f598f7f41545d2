import { AppError } from '../../core/app-error.ts';
import { REPORT_FORMS, reportText, type ReportForm } from '../output/report/forms.ts';
import type { MigrationReport } from '../output/report/migration-report.ts';
import { writeTypedFile } from '../typed-file.ts';

export const STANDARD_OUTPUT = '-';

export type ReportFiles = Map<ReportForm, string>;

/**
 * The files that flags ask for. `isDocument`: whether the document of --json takes standard output.
 * @throws AppError `usage` when two forms would go to standard output
 */
export function reportFiles(
  flags: Readonly<Partial<Record<ReportForm, string>>>,
  { command, isDocument }: { command: string; isDocument: boolean },
): ReportFiles {
  const files: ReportFiles = new Map();
  for (const form of REPORT_FORMS) if (flags[form] !== undefined) files.set(form, flags[form]);
  const onOutput = [...files.values()].filter((file) => file === STANDARD_OUTPUT).length;
  if (onOutput + (isDocument ? 1 : 0) > 1) {
    const reason = 'only one form can go to standard output';
    throw new AppError('usage', { reason, command });
  }
  return files;
}

/**
 * Writes a report in all its forms. The files are private, because a report may name files and accounts.
 * Returns the names of the files, and the text for standard output.
 * @throws AppError `file_not_writable`
 */
export async function writeReportFiles(
  report: MigrationReport,
  files: ReportFiles,
  cwd: string,
): Promise<{ readonly written: readonly string[]; readonly text: string | null }> {
  const written: string[] = [];
  let text: string | null = null;
  for (const [form, file] of files) {
    const content = await reportText(form, report);
    if (file === STANDARD_OUTPUT) text = content;
    else {
      writeTypedFile(file, content, cwd);
      written.push(file);
    }
  }
  return { written, text };
}
