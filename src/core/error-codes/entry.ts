/**
 * Where a code comes from. `documented`: the interface document has it. `observed`: published descriptions of deployments
 * have it. `chosen`: dataimport added it where the interface is silent. `operator`: the contract of the operator has it.
 */
export const AUTHORITIES = ['documented', 'observed', 'chosen', 'operator'] as const;
export type Authority = (typeof AUTHORITIES)[number];

/** The names of the exit codes that an error can end the program with. Numbers: `src/cli/output/exit-codes.ts`. */
export type ErrorExit =
  | 'USAGE'
  | 'INPUT_INVALID'
  | 'REFUSED'
  | 'UNFINISHED'
  | 'PARTIAL'
  | 'AUTH'
  | 'RUN_FILE'
  | 'NOTHING_TO_DO'
  | 'BUSY'
  | 'UNRECONCILED'
  | 'BUG';

export interface ErrorCodeEntry {
  readonly authority: Authority;
  /** HTTP status that the platform answers with; null for a code that only the client reports. */
  readonly status: number | null;
  /** About an object as a whole, so the platform names none of its fields. Default: about a field, or about no input. */
  readonly wholeObject?: true;
  /** Only the client reports it, and the same command may succeed after a wait. The status decides for the other codes. */
  readonly isTemporary?: true;
  /** Only ever reported as a warning, so it ends nothing. */
  readonly isWarning?: true;
  /** What decides about a rule of the platform: the record alone, or data of the platform, which some platforms do not ask for. */
  readonly decidedBy?: 'record' | 'platform' | 'some platforms';
  /** How the program ends when this ends it. */
  readonly exit: ErrorExit;
  /** Says what is wrong, with `{fact}` where a fact goes, or `{fact|usual words}`; no final stop. */
  readonly sentence: string;
  /** Says what to do next, in words that can be acted on. */
  readonly next: string;
  /** What the author of another client does about an answer with the code. Default: `next`. */
  readonly inRequest?: string;
}

/** Makes the rows of codes that only the client reports and that end the program in one way. */
export function codesEnding(exit: ErrorExit, more: Pick<ErrorCodeEntry, 'isTemporary' | 'isWarning'> = {}) {
  return (sentence: string, next: string): ErrorCodeEntry => ({
    authority: 'chosen',
    status: null,
    exit,
    sentence,
    next,
    ...more,
  });
}

export const usageCode = codesEnding('USAGE');
export const inputCode = codesEnding('INPUT_INVALID');
export const authCode = codesEnding('AUTH');
export const refusedCode = codesEnding('REFUSED');
export const unfinishedCode = codesEnding('UNFINISHED');
export const partialCode = codesEnding('PARTIAL');
export const runFileCode = codesEnding('RUN_FILE');
export const unreconciledCode = codesEnding('UNRECONCILED');

/** Codes that are only ever reported as a warning. */
export const warningCode = codesEnding('INPUT_INVALID', { isWarning: true });
/** Codes for something that another process uses, and for a failure that may pass with time. */
export const busyCode = codesEnding('BUSY', { isTemporary: true });
export const temporaryCode = codesEnding('UNFINISHED', { isTemporary: true });

/** The row of a code that the platform answers with. Defaults: observed, status 400, exit REFUSED. */
export function platformCode(
  sentence: string,
  next: string,
  changes: Partial<ErrorCodeEntry> = {},
  inRequest = changes.inRequest,
): ErrorCodeEntry {
  return {
    authority: 'observed',
    status: 400,
    exit: 'REFUSED',
    sentence,
    next,
    ...changes,
    ...(inRequest !== undefined && { inRequest }),
  };
}
