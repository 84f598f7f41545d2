import type { Severity } from '../../../core/problem.ts';
import { LISTED_PROBLEMS, problemReport, type ProblemReport } from '../../push/ports/listed-problems.ts';
import {
  LINES_OF_GROUP,
  type AnsweredProblem,
  type LocatedProblem,
  type ProblemGroup,
  type ReportView,
} from '../../push/ports/report.ts';
import { seal, unseal } from '../database/integrity.ts';
import { isOfReading, rowsOf } from '../database/outcome-sql.ts';
import { allRows } from '../database/queries.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** Whose problem it is, and whether it stays when its batch is sent again. */
interface ProblemOwner {
  readonly reading: number;
  /** The batch whose answer named it; null when reading the files found it. */
  readonly batch: number | null;
  /** The record that it is about; left out when the answer names none. */
  readonly seq?: number | undefined;
  /** The line on which the record begins. */
  readonly atLine?: number | undefined;
  /** Whether it stays when its batch is sent again; without a batch, whether the comparison with the journal found it. */
  readonly isLasting: boolean;
}

/** Inserts problems, one by one. */
export function problemInserter(db: RunDatabase): (problem: AnsweredProblem, owner: ProblemOwner) => unknown {
  const insert = db.prepare(
    `INSERT INTO problem (reading_id, batch_id, seq, at_line, source_id, line, severity, code, header, document, lasting, unhidden)
     VALUES (@reading, @batch, @seq, @atLine, (SELECT min(id) FROM source WHERE reading_id = @reading AND name = @file), @line,
       @severity, @code, @header, @document, @lasting, @unhidden)`,
  );
  return ({ withValues, ...problem }, { seq = null, atLine = null, isLasting, ...owner }) =>
    insert.run({
      ...problem,
      ...owner,
      seq,
      atLine,
      lasting: isLasting ? 1 : 0,
      document: seal(problem),
      unhidden: withValues === undefined ? null : seal(withValues),
    });
}

/** A problem as the journal keeps it, see schema.ts. */
export interface KeptProblem {
  readonly document: string;
  readonly unhidden: string | null;
  /** Where the record of the problem is now; null or left out for the place that the document names. */
  readonly file?: string | null;
  readonly line?: number | null;
}

/** A kept problem as a report shows it. */
export function problemIn(
  { document, unhidden, file, line }: KeptProblem,
  { showValues, command }: ReportView,
): LocatedProblem {
  const now = typeof file === 'string' && typeof line === 'number' ? { file, line } : {};
  const problem = { ...unseal<LocatedProblem>(document), ...now };
  if (unhidden === null) return problem;
  if (unhidden !== '' && showValues) return { ...unseal<LocatedProblem>(unhidden), ...now };
  const hint = command === null ? '' : `; \`${command}\` shows what is hidden`;
  return { ...problem, detail: problem.detail + (unhidden === '' ? '; it is erased' : hint) };
}

/**
 * The problems of a reading, as the table `problem`: those that reading its files found, and those that answers named about its records, at
 * the line where the reading has the record.
 */
function problemsOf(db: RunDatabase, number: number): string {
  const isOfBatch = `EXISTS (SELECT 1 FROM batch WHERE batch.id = problem.batch_id AND ${isOfReading(db, number)})`;
  return `(
    SELECT problem.id, record.source_id, problem.line + record.first_line - at_line AS line, severity, code, header, document,
      unhidden, source.name AS file
    FROM problem JOIN ${rowsOf(db, number)} ON record.seq = problem.seq AND record.state = 'valid' JOIN source ON source.id = record.source_id
    UNION ALL
    SELECT id, source_id, line, severity, code, header, document, unhidden, NULL FROM problem
    WHERE seq IS NULL AND iif(batch_id IS NULL, reading_id = ${number}, ${isOfBatch})) AS problem`;
}

/** The problems of a run: the first ones listed and at least one of each code, all counted, all in groups. */
export function problemReportOf(db: RunDatabase, number: number, view: ReportView): ProblemReport {
  const listed = allRows<KeptProblem>(
    db,
    `SELECT document, unhidden, file, line FROM ${problemsOf(db, number)}
     ORDER BY severity = 'warning', source_id, line IS NULL, line, id LIMIT ?`,
    LISTED_PROBLEMS,
  );
  const problems = listed.map((kept) => problemIn(kept, view));
  return problemReport({ problems, ...problemGroupsOf(db, number, view) });
}

/** The problems of a row: those of its record, and those that reading its file found on its lines. */
export const PROBLEMS_AT = `
  SELECT document, unhidden, line, id, code FROM problem
  WHERE (seq = @seq OR (seq IS NULL AND source_id = @sourceId AND line BETWEEN @firstLine AND @lastLine))`;

/** How many problems of a group are read to find its first lines. One row may have the same problem in several items. */
const SEARCHED = 100;

/** The text of a warning without its digits: the same warning names other numbers in other rows. */
const TEXT = Array.from('0123456789').reduce(
  (sql, digit) => `replace(${sql}, '${digit}', '')`,
  "substr(document, instr(document, ' ') + 1) ->> 'detail'",
);
const OF_GROUP = 'severity, code, header, source_id, said';

/** The largest group first. Beside the only min() SQLite takes the other columns from the row with the minimum. */
const groupsSql = (problems: string): string => `
  SELECT size AS count, document, unhidden, file, grouped.line, lines FROM (
    SELECT id, size, file, line, min(place), json_group_array(DISTINCT line) FILTER (WHERE line IS NOT NULL) AS lines
    FROM (
      SELECT id, ${OF_GROUP}, line, file, count(*) OVER (PARTITION BY ${OF_GROUP}) AS size,
        row_number() OVER (PARTITION BY ${OF_GROUP} ORDER BY line IS NULL, line, id) AS place
      FROM (SELECT *, iif(severity = 'warning', ${TEXT}, '') AS said FROM ${problems}))
    WHERE place <= ${SEARCHED} GROUP BY ${OF_GROUP}) AS grouped JOIN problem USING (id)
  ORDER BY size DESC, problem.severity, problem.source_id, problem.code, problem.header`;

/** The problems in groups, the largest first. */
export function problemGroupsOf(
  db: RunDatabase,
  number: number,
  view: ReportView,
): Pick<ProblemReport, 'errorGroups' | 'warningGroups'> {
  const rows = allRows<KeptProblem & { count: number; lines: string }>(db, groupsSql(problemsOf(db, number)));
  const groups = rows.map(({ count, lines, ...kept }): ProblemGroup => {
    const found = (JSON.parse(lines) as number[]).toSorted((a, b) => a - b);
    return { count, first: problemIn(kept, view), lines: found.slice(0, LINES_OF_GROUP) };
  });
  const of = (severity: Severity) => groups.filter(({ first }) => first.severity === severity);
  return { errorGroups: of('error'), warningGroups: of('warning') };
}
