import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, NON_FIELD, platformPathOf, withoutNonField, type Problem } from '../../core/problem.ts';
import { Refusal, type Answer } from '../http/answer.ts';
import type { ErrorShape } from '../options/behaviour.ts';

/** Encodes a 400 in the shape that `--error-shape` asks for, whether it is returned or thrown. */
export function inErrorShape(shape: ErrorShape, work: () => Answer): Answer {
  if (shape === 'documented') return work();
  try {
    return reshaped(work(), shape);
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(reshaped(error.answer, shape)) : error;
  }
}

function reshaped(answer: Answer, shape: 'nested' | 'non_field'): Answer {
  if (answer.status !== 400 || answer.problems === undefined) return answer;
  const problems = answer.problems.filter(({ severity }) => severity === 'error');
  return { ...answer, body: shape === 'nested' ? mirrorOf(problems) : listOf(problems) };
}

function listOf(problems: readonly Problem[]): object {
  return {
    [NON_FIELD]: problems.map((problem) =>
      [attrOfPath(withoutNonField(platformPathOf(problem))), sentenceOf(problem.code, problem.facts)]
        .filter((part) => part !== '')
        .join(': '),
    ),
  };
}

/** A mirror of the request with texts in place of its values. A request chooses the names, so no object has a prototype. */
type Mirror = { [name: string]: Mirror | string[] };

function mirrorOf(problems: readonly Problem[]): Mirror {
  const mirror = emptyMirror();
  for (const problem of problems) {
    const path = platformPathOf(problem);
    const names = path.length === 0 ? [NON_FIELD] : path.map(String);
    add(mirror, names, sentenceOf(problem.code, problem.facts));
  }
  return mirror;
}

function add(mirror: Mirror, [name = NON_FIELD, ...below]: readonly string[], text: string): void {
  const present = mirror[name];
  if (below.length > 0) {
    const inner = Array.isArray(present) ? Object.assign(emptyMirror(), { [NON_FIELD]: present }) : present;
    add((mirror[name] = inner ?? emptyMirror()), below, text);
  } else if (present === undefined) mirror[name] = [text];
  else if (Array.isArray(present)) present.push(text);
  else add(present, [NON_FIELD], text);
}

const emptyMirror = (): Mirror => Object.create(null) as Mirror;
