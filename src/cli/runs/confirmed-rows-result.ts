import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { counted, escapeControl } from '../output/text/text.ts';

/** Rows of a run that a person has settled. */
export interface ConfirmedRowsResult {
  readonly run: string;
  readonly verdict: 'arrived' | 'missing';
  readonly by: string;
  readonly rows: number;
  readonly next: string;
}

const MEANS: Readonly<Record<ConfirmedRowsResult['verdict'], string>> = {
  arrived: 'counted as arrived',
  missing: 'to be sent again by the next command',
};

export const shownConfirmedRows = shownAs<ConfirmedRowsResult>({
  document: ({ run, verdict, by, rows, next }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    run,
    verdict,
    by,
    rows,
    next,
  }),
  text: ({ run, verdict, by, rows, next }) =>
    `${escapeControl(run)}: ${counted(rows, 'row')} ${MEANS[verdict]}, confirmed by ${escapeControl(by)}\n` +
    `next: ${escapeControl(next)}\n`,
});
