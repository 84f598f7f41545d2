import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { counted, escapedLines } from '../output/text/text.ts';

/** A folder that shows a problem of a run again (`runs fixture`). */
export interface ProblemFixtureResult {
  /** As it was typed. */
  readonly folder: string;
  readonly code: string;
  readonly rows: number;
  readonly files: readonly string[];
  /** Values of the file that the folder still has. */
  readonly originalValues: number;
  readonly next: string;
}

export const shownProblemFixture = shownAs<ProblemFixtureResult>({
  document: ({ folder, code, rows, files, originalValues, next }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    folder,
    code,
    rows,
    files,
    original_values: originalValues,
    next,
  }),
  text: ({ folder, code, rows, files, originalValues, next }) =>
    escapedLines([
      `${folder}: ${counted(rows, 'row')} that ${rows === 1 ? 'shows' : 'show'} ${code} (${files.join(', ')})`,
      originalValues === 0
        ? 'no letters or digits of four or more of a value are those of the file'
        : `${counted(originalValues, 'word')} of values ${originalValues === 1 ? 'is' : 'are'} as in the file: keep the folder private`,
      `next: ${next}`,
    ]),
});
