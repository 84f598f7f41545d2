import { textsOf } from '../../../core/error-codes/sentence.ts';
import { isErrorCode, retryOf } from '../../../core/error-codes/table.ts';
import type { LoggedProblem } from '../../http/logged-request.ts';
import { rulesOfProblem } from '../../parity/parity.ts';
import type { Platform } from '../../platform/platform.ts';

/** A problem with the rules that it breaks, and the next step of the client. */
export interface ExplainedProblem extends Omit<LoggedProblem, 'next'> {
  /** The code in general words; null without any. */
  readonly sentence: string | null;
  readonly next: string | null;
  /** Whether the client sends again by itself. */
  readonly retry: string | null;
  readonly rules: readonly {
    readonly name: string;
    readonly authority: string;
    readonly source: string;
    readonly says: string;
  }[];
}

export function explained(problem: LoggedProblem, { contract }: Platform): ExplainedProblem {
  const { code } = problem;
  const field = problem.attr.split('.').findLast((part) => !/^\d*$/.test(part));
  const texts = isErrorCode(code) ? textsOf(code, {}) : { sentence: null, next: null };
  return {
    next: texts.next,
    ...problem,
    sentence: texts.sentence,
    retry: isErrorCode(code) ? retryOf(code) : null,
    rules: rulesOfProblem(code, field, contract).map(({ name, authority, source, says }) => ({
      name,
      authority,
      source,
      says,
    })),
  };
}
