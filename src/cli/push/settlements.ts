import type { ErrorCode } from '../../core/error-codes/table.ts';
import type { DeliveryPolicy } from './deliver.ts';
import type { Batch } from './ports/batch.ts';
import type { LocatedProblem } from './ports/located-problem.ts';
import type { SettledOutcome } from './ports/record-outcome.ts';
import type { RecordReading, Settlement } from './ports/run.ts';
import type { Reading } from './reading.ts';
import { ID_FIELD } from './record-id.ts';
import { namedIn, reachOf, type Refusal } from './refusal.ts';

type Placing = Pick<DeliveryPolicy, 'resource' | 'placeComplaint'>;

/** What an answer with this status says of the records of its batch. */
interface Told {
  readonly records: readonly RecordReading[];
  readonly status: number;
}

/** What a good answer settles. */
export function success(policy: Placing, batch: Batch, { records, status }: Told): Settlement {
  return {
    status,
    records,
    state: 'done',
    problems: [
      ...unproven(policy, batch, { records, status }),
      ...differing(policy, batch, { records, status }),
      ...moved(policy, batch, { records, status }),
    ],
    unsure: false,
  };
}

/** What a refusal that ends the run settles. */
export function refusalOf(
  policy: Placing,
  batch: Batch,
  answered: {
    readonly reading: Extract<Reading, { kind: 'rejected' | 'unauthenticated' | 'foreign' }>;
    readonly status: number;
  },
): Settlement {
  const { resource, placeComplaint } = policy;
  const { reading, status } = answered;
  const records = reading.kind === 'rejected' ? reading.records : [];
  return {
    status,
    records,
    state: 'rejected',
    problems: [
      ...reading.complaints.map((complaint) => placeComplaint(batch, complaint)),
      ...differing(policy, batch, { records, status }),
      ...moved(policy, batch, { records, status }),
    ],
    unsure:
      reading.kind === 'foreign' ||
      (resource === 'transactions' && reading.kind === 'rejected' && mayHaveKept(batch, reading, status)),
  };
}

/** A refusal names the first failing transaction; the ones before it may have been kept (interface.md 4.3). */
function mayHaveKept(batch: Batch, refusal: Refusal, status: number): boolean {
  return (status < 300 || status === 400) && reachOf(batch, refusal, status) !== 'account';
}

/** What a refusal settles whose records are set aside; the rest of the batch is left to be sent again. */
export function setAside(
  policy: Placing,
  batch: Batch,
  answered: { readonly refusal: Refusal; readonly reach: 'records' | 'account'; readonly status: number },
): Settlement {
  const { resource, placeComplaint } = policy;
  const { refusal, reach, status } = answered;
  const { records, complaints } = reach === 'records' ? namedIn(batch, refusal, status) : refusal;
  const isWhole = records.every(({ outcome }) => outcome !== null);
  return {
    status,
    records,
    state: isWhole ? 'done' : 'again',
    problems: [
      ...complaints.map((complaint) => placeComplaint(batch, complaint)),
      ...differing(policy, batch, { records, status }),
      ...moved(policy, batch, { records, status }),
    ],
    unsure: !isWhole && resource === 'transactions',
  };
}

/** How many records of each outcome there are. */
export function outcomeCounts({ records }: Settlement): Partial<Record<SettledOutcome, number>> {
  const counts: Partial<Record<SettledOutcome, number>> = {};
  for (const { outcome } of records) if (outcome) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Names every record of which nobody can tell whether it was us who brought it. */
function unproven(
  { resource, placeComplaint }: Placing,
  batch: Batch,
  { records, status }: Told,
): LocatedProblem[] {
  const field = ID_FIELD[resource];
  const problem = { code: 'outcome_unproven', path: field === null ? [] : [field], detail: '' };
  return records
    .filter(({ outcome, differsIn }) => outcome === 'verify' && differsIn === undefined)
    .map(({ seq }) => placeComplaint(batch, { seq, attr: null, problem, status }));
}

/** Names every record that is there with another amount or type: what is there is not the row. */
function differing({ placeComplaint }: Placing, batch: Batch, { records, status }: Told): LocatedProblem[] {
  return records.flatMap(({ seq, differsIn }) => {
    if (differsIn === undefined) return [];
    const code = 'existing_differs' satisfies ErrorCode;
    const problem = { code, path: [differsIn], detail: '' };
    return [placeComplaint(batch, { seq, attr: differsIn, problem, status })];
  });
}

/** Warns of every record that the platform has with another date; a report tells of them together. */
function moved({ placeComplaint }: Placing, batch: Batch, { records, status }: Told): LocatedProblem[] {
  const code = 'transaction_date_moved' satisfies ErrorCode;
  const problem = { code, path: [DATE_FIELD], detail: '' };
  return records
    .filter(({ dateMoved }) => dateMoved === true)
    .map(({ seq }) => placeComplaint(batch, { seq, attr: DATE_FIELD, problem, status, severity: 'warning' }));
}

const DATE_FIELD = 'transaction_date';
