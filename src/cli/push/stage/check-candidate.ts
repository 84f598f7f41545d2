import { samePath } from './listing-line.ts';
import type * as z from 'zod/mini';
import type { AccountKey } from '../../../core/contract/account.ts';
import { DESCRIPTORS, documentsOf, type RecordOf, type Resource } from '../../../core/contract/resources.ts';
import { failure, type Path, type Problem } from '../../../core/problem.ts';
import { checkRecord } from '../../../core/rules/record.ts';
import { problemsOfIssues } from '../../../core/rules/schema-problems.ts';
import { compiled } from '../../../core/schema.ts';
import { isUnder, type Candidate, type CellProblem } from '../../mapping/mapping-plan.ts';
import { damagedCells, implausibleValues } from '../odd-values/plausible-record.ts';
import type { DocumentListing } from '../ports/documents.ts';
import type { StageJob } from '../stage-job.ts';

/**
 * Checks a candidate by the rules that client and server share, then for plausibility. Returns the record if it may be sent, perhaps with
 * warnings, or the problems that stop it.
 */
export function checkCandidate(
  job: Pick<StageJob, 'resource' | 'check' | 'earliestDate' | 'documents'>,
  candidate: Candidate,
): { record: RecordOf[Resource] | undefined; problems: readonly CellProblem[] } {
  const { resource, check, earliestDate, documents } = job;
  const checked = checkRecord(resource, candidate.record, check);
  const ofCells = [...candidate.problems, ...damagedCells(resource, candidate)];
  const { account } = (check.descriptors ?? DESCRIPTORS)[resource];
  const broken = [...accountProblems(candidate.account, account), ...checked.problems];
  const bounds = { earliest: earliestDate, today: check.today };
  const implausible = implausibleValues(resource, candidate, bounds);
  const unlisted = documents && checked.record ? unlistedDocuments(resource, checked.record, documents) : [];
  // Most records have no problem.
  if (ofCells.length + broken.length + implausible.length + unlisted.length === 0)
    return { record: checked.record, problems: [] };
  // A value that could not be read is not reported a second time as missing.
  const wrong = broken.filter(
    ({ path }) => !ofCells.some(({ problem }) => isError(problem) && isPartOf(path, problem.path)),
  );
  const known = [...ofCells.map(({ problem }) => problem), ...wrong];
  // One problem of a cell is enough, unless it is a warning beside an error.
  const more = implausible.filter(
    (each) => !known.some((other) => isPartOf(each.path, other.path) && (isError(other) || !isError(each))),
  );
  const found = [...wrong, ...more, ...unlisted].map((problem) => ({ problem, cell: null }));
  const problems = [...ofCells, ...found];
  const isWrong = problems.some(({ problem }) => isError(problem));
  return { record: isWrong ? undefined : checked.record, problems };
}

/** A problem for each document that the listing of the file store does not have. */
function unlistedDocuments<K extends Resource>(
  resource: K,
  record: RecordOf[K],
  listing: DocumentListing,
): readonly Problem[] {
  return documentsOf(resource, record)
    .filter(({ document }) => !listing.has(samePath(document)))
    .map(({ path }) => failure('document_not_listed', path, { listing: listing.name }));
}

/** Whether every cell of a candidate can be read and no field is missing. A rule between fields may still be broken. */
export function looksLikeRecord(job: Parameters<typeof checkCandidate>[0], candidate: Candidate): boolean {
  const { problems } = checkCandidate(job, candidate);
  const isUnreadable = candidate.problems.some(({ problem }) => isError(problem));
  return !isUnreadable && !problems.some(({ problem }) => problem.code === 'required');
}

const isError = ({ severity }: Problem): boolean => severity === 'error';

/** A problem without a path is about the row, and hides no other problem. */
const isPartOf = (path: Path, whole: Path): boolean => whole.length > 0 && isUnder(path, whole);

function accountProblems(account: AccountKey, schema: z.ZodMiniType): ReturnType<typeof problemsOfIssues> {
  const parsed = compiled(schema).safeParse(account);
  return parsed.success ? [] : problemsOfIssues(parsed.error.issues, account);
}
