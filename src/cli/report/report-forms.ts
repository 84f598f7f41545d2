import { assertWritable, writeTypedFile } from '../command/typed-file.ts';
import type { MigrationReport } from './page/migration-report.ts';

/** The files of a report, by their forms. */
export interface ReportForms {
  readonly html?: string | undefined;
  readonly junit?: string | undefined;
}

/** @throws AppError `file_not_writable`, `file_not_ours` */
export function assertFormsWritable({ html, junit }: ReportForms, cwd: string): void {
  if (html !== undefined) assertWritable(html, cwd, { kind: 'html' });
  if (junit !== undefined) assertWritable(junit, cwd, { kind: 'junit' });
}

/**
 * Writes a report in its forms. The files are private, because they may name files and accounts. Returns their names.
 * @throws AppError `file_not_writable`, `file_not_ours`
 */
export async function writtenForms(
  report: MigrationReport,
  { html, junit }: ReportForms,
  cwd: string,
): Promise<readonly string[]> {
  if (html !== undefined) {
    const { reportPage } = await import('./page/report-page.ts');
    writeTypedFile(html, reportPage(report), cwd, 'html');
  }
  if (junit !== undefined) {
    const [{ junitText }, { suitesOf }] = await Promise.all([
      import('../output/formats/junit.ts'),
      import('./page/cases.ts'),
    ]);
    const text = junitText('dataimport', suitesOf(report), 0);
    writeTypedFile(junit, text, cwd, 'junit');
  }
  return [html, junit].filter((file) => file !== undefined);
}
