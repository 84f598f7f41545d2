import { sentenceOf, nextStepOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, type Problem } from '../../core/problem.ts';
import type { CellLocation } from '../mapping/column-map.ts';
import type { LocatedProblem } from './ports/located-problem.ts';

/** A cell, or a line as a whole, of a file that is known. */
export interface KnownPlace extends CellLocation {
  readonly file: string;
}

/** Places a problem that we found. */
export function locate(problem: Problem, place: KnownPlace): LocatedProblem {
  return {
    code: problem.code,
    severity: problem.severity,
    file: place.file,
    line: place.line,
    column: place.column,
    header: place.header,
    attr: problem.path.length === 0 ? null : attrOfPath(problem.path),
    detail: [
      sentenceOf(problem.code, problem.facts),
      bytePlace(problem),
      otherPlace(problem, place),
      endOfReading(problem),
    ].join(''),
    next: nextStepOf(problem.code, problem.facts),
    http_status: null,
  };
}

/** The row that a problem is about beside its own. */
function otherPlace({ facts }: Problem, { file }: KnownPlace): string {
  const { other_file, other_line, other_content } = facts;
  if (other_line === undefined) return '';
  const where = `${other_file === undefined || other_file === file ? 'line ' : `${other_file}:`}${other_line}`;
  return ` (see ${where}${other_content === undefined ? '' : `, ${other_content}`})`;
}

/** Where in the file a row begins that cannot be read as one, blank lines before it included. */
function bytePlace({ facts }: Problem): string {
  return facts['from_byte'] === undefined ? '' : ` (from byte ${facts['from_byte']} on)`;
}

function endOfReading({ facts }: Problem): string {
  return facts['reading'] === 'stopped' ? '; reading stopped here, the rows after it were not looked at' : '';
}
