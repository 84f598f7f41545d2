import type { CommandPorts, OnClose } from '../command/command-ports.ts';
import type { Cohort } from './read-cohort.ts';
import { NO_PROBLEMS, problemReport, type ProblemReport } from '../push/ports/listed-problems.ts';
import { LINES_OF_GROUP, LISTED_PROBLEMS, type LocatedProblem } from '../push/ports/report.ts';
import type { Reading } from '../journal/reading.ts';
import { besideCohort } from './cohort-files.ts';
import { AppError } from '../../core/app-error.ts';
import { Decimal, compareDecimals } from '../../core/values/decimal.ts';
import { namedRows } from '../csv/named-rows.ts';
import { openJoinStores } from '../scratch/join-store.ts';
import type { Shard } from '../push/ports/run.ts';
import { belongsTo } from '../push/stage-job.ts';
import type { AccountKey } from '../../core/contract/account.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import { failure, warning } from '../../core/problem.ts';
import { majorFromMinor } from '../../core/values/decimal-shift.ts';
import type { CohortChecks } from './cohort-file.ts';
import { locateOwnProblem } from '../push/own-problem.ts';
import type { SourceLine } from '../push/ports/staging.ts';
import type { CohortOperations } from '../journal/read/cohort-accounts.ts';
import { compareAccounts } from '../comparison/record-groups.ts';

/** Runs the checks between the files of a cohort. */
export async function checkedCohort(
  cohort: Cohort,
  runs: readonly Reading[],
  { io, onClose }: Pick<CommandPorts, 'io' | 'onClose'>,
  showValues: boolean,
): Promise<ProblemReport> {
  const { checks } = cohort.document;
  if (!checks) return NO_PROBLEMS;
  const expected = new Map<number, ExpectedTotals>();
  const shard = runs[0]?.header.options.selection?.shard;
  for (const [index, { equal }] of (checks.totals ?? []).entries()) {
    const file = besideCohort(cohort, equal.file);
    expected.set(index, await expectedTotals({ ...equal, file }, { cwd: io.cwd, onClose, shard }));
  }
  const resources = new Map(
    runs.map(({ header, cohort: operations }) => [
      header.resource,
      { operations, fileOf: (source: number) => header.sources[source - 1]!.name },
    ]),
  );
  return collected(crossChecks({ checks, resources, expected, showValues }));
}

type Group = { count: number; readonly first: LocatedProblem; readonly lines: number[] };

/** The first problems, and the number of all. */
function collected(found: Iterable<LocatedProblem>): ProblemReport {
  const listed = { error: [] as LocatedProblem[], warning: [] as LocatedProblem[] };
  const groups = { error: new Map<string, Group>(), warning: new Map<string, Group>() };
  for (const problem of found) {
    const { code, file, line, severity } = problem;
    listed[severity].push(...(listed[severity].length < LISTED_PROBLEMS ? [problem] : []));
    const key = JSON.stringify([code, file]);
    const group = groups[severity].get(key) ?? { count: 0, first: problem, lines: [] };
    groups[severity].set(key, group);
    group.count++;
    if (group.lines.length < LINES_OF_GROUP && line !== null) group.lines.push(line);
  }
  return problemReport({
    problems: [...listed.error, ...listed.warning],
    errorGroups: [...groups.error.values()],
    warningGroups: [...groups.warning.values()],
  });
}

/** The file of a check of totals, and its columns. */
interface TotalsFile {
  readonly file: string;
  readonly account: string;
  /** Undefined in a file of one supplier, which names its accounts by their numbers alone. */
  readonly supplier?: string | undefined;
  readonly total: string;
}

/**
 * Reads the totals that a person expects into a temporary file, so that memory does not grow with them. `shard`: the shard whose
 * records they are compared with; undefined for all.
 */
async function expectedTotals(
  { file, account, supplier, total }: TotalsFile,
  { cwd, onClose, shard }: { cwd: string; onClose: OnClose; shard: Shard | undefined },
): Promise<ExpectedTotals> {
  const stores = openJoinStores();
  onClose(() => stores.close());
  const unreadable = (line: number, reason: string): AppError =>
    new AppError('trailer_unreadable', {
      reason: `the expected total cannot be read: ${reason}`,
      todo: 'Correct the file: cells separated by commas, one row for each account, a decimal point, and no other marks in amounts.',
      file,
      line,
    });
  const store = stores.make();
  const columns = [account, ...(supplier === undefined ? [] : [supplier]), total];
  for await (const { line, cell } of namedRows(file, columns, { cwd, refuse: unreadable })) {
    const exact = Decimal.parse(cell(total));
    if (!exact) throw unreadable(line, `\`${total}\` is no number with a decimal point`);
    const number = cell(account);
    store.add(keyOf(number, supplier === undefined ? '' : cell(supplier)), {
      line,
      cells: [exact.text, number],
    });
  }
  return {
    file,
    take({ import_supplier: code, external_account_number: number }) {
      const key = keyOf(number, supplier === undefined ? '' : code);
      const isOfAnother = store.isTaken(key);
      const [first, second] = store.take(key);
      if (second) throw unreadable(second.line, 'its account has an earlier row');
      if (first && isOfAnother) throw unreadable(first.line, OF_TWO_SUPPLIERS);
      return first && Decimal.of(first.cells[0]!);
    },
    *left() {
      for (const { line, cells } of store.left()) {
        const [sum, number] = cells as [string, string];
        // The accounts of other shards are not among the records.
        if (belongsTo(shard, number)) yield { line, total: Decimal.of(sum) };
      }
    },
  };
}

/** Each account is taken once, so an account that was taken before is one of another supplier. */
const OF_TWO_SUPPLIERS =
  'two suppliers of the cohort have an account of this number; name the column with the supplier (`supplier`)';

const keyOf = (account: string, supplier: string): string => JSON.stringify([supplier, account]);

/** The records of one resource of a cohort, as the checks between files see them. */
interface CheckedResource {
  readonly operations: CohortOperations;
  /** The name of a source, counted from 1. */
  fileOf(source: number): string;
}

/** Totals that a person expects, by account. */
interface ExpectedTotals {
  /** As it was typed. */
  readonly file: string;
  /** Takes the expected total of an account; undefined when the file has none. */
  take(account: AccountKey): Decimal | undefined;
  /** The totals that nobody took. */
  left(): Iterable<{ readonly line: number; readonly total: Decimal }>;
}

/** Everything that the checks compare. */
interface CrossChecked {
  readonly checks: CohortChecks;
  readonly resources: ReadonlyMap<Resource, CheckedResource>;
  /** The expected totals of each entry of `checks.totals` that names a file, by the index of the entry. */
  readonly expected: ReadonlyMap<number, ExpectedTotals>;
  readonly showValues: boolean;
}

/** The problems between files, check after check. Memory does not grow with the files: both sides are read in one order. */
function* crossChecks(checked: CrossChecked): Generator<LocatedProblem> {
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
