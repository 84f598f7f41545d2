import type { MigrationReport } from './page/migration-report.ts';
import type { CheckedRows } from '../output/formats/sarif.ts';

/** The formats of files, by the name of their flag: what each is made of, and its text. Each is loaded when it is asked for. */
const FILE_FORMATS = {
  html: async (report: MigrationReport) => (await import('./page/report-page.ts')).reportPage(report),
  junit: async (report: MigrationReport) => {
    const [{ junitText }, { suitesOf }] = await Promise.all([
      import('../output/formats/junit.ts'),
      import('./page/cases.ts'),
    ]);
    return junitText('dataimport', suitesOf(report), (report.sending?.duration_ms ?? 0) / 1_000);
  },
  sarif: async (checked: CheckedRows) => (await import('../output/formats/sarif.ts')).sarifText(checked),
};

export type FileFormat = keyof typeof FILE_FORMATS;

export type MadeOf<Format extends FileFormat> = Parameters<(typeof FILE_FORMATS)[Format]>[0];

export const textIn = <Format extends FileFormat>(format: Format, value: MadeOf<Format>): Promise<string> =>
  FILE_FORMATS[format](value as never);
