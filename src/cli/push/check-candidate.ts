import * as z from 'zod/mini';
import { accountFields, type AccountKey } from '../../core/contract/account.ts';
import type { Resource } from '../../core/contract/resources.ts';
import type { Path } from '../../core/problem.ts';
import { checkRecord, RECORD_RULES, type RecordOf } from '../../core/rules/record.ts';
import { problemsOfIssues } from '../../core/rules/schema-problems.ts';
import { compiled } from '../../core/schema.ts';
import { isUnder, type Candidate, type MappingProblem } from '../mapping/candidate.ts';
import type { RowPlace, StagedRecord } from './ports/run.ts';
import { recordIdOf } from './record-id.ts';
import type { StageJob } from './stage-job.ts';
import { suspicionsOf } from './suspicions.ts';

const accountKey = z.strictObject(accountFields);

/** A record that may be sent, perhaps with warnings, or the problems that stop it. */
export interface CheckedCandidate {
  readonly record: RecordOf[Resource] | undefined;
  readonly problems: readonly MappingProblem[];
}

/**
 * Checks what mapping made of the rows of one record: by the rules that both ends share, and for what they let pass and
 * a person would not.
 */
export function checkCandidate(
  { resource, check, earliestDate }: Pick<StageJob, 'resource' | 'check' | 'earliestDate'>,
  candidate: Candidate,
): CheckedCandidate {
  const checked = checkRecord(resource, candidate.record, check);
  const unreadable = candidate.problems.filter(({ problem }) => problem.severity === 'error');
  const wrong = [...accountProblems(candidate.account), ...checked.problems]
    // What could not be read is not reported a second time as missing.
    .filter((problem) => !unreadable.some((known) => isPartOf(problem.path, known.problem.path)));
  const told = [...candidate.problems.map(({ problem }) => problem), ...wrong];
  const odd = suspicionsOf(resource, candidate, { earliest: earliestDate, today: check.today })
    // A cell that is wrong by the contract, or was found odd by the mapping, is told once.
    .filter(({ path }) => !told.some((known) => isPartOf(path, known.path)));
  const found = [...wrong, ...odd].map((problem) => ({ problem, place: null }));
  const problems = [...candidate.problems, ...found];
  const isValid =
    checked.record !== undefined && !problems.some(({ problem }) => problem.severity === 'error');
  return { record: isValid ? checked.record : undefined, problems };
}

/** A problem without a path is about the row, and hides none of the others. */
function isPartOf(path: Path, whole: Path): boolean {
  return whole.length > 0 && isUnder(path, whole);
}

/** What the run file keeps of a record that passed. */
export function stagedRecord<K extends Resource>(
  resource: K,
  {
    record,
    place,
    account,
    parts,
  }: Pick<Candidate, 'account' | 'parts'> & { readonly record: RecordOf[K]; readonly place: RowPlace },
): StagedRecord {
  const { identity, amount, type } = RECORD_RULES[resource];
  return {
    place,
    account,
    parts,
    payload: JSON.stringify(record),
    identity: identity(record),
    id: recordIdOf(resource, record),
    type: type(record),
    amount: amount(record)?.text ?? null,
  };
}

function accountProblems(account: AccountKey): ReturnType<typeof problemsOfIssues> {
  const parsed = compiled(accountKey).safeParse(account);
  return parsed.success ? [] : problemsOfIssues(parsed.error.issues, account);
}
