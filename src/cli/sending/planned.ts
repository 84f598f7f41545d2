import { addedByName, total } from '../../core/values/counts.ts';
import type { PushEvent } from '../push/events.ts';
import type { RowCounts, SettledOutcome } from '../push/ports/report.ts';
import type { Reading } from '../journal/reading.ts';

/** The work that earlier commands have left in runs, and what they have settled. */
export function planned(runs: readonly Reading[]): Extract<PushEvent, { kind: 'planned' }> {
  return {
    kind: 'planned',
    records: total(runs, (run) => run.openWork().records),
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
