/** Where a code comes from: `interface.md`, `deployments.md`, or our own choice. `emulator.md`, "Authority of a rule". */
export const AUTHORITIES = ['documented', 'observed', 'chosen'] as const;
export type Authority = (typeof AUTHORITIES)[number];

/** The names of the exit codes that an error can end the program with. Numbers: `src/cli/exit-codes.ts`. */
export type ErrorExit =
  | 'USAGE'
  | 'INPUT_INVALID'
  | 'REFUSED'
  | 'UNFINISHED'
  | 'AUTH'
  | 'RUN_FILE'
  | 'UNRECONCILED'
  | 'BUG';

/** One row of the table of codes. */
export interface ErrorCodeEntry {
  readonly authority: Authority;
  /** HTTP status that the platform answers with; null for what only the client reports. */
  readonly status: number | null;
  /** About an object as a whole, so the platform names none of its fields. Default: about a field, or about no input. */
  readonly wholeObject?: true;
  /** May the same request be sent again: never, unchanged after a wait, or after a new token. */
  readonly retry: 'never' | 'wait' | 'token';
  /** How the program ends when this ends it. */
  readonly exit: ErrorExit;
  /** What is wrong, with `{fact}` where a fact goes; no final stop. */
  readonly sentence: string;
  /** What to do next, in words that can be acted on. */
  readonly next: string;
}
