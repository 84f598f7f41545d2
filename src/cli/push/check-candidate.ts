import * as z from 'zod/mini';
import { accountFields, type AccountKey } from '../../core/contract/account.ts';
import { DESCRIPTORS, type RecordOf, type Resource } from '../../core/contract/resources.ts';
import type { Path } from '../../core/problem.ts';
import { checkRecord } from '../../core/rules/record.ts';
import { problemsOfIssues } from '../../core/rules/schema-problems.ts';
import { compiled } from '../../core/schema.ts';
import { Decimal } from '../../core/values/decimal.ts';
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
  const { identity, idField, typeField, amount } = DESCRIPTORS[resource];
  const fields: Readonly<Record<string, unknown>> = record;
  const total = amount && fields[amount.field];
  return {
    position,
    account,
    parts,
    payload: JSON.stringify(record),
    identity: identity(record),
    id: idField && (fields[idField] as string),
    type: typeField && (fields[typeField] as string),
    amount: total instanceof Decimal ? total.text : null,
  };
}
