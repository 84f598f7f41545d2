import type { MigrationReport } from './migration-report.ts';

/** The forms of a report, by the name of their flag, each loaded when it is asked for. */
const FORMS = {
  html: async (report: MigrationReport) => (await import('./report-page.ts')).reportPage(report),
  junit: async (report: MigrationReport) => {
    const [{ junitText }, { suitesOf }] = await Promise.all([import('./junit.ts'), import('./cases.ts')]);
    return junitText('dataimport', suitesOf(report), (report.sending?.duration_ms ?? 0) / 1_000);
  },
};

export type ReportForm = keyof typeof FORMS;

export const REPORT_FORMS = Object.keys(FORMS) as readonly ReportForm[];

export const reportText = (form: ReportForm, report: MigrationReport): Promise<string> => FORMS[form](report);
