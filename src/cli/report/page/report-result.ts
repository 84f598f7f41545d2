import { shownAs } from '../../output/formats/result-formats.ts';
import type { JsonDocument } from '../../output/json.ts';
import { counted, escapedLines } from '../../output/text/text.ts';
import { ACTOR_WORDS, type MigrationReport } from './migration-report.ts';

/** A report that was made, and the files that have it. */
export interface MigrationReportResult {
  readonly report: MigrationReport;
  /** Names of the files, as typed; empty where the report went to standard output. */
  readonly files: readonly string[];
  /** A form of the report for standard output, in place of the summary. */
  readonly text: string | null;
}

export const shownMigrationReport = shownAs<MigrationReportResult>({
  document: ({ report }) => report as unknown as JsonDocument,
  text: ({ report, files, text }) => (text === null ? summary(report, files) : text),
});

/** The answer and the steps for the person at the terminal. */
function summary(
  { answer, notes, rows_by_person: lists }: MigrationReport,
  files: readonly string[],
): string {
  return escapedLines([
    answer.sentence,
    ...answer.to_do.flatMap(({ who, what, command }) => [
      `${ACTOR_WORDS[who]}: ${what}`,
      ...(command === null ? [] : [`  ${command}`]),
    ]),
    ...lists.map(({ who, file, rows }) => `${ACTOR_WORDS[who]}: ${counted(rows, 'row')} in ${file}`),
    ...notes.map((note) => `note: ${note}`),
    ...files.map((file) => `report: ${file}`),
  ]);
}
