import { addedByName, total } from '../../core/values/counts.ts';
import type { PushEvent } from '../push/events.ts';
import type { SettledOutcome } from '../push/ports/report.ts';
import type { Reading } from '../journal/reading.ts';

/** The work that earlier commands have left in runs, and what they have settled. */
export function planned(runs: readonly Reading[]): Extract<PushEvent, { kind: 'planned' }> {
  const works = runs.map((run) => run.openWork());
  return {
    kind: 'planned',
    records: total(works, ({ records }) => records),
    batches: total(works, ({ batches }) => batches),
    accounts: total(works, ({ accounts }) => accounts),
    settled: addedByName(runs.map((run) => answered(run.settledCounts()))),
  };
}

/** The counts of outcomes that answers have settled. Others are no progress of sending. */
function answered({
  created = 0,
  existing = 0,
  uncompared = 0,
  verify = 0,
  rejected = 0,
}: ReturnType<Reading['settledCounts']>): Readonly<Record<SettledOutcome, number>> {
  return { created, existing, uncompared, verify, rejected };
}
