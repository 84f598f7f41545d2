import type { AccountKey } from '../../core/contract/account.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import { failure, warning } from '../../core/problem.ts';
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
  for (const [index, check] of (checks.totals ?? []).entries())
    yield* totalsOfFile(check, checked.expected.get(index)!, checked);
}

function* totalsOfFile(
  { of, types, severity }: NonNullable<CohortChecks['totals']>[number],
  expected: ExpectedTotals,
  { resources, showValues }: CrossChecked,
): Generator<LocatedProblem> {
  const side = resources.get(of)!;
  const differs = (total: Decimal, wanted: Decimal) => {
    // Sums of an account are values of its cells, so they are shown only on request.
    const amounts = showValues ? `: ${total.text}, not ${wanted.text}` : '';
    const reason = `the ${of} of the account do not add up to the total of ${expected.file}${amounts}`;
    return (severity === 'warning' ? warning : failure)('cohort_check_failed', [], { reason });
  };
  for (const sum of side.operations.sums(types)) {
    const [total, wanted] = [inMajorUnits(of, sum.total), expected.take(sum) ?? ZERO];
    if (compareDecimals(total, wanted) !== 0)
      yield locateOwnProblem(differs(total, wanted), placeOf(side, sum));
  }
  for (const { line, total } of expected.left())
    if (!total.isZero) yield locateOwnProblem(differs(ZERO, total), { file: expected.file, line });
}

const ZERO = Decimal.of('0');

/** Minor units are hundredths (deployments.md, "Responses"). */
const MINOR_DIGITS = 2;

/** An account without records of a resource has a total of zero there. */
function inMajorUnits(resource: Resource, total: string | null): Decimal {
  const exact = Decimal.of(total ?? '0');
  return DESCRIPTORS[resource].amount?.unit === 'minor' ? majorFromMinor(exact, MINOR_DIGITS) : exact;
}

function placeOf({ fileOf }: CheckedResource, { source, line }: SourceLine) {
  return { file: fileOf(source), line };
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
