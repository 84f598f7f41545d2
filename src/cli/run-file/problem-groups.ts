import type { Severity } from '../../core/problem.ts';
import type { LocatedProblem } from '../push/ports/located-problem.ts';
import { LINES_OF_GROUP, type ProblemGroup, type RunReport } from '../push/ports/report.ts';
import type { RunDatabase } from './run-database.ts';
import { unseal } from './sealed.ts';

/** Problems of a group that are looked at for its lines; a row may have the same problem in several items. */
const LOOKED_AT = 100;

interface GroupRow {
  readonly severity: Severity;
  readonly place: number;
  readonly line: number | null;
  readonly size: number;
  /** Of the first problem of its group; null for the others. */
  readonly document: string | null;
}

/** All problems of a run by what they are about, the largest groups first. */
export function problemGroupsOf(db: RunDatabase): Pick<RunReport, 'errorGroups' | 'warningGroups'> {
  const groups: { severity: Severity; count: number; first: LocatedProblem; lines: number[] }[] = [];
  for (const { severity, line, size, document } of db
    .prepare<[number], GroupRow>(GROUPS)
    .iterate(LOOKED_AT)) {
    if (document !== null)
      groups.push({ severity, count: size, first: unseal<LocatedProblem>(document), lines: [] });
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

const GROUPS = `
  SELECT severity, place, line, size,
    iif(place = 1, (SELECT document FROM problem WHERE problem.id = ranked.id), NULL) AS document
  FROM (
    SELECT id, severity, code, header, source_id, line,
      row_number() OVER (PARTITION BY severity, code, header, source_id ORDER BY line IS NULL, line, id) AS place,
      count(*) OVER (PARTITION BY severity, code, header, source_id) AS size
    FROM problem) AS ranked
  WHERE place <= ? ORDER BY severity, source_id, code, header, place`;
