import { sentenceOf, nextStepOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, type Problem } from '../../core/problem.ts';
import type { CellLocation, LocatedProblem } from './ports/report.ts';

/** A problem that we found, at its cell, its line or its file. */
export function locateOwnProblem(
  problem: Problem,
  { file, line = null, column = null, header = null }: Pick<CellLocation, 'file'> & Partial<CellLocation>,
): LocatedProblem {
  const { code, severity, path, facts } = problem;
  const attr = path.length === 0 ? null : attrOfPath(path);
  const detail = sentenceOf(code, facts) + furtherFacts(problem, file);
  const next = nextStepOf(code, facts);
  return { code, severity, file, line, column, header, attr, detail, next, http_status: null };
}

/** Facts that any sentence may be followed by. */
function furtherFacts({ facts }: Problem, file: string): string {
  const { from_byte, other_file, other_line, other_content, reading } = facts;
  const other = `${other_file === undefined || other_file === file ? 'line ' : `${other_file}:`}${other_line}`;
  return [
    // An unreadable row begins at this byte, blank lines before it included.
    from_byte === undefined ? '' : ` (from byte ${from_byte} on)`,
    // The other row that the problem is about.
    other_line === undefined
      ? ''
      : ` (see ${other}${other_content === undefined ? '' : `, ${other_content}`})`,
    reading === 'stopped' ? '; reading stopped here, the rows after it were not looked at' : '',
  ].join('');
}
