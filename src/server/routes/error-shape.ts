import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, NON_FIELD, platformPathOf, withoutNonField, type Problem } from '../../core/problem.ts';
import { rule } from '../../core/rules/rule.ts';
import { Refusal, type Answer } from '../http/answer.ts';
import type { ErrorShape } from '../options/behaviour.ts';

export const inErrorShape = rule(
  {
    name: 'error-shapes',
    authority: 'observed',
    source: 'deployments.md, "Responses"; the choice: emulator.md',
    says: 'A 400 of the four POSTs has the shape of 7.1, for one transaction that of 4.3 and for an instruction {error_detail, …}; with --error-shape nested all of them mirror the request, with non_field they are one list of texts. Neither of these has codes.',
    tested: 'server/routes/error-shapes › a 400 about $what has the shape that was asked for',
  },
  (shape: ErrorShape, work: () => Answer): Answer => {
    if (shape === 'documented') return work();
    try {
      return reshaped(work(), shape);
    } catch (error) {
      throw error instanceof Refusal ? new Refusal(reshaped(error.answer, shape)) : error;
    }
  },
);

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

/** Texts at the end of a path, or what lies below it. Its names come from a request, so none may be a prototype's. */
interface Mirror {
  [name: string]: Mirror | string[];
}

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
  const there = mirror[name];
  if (below.length > 0) {
    const inner = Array.isArray(there) ? Object.assign(emptyMirror(), { [NON_FIELD]: there }) : there;
    add((mirror[name] = inner ?? emptyMirror()), below, text);
  } else if (there === undefined) mirror[name] = [text];
  else if (Array.isArray(there)) there.push(text);
  else add(there, [NON_FIELD], text);
}

function emptyMirror(): Mirror {
  return Object.create(null) as Mirror;
}
