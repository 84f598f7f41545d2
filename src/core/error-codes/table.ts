import { ADMIN_CODES } from './admin-codes.ts';
import { CLIENT_CODES } from './client-codes.ts';
import type { ErrorCodeEntry } from './entry.ts';
import { CONNECTION_CODES } from './connection-codes.ts';
import { FAULT_CODES } from './fault-codes.ts';
import { FIELD_CODES } from './field-codes.ts';
import { HTTP_CODES } from './http-codes.ts';
import { INSPECT_CODES } from './inspect-codes.ts';
import { MAPPING_CODES } from './mapping-codes.ts';
import { REPLAY_CODES } from './replay-codes.ts';
import { RULE_CODES } from './rule-codes.ts';
import { RUN_CODES } from './run-codes.ts';
import { SERVE_CODES } from './serve-codes.ts';
import { SOURCE_CODES } from './source-codes.ts';
import { STAGING_CODES } from './staging-codes.ts';
import { SUSPICION_CODES } from './suspicion-codes.ts';

/** THE table of codes: it drives the server's status, the client's retry and exit, and every text. */
export const ERROR_CODES = {
  ...FIELD_CODES,
  ...RULE_CODES,
  ...HTTP_CODES,
  ...SOURCE_CODES,
  ...CLIENT_CODES,
  ...RUN_CODES,
  ...SERVE_CODES,
  ...CONNECTION_CODES,
  ...INSPECT_CODES,
  ...MAPPING_CODES,
  ...STAGING_CODES,
  ...SUSPICION_CODES,
  ...REPLAY_CODES,
  ...FAULT_CODES,
  ...ADMIN_CODES,
} as const;

/** A stable, machine-readable name of what is wrong. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** What the table says about a code. */
export function entryOf(code: ErrorCode): ErrorCodeEntry {
  return ERROR_CODES[code];
}

/** Whether a text, for example a code in an answer of the platform, is a code of the table. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}
