import type { Problem } from '../../../core/problem.ts';

/** The problem of a value, found by a step; and the value if it can be kept because the problem is a warning. */
export class StepProblem {
  readonly problem: Problem;
  readonly value: unknown;

  /** The path of the problem is empty. The caller knows the path of the field. */
  constructor(problem: Problem, value?: unknown) {
    this.problem = problem;
    this.value = value;
  }
}

/** Values of keys that neither the field nor the source sets. The process of a query needs them, and no schemas. */
export const STEP_DEFAULTS = {
  trim: false,
  null_tokens: [''],
  decimal_mark: '.',
  currency_signs: [],
  negative: ['leading'],
  positive_suffixes: [],
  negative_suffixes: [],
  true_tokens: ['true'],
  false_tokens: ['false'],
} as const;
