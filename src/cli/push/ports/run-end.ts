import type { ErrorCode } from '../../../core/error-codes/table.ts';
import type { Facts } from '../../../core/problem.ts';

/** How the last command that sent a run ended before nothing was left to do, as it is told again later. */
export interface RunEnd {
  /** Name of the exit code (exit-codes.ts). */
  readonly exit: string;
  readonly reason: EndReason | null;
}

/** What ended a run where the problems of its rows do not tell. */
export interface EndReason {
  readonly code: ErrorCode;
  readonly facts: Facts;
}
