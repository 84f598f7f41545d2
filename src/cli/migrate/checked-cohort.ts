import type { CommandPorts, OnClose } from '../command/command-ports.ts';
import type { Cohort } from './read-cohort.ts';
import { NO_PROBLEMS, problemReport, type ProblemReport } from '../push/ports/listed-problems.ts';
import { LINES_OF_GROUP, LISTED_PROBLEMS, type LocatedProblem } from '../push/ports/report.ts';
import type { Reading } from '../journal/reading.ts';
import { besideCohort } from './cohort-files.ts';
import { crossChecks, type ExpectedTotals } from './cross-checks.ts';
import { AppError } from '../../core/app-error.ts';
import { Decimal } from '../../core/values/decimal.ts';
import { namedRows } from '../csv/named-rows.ts';
import { openJoinStores } from '../scratch/join-store.ts';
import type { Shard } from '../push/ports/run.ts';
import { belongsTo } from '../push/stage-job.ts';

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
