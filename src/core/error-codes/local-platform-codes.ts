import { platformCode, refusedCode, usageCode, type ErrorCodeEntry } from './entry.ts';

/** A local platform does not start, or does not end as it should. */
export const SERVE_CODES = {
  address_unavailable: usageCode(
    '{what|cannot listen on port {port} of {host}: {reason}}',
    '{todo|{remedy}.}',
  ),
  database_unusable: usageCode(
    'the database {file} cannot be used: {reason}',
    '{todo|Give another file with --db; where only a right is missing, make this one and its folder writable.}',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

const NOT_THERE = { authority: 'chosen', status: 404 } as const;

/** A local platform that runs is operated wrongly. */
export const ADMIN_CODES = {
  // Answers of the admin API.
  supplier_not_found: platformCode(
    'no import supplier has this code',
    'Type `dataimport admin supplier` for a list.',
    NOT_THERE,
  ),
  account_not_staged: platformCode(
    'there is no such account, not even a staged one',
    'Stage it first: `dataimport admin account stage`.',
    NOT_THERE,
  ),
  snapshot_not_found: platformCode(
    'there is no snapshot of this name',
    'Type `dataimport admin snapshot`.',
    NOT_THERE,
  ),

  // Seeds and faults; 400, because they can also come over the admin API.
  seed_invalid: platformCode(
    '{what|the seed is not valid}: {reason}',
    'Correct it: docs/serve-reference.md shows what seeds and faults say, and `dataimport schema seed` prints the format of seeds for editors. A fault says which requests, when and what happens, then how often: `transactions after-commit reset nth=3`.',
    { authority: 'chosen', exit: 'USAGE' },
  ),

  // Found by `dataimport admin` itself.
  admin_refused: refusedCode(
    'the local platform refused the request: {reason}',
    '{hint}`dataimport {command} --help` shows what it takes.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;
