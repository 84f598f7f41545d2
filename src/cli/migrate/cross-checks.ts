import type { AccountKey } from '../../core/contract/account.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import { failure, warning, type Severity } from '../../core/problem.ts';
import { majorFromMinor } from '../../core/values/decimal-shift.ts';
import { compareDecimals, Decimal } from '../../core/values/decimal.ts';
import type { CohortChecks } from './cohort-file.ts';
import { locateOwnProblem } from '../push/own-problem.ts';
import type { LocatedProblem } from '../push/ports/report.ts';
import type { SourceLine } from '../push/ports/staging.ts';
import type { CohortOperations } from '../journal/read/cohort-accounts.ts';
import { compareAccounts } from '../comparison/record-groups.ts';

/** The records of one resource of a cohort, as the checks between files see them. */
export interface CheckedResource {
  readonly operations: CohortOperations;
  /** The name of a source, counted from 1. */
  fileOf(source: number): string;
}

/** Totals that a person expects, by account. */
export interface ExpectedTotals {
  /** As it was typed. */
  readonly file: string;
  /** Takes the expected total of an account; undefined when the file has none. */
  take(account: AccountKey): Decimal | undefined;
  /** The totals that nobody took. */
  left(): Iterable<{ readonly line: number; readonly total: Decimal }>;
}

/** Everything that the checks compare. */
export interface CrossChecked {
  readonly checks: CohortChecks;
  readonly resources: ReadonlyMap<Resource, CheckedResource>;
  /** The expected totals of each entry of `checks.totals` that names a file, by the index of the entry. */
  readonly expected: ReadonlyMap<number, ExpectedTotals>;
  readonly showValues: boolean;
}

/** The problems between files, check after check. Memory does not grow with the files: both sides are read in one order. */
export function* crossChecks(checked: CrossChecked): Generator<LocatedProblem> {
  const { checks, resources } = checked;
  for (const { with: having, need: needed, severity } of checks.accounts ?? []) {
    const side = resources.get(having)!;
    const accounts = side.operations.accounts();
    for (const [account, other] of besideEachOther(accounts, resources.get(needed)!.operations.accounts())) {
      if (!account || other) continue;
      const facts = {
        reason: `the account has ${having} and no ${needed}`,
        todo: 'Look for the account in the files of the cohort. Where this is right, take the check out of `checks.accounts`, or write `severity: warning`.',
      };
      const problem = (severity === 'warning' ? warning : failure)('cohort_check_failed', [], facts);
      yield locateOwnProblem(problem, placeOf(side, account));
    }
  }
  for (const resource of checks.ids_in_two_files ?? []) {
    const side = resources.get(resource)!;
    for (const line of side.operations.idsInTwoFiles())
      yield locateOwnProblem(
        failure('cohort_check_failed', [], {
          reason: `the id occurs in two files of ${resource}`,
          todo: 'Remove the row from one of the files, or take the resource out of `checks.ids_in_two_files`.',
        }),
        placeOf(side, line),
      );
  }
  for (const [index, check] of (checks.totals ?? []).entries()) {
    if (typeof check.equal === 'string') yield* totalsOfResources({ ...check, equal: check.equal }, checked);
    else yield* totalsOfFile(check, checked.expected.get(index)!, checked);
  }
}

type TotalsCheck = Pick<NonNullable<CohortChecks['totals']>[number], 'of' | 'types' | 'severity'>;

function* totalsOfResources(
  { of, types, equal, severity }: TotalsCheck & { equal: Resource },
  { resources, showValues }: CrossChecked,
): Generator<LocatedProblem> {
  const [side, other] = [resources.get(of)!, resources.get(equal)!];
  for (const [ours, theirs] of besideEachOther(
    side.operations.sums(types),
    other.operations.sums(undefined),
  )) {
    const [total, expected] = [inMajorUnits(of, ours?.total), inMajorUnits(equal, theirs?.total)];
    if (compareDecimals(total, expected) === 0) continue;
    const amounts = amountsText({ total, expected }, showValues);
    yield locateOwnProblem(
      totalsProblem({ of, other: equal, amounts }, severity),
      ours ? placeOf(side, ours) : placeOf(other, theirs!),
    );
  }
}

function* totalsOfFile(
  { of, types, severity }: TotalsCheck,
  expected: ExpectedTotals,
  { resources, showValues }: CrossChecked,
): Generator<LocatedProblem> {
  const side = resources.get(of)!;
  const differs = (total: Decimal, wanted: Decimal) =>
    totalsProblem(
      { of, other: expected.file, amounts: amountsText({ total, expected: wanted }, showValues) },
      severity,
    );
  for (const sum of side.operations.sums(types)) {
    const [total, wanted] = [inMajorUnits(of, sum.total), expected.take(sum) ?? ZERO];
    if (compareDecimals(total, wanted) !== 0)
      yield locateOwnProblem(differs(total, wanted), placeOf(side, sum));
  }
  for (const { line, total } of expected.left())
    if (!total.isZero)
      yield locateOwnProblem(differs(ZERO, total), { file: expected.file, line, column: null, header: null });
}

const ZERO = Decimal.of('0');

/** Minor units are hundredths (deployments.md, "Responses"). */
const MINOR_DIGITS = 2;

/** An account without records of a resource has a total of zero there. */
function inMajorUnits(resource: Resource, total: string | null | undefined): Decimal {
  const exact = Decimal.of(total ?? '0');
  return DESCRIPTORS[resource].amount?.unit === 'minor' ? majorFromMinor(exact, MINOR_DIGITS) : exact;
}

/** Sums of an account are values of its cells, so they are shown only on request. */
function amountsText(
  { total, expected }: { total: Decimal; expected: Decimal },
  showValues: boolean,
): string {
  return showValues ? `: ${total.text}, not ${expected.text}` : '';
}

function totalsProblem(
  { of, other, amounts }: { of: string; other: string; amounts: string },
  severity: Severity | undefined,
) {
  const reason = `the ${of} of the account do not add up to the total of ${other}${amounts}`;
  return (severity === 'warning' ? warning : failure)('cohort_check_failed', [], { reason });
}

function placeOf({ fileOf }: CheckedResource, { source, line }: SourceLine) {
  return { file: fileOf(source), line, column: null, header: null };
}

/** Accounts of two sides in one order, each account once with what each side has of it. */
function* besideEachOther<A extends AccountKey, B extends AccountKey>(
  left: Iterable<A>,
  right: Iterable<B>,
): Generator<readonly [A | undefined, B | undefined]> {
  const [lefts, rights] = [left[Symbol.iterator](), right[Symbol.iterator]()];
  let [a, b] = [lefts.next(), rights.next()];
  while (!a.done || !b.done) {
    const order = a.done ? 1 : b.done ? -1 : compareAccounts(a.value, b.value);
    yield [order <= 0 ? (a.value as A) : undefined, order >= 0 ? (b.value as B) : undefined];
    if (order <= 0) a = lefts.next();
    if (order >= 0) b = rights.next();
  }
}
