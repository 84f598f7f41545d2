import { sentenceOf } from '../../../core/error-codes/sentence.ts';
import { attrOfPath, type Problem } from '../../../core/problem.ts';
import type { TextPosition } from '../../../core/yaml/yaml-text.ts';

/** Something that is wrong with a mapping file, and where. The path of the problem is that of the key. */
export interface MappingFault extends TextPosition {
  readonly problem: Problem;
}

/** `fields.amount.fold must be one of earlier, later`. */
export function faultSentence({ problem }: MappingFault): string {
  return [attrOfPath(problem.path), sentenceOf(problem.code, problem.facts)]
    .filter((part) => part !== '')
    .join(' ');
}
