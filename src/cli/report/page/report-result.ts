import { shownAs } from '../../output/formats/result-formats.ts';
import { escapedLines } from '../../output/text/text.ts';
import { ACTOR_WORDS, type MigrationReport } from './migration-report.ts';

/** A report that was made, and the files that have it. */
export interface MigrationReportResult {
  readonly report: MigrationReport;
  /** Names of the files, as typed. */
  readonly files: readonly string[];
}

export const shownMigrationReport = shownAs<MigrationReportResult>({
  document: ({ report }) => report,
  text: ({ report, files }) => summary(report, files),
});

/** The answer and the steps for the person at the terminal. */
function summary({ answer, notes }: MigrationReport, files: readonly string[]): string {
  return escapedLines([
    answer.sentence,
    ...answer.to_do.flatMap(({ who, what, command }) => [
      `${ACTOR_WORDS[who]}: ${what}`,
      ...(command === null ? [] : [`  ${command}`]),
    ]),
    ...notes.map((note) => `note: ${note}`),
    ...files.map((file) => `report: ${file}`),
  ]);
}
