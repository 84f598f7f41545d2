import { addedByName, total } from '../../core/values/counts.ts';
import type { PushEvent } from '../push/events.ts';
import type { RowCounts, SettledOutcome } from '../push/ports/report.ts';
import type { Reading } from '../journal/reading.ts';

/** The work that earlier commands have left in runs, and what they have settled. */
export function planned(runs: readonly Reading[]): Extract<PushEvent, { kind: 'planned' }> {
  const works = runs.map((run) => run.openWork());
  return {
    kind: 'planned',
    records: total(works, ({ records }) => records),
    batches: total(works, ({ batches }) => batches),
    accounts: total(works, ({ accounts }) => accounts),
    settled: addedByName(runs.map((run) => answered(run.rows()))),
  };
}

/** The counts of outcomes that answers have settled. Others are no progress of sending. */
const answered = ({
  created,
  existing,
  uncompared,
  verify,
  rejected,
}: RowCounts): Readonly<Record<SettledOutcome, number>> => ({
  created,
  existing,
  uncompared,
  verify,
  rejected,
});
