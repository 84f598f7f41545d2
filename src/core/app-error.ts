import type { ErrorCode } from './error-codes/table.ts';
import { sentenceOf } from './error-codes/sentence.ts';
import type { Facts } from './problem.ts';

/**
 * A failure that ends a command: a code of the table and the facts that its sentence needs. Rows that are wrong or
 * rejected are values (`Problem`, `RecordOutcome`), not failures.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly facts: Facts;

  constructor(code: ErrorCode, facts: Facts = {}, cause?: unknown) {
    super(sentenceOf(code, facts), cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.code = code;
    this.facts = facts;
  }
}
