import type { Ending } from '../output/run-document.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import type { CohortPartRun } from './cohort-stage.ts';
import type { Interruption } from './interruption.ts';
import { BESIDE_OTHERS, haveOthersBegun } from './other-shards.ts';

/** Next steps of a cohort of which nothing was sent. */
const UNSENT = {
  staged: 'the same command without --dry-run sends these rows',
  invalid: 'nothing was sent: correct the files and type the same command again',
  interrupted: 'nothing was sent: type the same command again',
};

/** How a cohort ends of which nothing was sent. `isContradictory`: whether a check between its files has failed. */
export function unsentCohortEnding(
  parts: readonly CohortPartRun[],
  isContradictory: boolean,
  {
    interruption,
    folder,
    isSent,
  }: {
    readonly interruption: Interruption;
    readonly folder: RunsFolder;
    /** Whether an earlier command has sent records of other resources. */
    readonly isSent: boolean;
  },
): Ending {
  const said = (next: string): string => (isSent ? next.replace('nothing', 'nothing more') : next);
  const kinds = parts.map(({ staged }) => staged.kind);
  const isInvalid = kinds.includes('invalid');
  if (kinds.includes('interrupted'))
    return { exit: interruption.exit(), resumable: isSent, next: said(UNSENT.interrupted) };
  if (!isInvalid && !isContradictory) return { exit: 'OK', resumable: false, next: UNSENT.staged };
  const isBesideOthers = parts.some(({ run }) => haveOthersBegun(run.header, folder));
  const beside = isInvalid ? BESIDE_OTHERS.invalid : BESIDE_OTHERS.contradictory;
  return { exit: 'INPUT_INVALID', resumable: isSent, next: isBesideOthers ? beside : said(UNSENT.invalid) };
}
