import { sentenceOf } from '../../../core/error-codes/sentence.ts';
import { attrOfPath, type Problem } from '../../../core/problem.ts';
import type { TextPosition } from '../../../core/yaml/yaml-text.ts';

/** A problem in a mapping file, and its position there. The path of the problem is the path of the key. */
export type MappingProblem = TextPosition & { readonly problem: Problem };

/** `fields.amount.fold must be one of earlier, later`. */
export function mappingSentence({ problem }: MappingProblem): string {
  return [attrOfPath(problem.path), sentenceOf(problem.code, problem.facts)]
    .filter((part) => part !== '')
    .join(' ');
}
