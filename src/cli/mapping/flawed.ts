import type { Problem } from '../../core/problem.ts';

/** What a step makes of a value that it objects to: the problem, and the value when that can be kept (a warning). */
export class Flawed {
  readonly problem: Problem;
  readonly value: unknown;

  /** The path of the problem is empty: the field that is being read knows its own. */
  constructor(problem: Problem, value?: unknown) {
    this.problem = problem;
    this.value = value;
  }
}
