import * as z from 'zod/mini';
import { accountFields, type AccountKey } from '../../core/contract/account.ts';
import { RESOURCE_WIRE, type Resource } from '../../core/contract/resources.ts';
import type { Path } from '../../core/problem.ts';
import { checkRecord, RECORD_RULES, type RecordOf } from '../../core/rules/record.ts';
import { problemsOfIssues } from '../../core/rules/schema-problems.ts';
import { compiled } from '../../core/schema.ts';
import { isUnder, type Candidate, type CellProblem } from '../mapping/mapping-plan.ts';
import { damagedCells, implausibleValues } from './plausible-record.ts';
import type { SourcePosition, StagedRecord } from './ports/staging.ts';
import type { StageJob } from './stage-job.ts';

const accountKey = z.strictObject(accountFields);

/** A record that may be sent, perhaps with warnings, or the problems that stop it. */
export interface CheckedCandidate {
  readonly record: RecordOf[Resource] | undefined;
  readonly problems: readonly CellProblem[];
}

/** Checks a candidate by the rules that client and server share, then for plausibility. */
export function checkCandidate(
  { resource, check, earliestDate }: Pick<StageJob, 'resource' | 'check' | 'earliestDate'>,
  candidate: Candidate,
): CheckedCandidate {
  const checked = checkRecord(resource, candidate.record, check);
  const damaged = damagedCells(resource, candidate);
  const unreadable = [...candidate.problems, ...damaged].filter(
    ({ problem }) => problem.severity === 'error',
  );
  const wrong = [...accountProblems(candidate.account), ...checked.problems]
    // A value that could not be read is not reported a second time as missing.
    .filter((problem) => !unreadable.some((known) => isPartOf(problem.path, known.problem.path)));
  const known = [...[...candidate.problems, ...damaged].map(({ problem }) => problem), ...wrong];
  const implausible = implausibleValues(resource, candidate, { earliest: earliestDate, today: check.today })
    // One problem of a cell is enough.
    .filter(({ path }) => !known.some((other) => isPartOf(path, other.path)));
  const found = [...wrong, ...implausible].map((problem) => ({ problem, cell: null }));
  const problems = [...candidate.problems, ...damaged, ...found];
  const isValid =
    checked.record !== undefined && !problems.some(({ problem }) => problem.severity === 'error');
  return { record: isValid ? checked.record : undefined, problems };
}

/** Whether every cell of a candidate can be read and no field is missing. A rule between fields may still be broken. */
export function looksLikeRecord(job: Parameters<typeof checkCandidate>[0], candidate: Candidate): boolean {
  const { problems } = checkCandidate(job, candidate);
  const isUnreadable = candidate.problems.some(({ problem }) => problem.severity === 'error');
  return !isUnreadable && !problems.some(({ problem }) => problem.code === 'required');
}

/** A problem without a path is about the row, and hides no other problem. */
function isPartOf(path: Path, whole: Path): boolean {
  return whole.length > 0 && isUnder(path, whole);
}

function accountProblems(account: AccountKey): ReturnType<typeof problemsOfIssues> {
  const parsed = compiled(accountKey).safeParse(account);
  return parsed.success ? [] : problemsOfIssues(parsed.error.issues, account);
}

/** A checked record as the run file keeps it. */
export function stagedRecord<K extends Resource>(
  resource: K,
  {
    record,
    position,
    account,
    parts,
  }: Pick<Candidate, 'account' | 'parts'> & {
    readonly record: RecordOf[K];
    readonly position: SourcePosition;
  },
): StagedRecord {
  const { identity, amount, type } = RECORD_RULES[resource];
  return {
    position,
    account,
    parts,
    payload: JSON.stringify(record),
    identity: identity(record),
    id: recordId(resource, record),
    type: type(record),
    amount: amount(record)?.text ?? null,
  };
}

/** The id by which the platform's answers name a record; null for notes. */
export function recordId<K extends Resource>(resource: K, record: RecordOf[K]): string | null {
  const field = RESOURCE_WIRE[resource].idField;
  return field === null ? null : ((record as unknown as Record<string, string>)[field] ?? null);
}
