import type { MigrationReport } from './page/migration-report.ts';
import type { CheckedRows } from '../output/formats/sarif.ts';

/** The formats of files, by the name of their flag: what each is made of, and its text. Each is loaded when it is asked for. */
const FILE_FORMATS = {
  html: async (report: MigrationReport) => (await import('./page/report-page.ts')).reportPage(report),
  junit: async (of: MigrationReport | CheckedRows) => {
    const [{ junitText }, { sendingSeconds, suiteOfCheck, suitesOf }] = await Promise.all([
      import('../output/formats/junit.ts'),
      import('./page/cases.ts'),
    ]);
    return 'parts' in of
      ? junitText('dataimport', suitesOf(of), sendingSeconds(of))
      : junitText('dataimport check', [suiteOfCheck(of)], of.seconds);
  },
  sarif: async (checked: CheckedRows) => (await import('../output/formats/sarif.ts')).sarifText(checked),
  codeQuality: async (checked: CheckedRows) =>
    (await import('../output/formats/code-quality.ts')).codeQualityText(checked),
};

export type FileFormat = keyof typeof FILE_FORMATS;

export type MadeOf<Format extends FileFormat> = Parameters<(typeof FILE_FORMATS)[Format]>[0];

export const textIn = <Format extends FileFormat>(format: Format, value: MadeOf<Format>): Promise<string> =>
  FILE_FORMATS[format](value as never);
