import { sentenceOf, nextStepOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, type Problem } from '../../core/problem.ts';
import type { CellPlace } from '../mapping/column-map.ts';
import type { LocatedProblem } from './ports/located-problem.ts';

/** Places a problem that we found. */
export function locate(
  problem: Problem,
  file: string,
  line: number | null,
  place: CellPlace,
): LocatedProblem {
  const { other_file, other_line } = problem.facts;
  const other =
    other_line === undefined ? '' : ` (see ${other_file === file ? 'line ' : `${other_file}:`}${other_line})`;
  return {
    code: problem.code,
    severity: problem.severity,
    file,
    line,
    ...place,
    attr: problem.path.length === 0 ? null : attrOfPath(problem.path),
    detail: sentenceOf(problem.code, problem.facts) + other,
    next: nextStepOf(problem.code, problem.facts),
    http_status: null,
  };
}
