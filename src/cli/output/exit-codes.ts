import type { ErrorExit } from '../../core/error-codes/entry.ts';

/** The exit codes of the program (docs/exit-codes.md): what each means, and whether a scheduler starts the same command again. */
const TABLE = {
  OK: [0, 'every row has arrived, or the check is clean', 'no: done'],
  BUG: [1, 'a bug in dataimport: it prints a stack and asks for a report', 'no'],
  // The usual number for "different". Commands that migrate never end with it.
  DIFFERENT: [
    1,
    'replay, parity: the result is not the expected one; try: records would be lost, doubled or changed',
    'no',
  ],
  USAGE: [2, 'wrong flags, settings or mapping file, or a missing file', 'no: correct the command'],
  INPUT_INVALID: [
    3,
    'rows are invalid, and nothing was sent (6 with --skip-invalid, unless a file as a whole is wrong)',
    'no: correct the file',
  ],
  REFUSED: [
    4,
    'the platform refused a request, or its answers proved nothing; the command stopped (6 with --on-reject skip, or if a repeat would send nothing)',
    'when you have removed the cause',
  ],
  UNFINISHED: [
    5,
    'the platform did not answer or kept failing, time ran out, or accounts are not imported yet; verify: rows were not sent, files have changed',
    'yes',
  ],
  PARTIAL: [
    6,
    'all that could be sent was sent; some rows remain; contract import: every push would fail; contract diff: something became tighter',
    'no: look at the rows',
  ],
  AUTH: [7, 'no credentials, or they were refused', 'when you have corrected the credentials'],
  RUN_FILE: [
    8,
    'the journal or the result cannot be written, or the journal cannot be opened, is damaged or belongs to other input',
    'when you have removed the cause',
  ],
  NOTHING_TO_DO: [9, 'no push or migrate was typed in this folder', 'no'],
  BUSY: [10, 'another process holds the run, its folder or the database', 'yes, after a wait'],
  UNRECONCILED: [11, 'totals do not add up, or verify found a difference', 'no'],
  INTERRUPTED: [130, 'SIGINT: requests in flight were finished and recorded', 'yes'],
  TERMINATED: [143, 'SIGTERM, or SIGHUP when the terminal was closed: as with SIGINT', 'yes'],
} satisfies Record<ErrorExit, Row> & Record<string, Row>;

type Row = readonly [code: number, meaning: string, again: string];

/** An exit as a run function returns it. */
export type ExitName = keyof typeof TABLE;

/** Each exit. Scripts rely on the number that the shell sees, and on the name in JSON documents. */
export const EXITS = Object.fromEntries(
  Object.entries(TABLE).map(([name, [code, meaning, again]]) => [
    name,
    // One name and two numbers, because a shell adds the number of the signal to 128.
    { code, name: name === 'TERMINATED' ? 'INTERRUPTED' : name, meaning, again },
  ]),
) as Readonly<Record<ExitName, { code: number; name: string; meaning: string; again: string }>>;

/** Whether a text, such as a recorded one, is the name of an exit. */
export function isExitName(text: string): text is ExitName {
  return Object.hasOwn(EXITS, text);
}
