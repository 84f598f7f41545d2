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

/**
 * Proves that a request was not applied, and that waiting does not help. Only the code that knows it throws this error: no connection
 * was opened, no token was obtained, or the platform rejected the token before it read anything. Every other error proves nothing.
 */
export class NotSentError extends AppError {}
