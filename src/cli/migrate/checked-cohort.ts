import type { CommandPorts, OnClose } from '../command/command-ports.ts';
import type { Cohort } from './read-cohort.ts';
import { LISTED_PROBLEMS, problemReport, type ProblemReport } from '../push/ports/listed-problems.ts';
import { LINES_OF_GROUP, type LocatedProblem } from '../push/ports/report.ts';
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
import type { Facts, Severity } from '../../core/problem.ts';
import { majorFromMinor } from '../../core/values/decimal-shift.ts';
import type { CohortChecks } from './cohort-file.ts';
import { locateOwnProblem } from '../push/own-problem.ts';
import type { SourceLine } from '../push/ports/staging.ts';
import { compareAccounts } from '../journal/read/cohort-accounts.ts';

/** Runs the checks between the files of a cohort. */
export async function checkedCohort(
  cohort: Cohort,
  runs: readonly Reading[],
  { io, onClose }: Pick<CommandPorts, 'io' | 'onClose'>,
  showValues: boolean,
): Promise<ProblemReport> {
  const { checks } = cohort.document;
  if (!checks) return collected([]);
  const runOf = new Map(runs.map((run) => [run.header.resource, run]));
  const shard = runs[0]?.header.options.selection?.shard;
  const totals: Iterable<LocatedProblem>[] = [];
  for (const check of checks.totals ?? []) {
    const file = besideCohort(cohort, check.equal.file);
    const expected = await expectedTotals({ ...check.equal, file }, { cwd: io.cwd, onClose, shard });
    totals.push(totalsOfFile(check, expected, { run: runOf.get(check.of)!, showValues }));
  }
  const problems = function* (): Generator<LocatedProblem> {
    for (const check of checks.accounts ?? []) yield* accountsWithout(check, runOf);
    for (const found of totals) yield* found;
  };
  return collected(problems());
}

type Group = { count: number; readonly first: LocatedProblem; readonly lines: number[] };

/** The first problems, and the number of all. */
function collected(found: Iterable<LocatedProblem>): ProblemReport {
  const listed = { error: [] as LocatedProblem[], warning: [] as LocatedProblem[] };
  const groups = { error: new Map<string, Group>(), warning: new Map<string, Group>() };
  for (const problem of found) {
    const { code, file, line, severity, detail } = problem;
    listed[severity].push(...(listed[severity].length < LISTED_PROBLEMS ? [problem] : []));
    // Two checks have two texts. That of one check may name the amounts of each account.
    const key = JSON.stringify([code, file, detail.replaceAll(/-?\d+(?:\.\d+)?/g, '')]);
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

type TotalsCheck = NonNullable<CohortChecks['totals']>[number];

/**
 * Reads the totals that a person expects into a temporary file, so that memory does not grow with them. `shard`: the shard whose
 * records they are compared with; undefined for all.
 */
async function expectedTotals(
  { file, account, supplier, total }: TotalsCheck['equal'],
  { cwd, onClose, shard }: { cwd: string; onClose: OnClose; shard: Shard | undefined },
) {
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
    /** Takes the expected total of an account; undefined when the file has none. */
    take({ import_supplier: code, external_account_number: number }: AccountKey): Decimal | undefined {
      const key = keyOf(number, supplier === undefined ? '' : code);
      const isOfAnother = store.isTaken(key);
      const [first, second] = store.take(key);
      if (second) throw unreadable(second.line, 'its account has an earlier row');
      if (first && isOfAnother) throw unreadable(first.line, OF_TWO_SUPPLIERS);
      return first && Decimal.of(first.cells[0]!);
    },
    /** The totals that nobody took. */
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

/** The accounts that have records of one resource and none of another. Both sides are read in one order, so memory does not grow with them. */
function* accountsWithout(
  { with: having, need: needed, severity }: NonNullable<CohortChecks['accounts']>[number],
  runOf: ReadonlyMap<Resource, Reading>,
): Generator<LocatedProblem> {
  const run = runOf.get(having)!;
  const others = runOf.get(needed)!.cohort.accounts()[Symbol.iterator]();
  let other = others.next();
  for (const account of run.cohort.accounts()) {
    while (!other.done && compareAccounts(other.value, account) < 0) other = others.next();
    if (!other.done && compareAccounts(other.value, account) === 0) continue;
    const facts = {
      reason: `the account has ${having} and no ${needed}`,
      todo: 'Look for the account in the files of the cohort. Where this is right, take the check out of `checks.accounts`, or write `severity: warning`.',
    };
    yield found(severity, facts, placeOf(run, account));
  }
  // A journal takes nothing while its rows are read.
  while (!other.done) other = others.next();
}

function* totalsOfFile(
  { of, types, severity }: TotalsCheck,
  expected: Awaited<ReturnType<typeof expectedTotals>>,
  { run, showValues }: { run: Reading; showValues: boolean },
): Generator<LocatedProblem> {
  const differs = (total: Decimal, wanted: Decimal, place: Place) => {
    // Sums of an account are values of its cells, so they are shown only on request.
    const amounts = showValues ? `: ${total.text}, not ${wanted.text}` : '';
    const reason = `the ${of} of the account do not add up to the total of ${expected.file}${amounts}`;
    return found(severity, { reason }, place);
  };
  for (const sum of run.cohort.sums(types)) {
    const [total, wanted] = [inMajorUnits(of, sum.total), expected.take(sum) ?? ZERO];
    if (compareDecimals(total, wanted) !== 0) yield differs(total, wanted, placeOf(run, sum));
  }
  for (const { line, total } of expected.left())
    if (!total.isZero) yield differs(ZERO, total, { file: expected.file, line });
}

const ZERO = Decimal.of('0');

/** Minor units are hundredths (deployments.md, "Responses"). */
const MINOR_DIGITS = 2;

/** An account without records of a resource has a total of zero there. */
function inMajorUnits(resource: Resource, total: string | null): Decimal {
  const exact = Decimal.of(total ?? '0');
  return DESCRIPTORS[resource].amount?.unit === 'minor' ? majorFromMinor(exact, MINOR_DIGITS) : exact;
}

type Place = Readonly<{ file: string; line: number }>;

const placeOf = ({ header }: Reading, { source, line }: SourceLine): Place => {
  return { file: header.sources[source - 1]!.name, line };
};

function found(severity: Severity | undefined, facts: Facts, place: Place): LocatedProblem {
  return locateOwnProblem(
    { code: 'cohort_check_failed', severity: severity ?? 'error', path: [], facts },
    place,
  );
}
