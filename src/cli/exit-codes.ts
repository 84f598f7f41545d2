import type { ErrorExit } from '../core/error-codes/entry.ts';

/** One way in which the program ends. */
interface Exit {
  /** The number that the shell sees. */
  readonly code: number;
  /** The stable name in JSON documents. */
  readonly name: string;
  readonly meaning: string;
}

/** The exit codes of the program (docs/exit-codes.md). Scripts rely on numbers and names. */
export const EXITS = {
  OK: exit(0, 'OK', 'every row is created or was already there, or the check is clean'),
  BUG: exit(1, 'BUG', 'a bug in dataimport: it prints a stack and asks for a report'),
  // The usual number for "different". Commands that migrate never end with it.
  DIFFERENT: exit(
    1,
    'DIFFERENT',
    'replay, serve --fail-on-unused-faults: the result is not the expected one',
  ),
  USAGE: exit(2, 'USAGE', 'wrong flags, settings or mapping file, or a missing file'),
  INPUT_INVALID: exit(3, 'INPUT_INVALID', 'rows are invalid; nothing was sent'),
  REFUSED: exit(4, 'REFUSED', 'the platform refused a request; stopped, and resumable after the fix'),
  UNFINISHED: exit(
    5,
    'UNFINISHED',
    'the platform could not be reached, kept failing, or time ran out; resume continues',
  ),
  PARTIAL: exit(
    6,
    'PARTIAL',
    'finished, but some rows were rejected, invalid (--skip-invalid) or need verification',
  ),
  AUTH: exit(7, 'AUTH', 'no credentials, or they were refused'),
  RUN_FILE: exit(
    8,
    'RUN_FILE',
    'the run file is locked, cannot be opened or written, is damaged, or belongs to other input',
  ),
  UNRECONCILED: exit(11, 'UNRECONCILED', 'totals do not add up, or verify found a difference'),
  INTERRUPTED: exit(
    130,
    'INTERRUPTED',
    'SIGINT: batches in flight were finished and recorded; the resume line is printed',
  ),
  // One name and two numbers, because a shell adds the number of the signal to 128.
  TERMINATED: exit(143, 'INTERRUPTED', 'SIGTERM: as with SIGINT'),
} as const satisfies Record<ErrorExit, Exit> & Record<string, Exit>;

/** An exit as a run function returns it. */
export type ExitName = keyof typeof EXITS;

/** Whether a text, such as a recorded one, is the name of an exit. */
export function isExitName(text: string): text is ExitName {
  return Object.hasOwn(EXITS, text);
}

function exit(code: number, name: string, meaning: string): Exit {
  return { code, name, meaning };
}
