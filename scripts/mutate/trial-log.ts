// What the processes that try changes say to the one that started them. All files lie in one temporary folder.

/** The ids of the changes to be tried. */
export const PLAN = 'plan.json';
/** The log: an entry of JSON a line. */
export const LOG = 'log.jsonl';
/** The trial that a process is at: the id of the change and the file of tests; empty between trials. The name ends with the process id. */
export const TRIAL = 'trial-';

/** `ran`: places that a test has run. `loaded`: places that were run while no test was. `ended`: a file of tests is done. */
export type Entry =
  | Readonly<{ kind: 'ran' | 'loaded'; ids: readonly string[] }>
  | Readonly<{ kind: 'noticed'; id: string; file: string }>
  | Readonly<{ kind: 'ended'; file: string }>
  | Readonly<{ kind: 'fails'; file: string; test: string; message: string }>;
