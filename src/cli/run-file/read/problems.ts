import type { Severity } from '../../../core/problem.ts';
import { listedProblems } from '../../push/ports/listed-problems.ts';
import {
  LINES_OF_GROUP,
  LISTED_PROBLEMS,
  type AnsweredProblem,
  type LocatedProblem,
  type ProblemGroup,
  type ReportView,
  type RunReport,
} from '../../push/ports/report.ts';
import { seal, unseal } from '../database/integrity.ts';
import type { RunDatabase } from '../database/run-database.ts';
import { PROBLEM_INDEXES } from '../database/schema.ts';

/** Whose problem it is, and whether it stays when its batch is sent again. */
interface ProblemOwner {
  /** The batch whose answer named it; null when staging found it. */
  readonly batch: number | null;
  readonly isLasting: boolean;
  /** Whether the comparison with the history found it. Default: false. */
  readonly isOfHistory?: boolean;
}

/** Inserts problems, one by one. */
export function problemInserter(db: RunDatabase): (problem: AnsweredProblem, owner: ProblemOwner) => void {
  const insert = db.prepare(
    `INSERT INTO problem (batch_id, source_id, line, severity, code, header, document, lasting, of_history, unhidden)
     VALUES (?, (SELECT min(id) FROM source WHERE name = ?), ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return ({ withValues, ...problem }, { batch, isLasting, isOfHistory = false }) => {
    const { file, line, severity, code, header } = problem;
    const unhidden = withValues === undefined ? null : seal(withValues);
    insert.run(
      batch,
      file,
      line,
      severity,
      code,
      header,
      seal(problem),
      isLasting ? 1 : 0,
      isOfHistory ? 1 : 0,
      unhidden,
    );
  };
}

/** A problem as the run file keeps it, see schema.ts. */
export type KeptProblem = { readonly document: string; readonly unhidden: string | null };

/** A kept problem as a report shows it. */
export function problemIn(
  { document, unhidden }: KeptProblem,
  { showValues, command }: ReportView,
): LocatedProblem {
  const problem = unseal<LocatedProblem>(document);
  if (unhidden === null) return problem;
  if (unhidden !== '' && showValues) return unseal<LocatedProblem>(unhidden);
  const hint = command === null ? '' : `; \`${command}\` shows what is hidden`;
  return { ...problem, detail: problem.detail + (unhidden === '' ? '; it is erased' : hint) };
}

type ProblemReport = Pick<
  RunReport,
  'problems' | 'problemsTotal' | 'errorsTotal' | 'errorGroups' | 'warningGroups'
>;

/** The problems of a run: the first ones listed and at least one of each code, all counted, all in groups. */
export function problemReportOf(db: RunDatabase, view: ReportView): ProblemReport {
  const listed = db.prepare<[number], KeptProblem>(
    `SELECT document, unhidden FROM problem
     ORDER BY severity = 'warning', source_id, line IS NULL, line, id LIMIT ?`,
  );
  const counts = db.prepare<[], { total: number; errors: number }>(
    `SELECT count(*) AS total, coalesce(sum(severity = 'error'), 0) AS errors FROM problem`,
  );
  const { total, errors } = counts.get()!;
  const groups = problemGroupsOf(db, view);
  const problems = listed.all(LISTED_PROBLEMS).map((kept) => problemIn(kept, view));
  return {
    problems: listedProblems({ problems, ...groups }),
    problemsTotal: total,
    errorsTotal: errors,
    ...groups,
  };
}

/** An error with the number of its source in the run, from 1; 0 when it belongs to no source. */
export type KeptError = { readonly source: number; readonly problem: LocatedProblem };

/** All errors of a run, in the order of the sources and their lines. */
export function* errorsOf(db: RunDatabase, view: ReportView): Generator<KeptError> {
  const errors = db.prepare<[], KeptProblem & { source: number }>(
    `SELECT coalesce(source_id, 0) AS source, document, unhidden FROM problem WHERE severity = 'error'
     ORDER BY source, coalesce(line, 0), id`,
  );
  for (const { source, ...kept } of errors.iterate()) yield { source, problem: problemIn(kept, view) };
}

/** A row, as the problems of its record are found. */
interface RowOfRecord {
  readonly source: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** The account that the run has for it; null for a row that is no record. */
  readonly account: number | null;
  readonly seq: number;
}

/** Finds the errors of a record, in the order of its lines. The refusal of a whole request is the error of each of its records. */
export function errorFinder(db: RunDatabase): (record: RowOfRecord) => readonly KeptProblem[] {
  db.transaction(() => db.exec(PROBLEM_INDEXES))();
  const inLines = db.prepare<[number, number, number], KeptProblem>(`
    SELECT document, unhidden FROM problem WHERE source_id = ? AND line BETWEEN ? AND ? AND severity = 'error'
    ORDER BY line, id`);
  const ofBatch = db.prepare<[number, number], KeptProblem>(`
    SELECT document, unhidden FROM problem WHERE severity = 'error' AND batch_id = (
      SELECT id FROM batch WHERE account_id = ? AND first_seq <= ? ORDER BY first_seq DESC LIMIT 1)
    ORDER BY id`);
  return ({ source, firstLine, lastLine, account, seq }) => {
    const own = inLines.all(source, firstLine, lastLine);
    // The refusal of a whole request is reported at its first row only.
    return own.length > 0 || account === null ? own : ofBatch.all(account, seq);
  };
}

/** Problems of a group that are searched for its lines: a row may have the same problem in several items. */
const SEARCHED = 100;

interface GroupRow {
  readonly severity: Severity;
  readonly line: number | null;
  readonly size: number;
  /** Null for all but the first problem of its group. */
  readonly document: string | null;
  readonly unhidden: string | null;
}

const GROUPS = `
  SELECT severity, line, size,
    iif(place = 1, (SELECT document FROM problem WHERE problem.id = ranked.id), NULL) AS document,
    iif(place = 1, (SELECT unhidden FROM problem WHERE problem.id = ranked.id), NULL) AS unhidden
  FROM (
    SELECT id, severity, code, header, source_id, line,
      row_number() OVER (PARTITION BY severity, code, header, source_id ORDER BY line IS NULL, line, id) AS place,
      count(*) OVER (PARTITION BY severity, code, header, source_id) AS size
    FROM problem) AS ranked
  WHERE place <= ? ORDER BY severity, source_id, code, header, place`;

/** The problems in groups, the largest first. */
export function problemGroupsOf(
  db: RunDatabase,
  view: ReportView,
): Pick<ProblemReport, 'errorGroups' | 'warningGroups'> {
  const groups: { severity: Severity; count: number; first: LocatedProblem; lines: number[] }[] = [];
  const rows = db.prepare<[number], GroupRow>(GROUPS).iterate(SEARCHED);
  for (const { severity, line, size, document, unhidden } of rows) {
    if (document !== null)
      groups.push({ severity, count: size, first: problemIn({ document, unhidden }, view), lines: [] });
    const { lines } = groups.at(-1)!;
    if (line !== null && lines.length < LINES_OF_GROUP && !lines.includes(line)) lines.push(line);
  }
  const largestFirst = groups.toSorted((a, b) => b.count - a.count);
  const of = (wanted: Severity): readonly ProblemGroup[] =>
    largestFirst
      .filter(({ severity }) => severity === wanted)
      .map(({ count, first, lines }) => ({ count, first, lines }));
  return { errorGroups: of('error'), warningGroups: of('warning') };
}
