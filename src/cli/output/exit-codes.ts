import type { ErrorExit } from '../../core/error-codes/entry.ts';

/** One way in which the program ends. */
interface Exit {
  /** The number that the shell sees. */
  readonly code: number;
  /** The stable name in JSON documents. */
  readonly name: string;
  readonly meaning: string;
  /** Whether a scheduler starts the same command again. */
  readonly again: string;
}

/** The exit codes of the program (docs/exit-codes.md). Scripts rely on numbers and names. */
export const EXITS = {
  OK: exit(0, 'OK', {
    meaning: 'every row has arrived, or the check is clean',
    again: 'no: done',
  }),
  BUG: exit(1, 'BUG', {
    meaning: 'a bug in dataimport: it prints a stack and asks for a report',
    again: 'no',
  }),
  // The usual number for "different". Commands that migrate never end with it.
  DIFFERENT: exit(1, 'DIFFERENT', {
    meaning:
      'replay, parity: the result is not the expected one; try: records would be lost, doubled or changed',
    again: 'no',
  }),
  USAGE: exit(2, 'USAGE', {
    meaning: 'wrong flags, settings or mapping file, or a missing file',
    again: 'no: correct the command',
  }),
  INPUT_INVALID: exit(3, 'INPUT_INVALID', {
    meaning: 'rows are invalid, and nothing was sent (6 with --skip-invalid)',
    again: 'no: correct the file',
  }),
  REFUSED: exit(4, 'REFUSED', {
    meaning:
      'the platform refused a request, or its answers proved nothing; the command stopped (6 with --on-reject skip, or if a repeat would send nothing)',
    again: 'when you have removed the cause',
  }),
  UNFINISHED: exit(5, 'UNFINISHED', {
    meaning:
      'the platform did not answer or kept failing, time ran out, or accounts are not imported yet; verify: rows were not sent, files have changed',
    again: 'yes',
  }),
  PARTIAL: exit(6, 'PARTIAL', {
    meaning:
      'all that could be sent was sent; some rows remain; contract import: every push would fail; contract diff: something became tighter',
    again: 'no: look at the rows',
  }),
  AUTH: exit(7, 'AUTH', {
    meaning: 'no credentials, or they were refused',
    again: 'when you have corrected the credentials',
  }),
  RUN_FILE: exit(8, 'RUN_FILE', {
    meaning:
      'the journal or the result cannot be written, or the journal cannot be opened, is damaged or belongs to other input',
    again: 'when you have removed the cause',
  }),
  NOTHING_TO_DO: exit(9, 'NOTHING_TO_DO', { meaning: 'resume: there is no run', again: 'no' }),
  BUSY: exit(10, 'BUSY', {
    meaning: 'another process holds the run, its folder or the database',
    again: 'yes, after a wait',
  }),
  UNRECONCILED: exit(11, 'UNRECONCILED', {
    meaning: 'totals do not add up, or verify found a difference',
    again: 'no',
  }),
  INTERRUPTED: exit(130, 'INTERRUPTED', {
    meaning: 'SIGINT: requests in flight were finished and recorded',
    again: 'yes',
  }),
  // One name and two numbers, because a shell adds the number of the signal to 128.
  TERMINATED: exit(143, 'INTERRUPTED', {
    meaning: 'SIGTERM, or SIGHUP when the terminal was closed: as with SIGINT',
    again: 'yes',
  }),
} as const satisfies Record<ErrorExit, Exit> & Record<string, Exit>;

/** An exit as a run function returns it. */
export type ExitName = keyof typeof EXITS;

/** Whether a text, such as a recorded one, is the name of an exit. */
export function isExitName(text: string): text is ExitName {
  return Object.hasOwn(EXITS, text);
}

function exit(code: number, name: string, { meaning, again }: Pick<Exit, 'meaning' | 'again'>): Exit {
  return { code, name, meaning, again };
}
