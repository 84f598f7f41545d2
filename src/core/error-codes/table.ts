import { retryOfStatus, type Retry } from '../contract/retry.ts';
import { COMMAND_CODES } from './command-codes.ts';
import { CONTRACT_CODES } from './contract-codes.ts';
import type { ErrorCodeEntry } from './entry.ts';
import { INPUT_CODES, PLAUSIBILITY_CODES } from './input-codes.ts';
import { ADMIN_CODES, SERVE_CODES } from './local-platform-codes.ts';
import { MAPPING_CODES } from './mapping-codes.ts';
import { FIELD_CODES, HTTP_CODES, RULE_CODES } from './platform-codes.ts';
import { RUN_CODES } from './run-codes.ts';

/** THE table of codes: the server's status, the exit of the program and every text come from it. */
export const ERROR_CODES = {
  ...FIELD_CODES,
  ...RULE_CODES,
  ...HTTP_CODES,
  ...INPUT_CODES,
  ...PLAUSIBILITY_CODES,
  ...MAPPING_CODES,
  ...COMMAND_CODES,
  ...CONTRACT_CODES,
  ...RUN_CODES,
  ...SERVE_CODES,
  ...ADMIN_CODES,
} as const;

/** A stable, machine-readable name of what is wrong. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The row of a code. */
export function entryOf(code: ErrorCode): ErrorCodeEntry {
  return ERROR_CODES[code];
}

/** Whether the client sends again, or a person may, what ended with a code. Codes with a status follow `retryOfStatus`. */
export function retryOf(code: ErrorCode): Retry {
  const { status, isTemporary } = entryOf(code);
  if (status !== null) return retryOfStatus(status);
  return isTemporary ? 'wait' : 'never';
}

/** Whether a text, for example a code in an answer of the platform, is a code of the table. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}
