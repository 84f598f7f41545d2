import { retryOfStatus, type Retry } from '../contract/retry.ts';
import type { ErrorCodeEntry } from './entry.ts';
import { ADMIN_CODES, COMMAND_CODES, SERVE_CODES } from './command-codes.ts';
import { INPUT_CODES, MAPPING_CODES, PLAUSIBILITY_CODES } from './input-codes.ts';
import { FIELD_CODES, HTTP_CODES, RULE_CODES } from './platform-codes.ts';
import { COHORT_CODES, RUN_CODES } from './run-codes.ts';

/** The codes by area, in the order in which `explain` lists them. Each code belongs to one area. */
const AREAS = {
  'values of fields': FIELD_CODES,
  'rules of the platform': RULE_CODES,
  'requests and answers': HTTP_CODES,
  'files and rows': INPUT_CODES,
  'values that look wrong': PLAUSIBILITY_CODES,
  'mapping files': MAPPING_CODES,
  'command lines, settings, credentials, connection': COMMAND_CODES,
  runs: RUN_CODES,
  cohorts: COHORT_CODES,
  'the local platform: serve': SERVE_CODES,
  'the local platform: admin': ADMIN_CODES,
} as const;

/** A stable, machine-readable name of what is wrong. */
export type ErrorCode = { [A in keyof typeof AREAS]: keyof (typeof AREAS)[A] }[keyof typeof AREAS];

/** THE table of codes: the server's status, the exit of the program and every text come from it. */
export const ERROR_CODES: Readonly<Record<ErrorCode, ErrorCodeEntry>> = Object.assign(
  {},
  ...Object.values(AREAS),
);

export function areaOf(code: ErrorCode): string {
  return Object.entries(AREAS).find(([, codes]) => Object.hasOwn(codes, code))![0];
}

export function entryOf(code: ErrorCode): ErrorCodeEntry {
  return ERROR_CODES[code];
}

/** Whether the client sends again, or a person may, what ended with a code. Codes with a status follow `retryOfStatus`. */
export function retryOf(code: ErrorCode): Retry {
  const { status, isTemporary } = entryOf(code);
  if (status !== null) return retryOfStatus(status);
  return isTemporary ? 'wait' : 'never';
}

/** Whether a code is only ever a warning. None of them ends a command, so the exit of its row never happens. */
export const isWarning = (code: ErrorCode): boolean => entryOf(code).isWarning === true;

/** Whether a text, for example a code in an answer of the platform, is a code of the table. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}
