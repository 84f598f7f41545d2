import type { ErrorCodeEntry, ErrorExit } from './entry.ts';

/** What can be wrong when a local platform is operated. */
export const ADMIN_CODES = {
  // What the admin API answers.
  supplier_not_found: row(
    404,
    'no import supplier has this code',
    'Type `dataimport admin supplier` for a list.',
  ),
  account_not_staged: row(
    404,
    'there is no such account, not even a staged one',
    'Stage it first: `dataimport admin account stage`.',
  ),
  snapshot_not_found: row(404, 'there is no snapshot of this name', 'Type `dataimport admin snapshot list`.'),
  snapshot_not_written: row(
    500,
    'the snapshot cannot be written: {reason}',
    'Free space, or make the folder beside the database writable; an older one of this name is untouched.',
  ),
  snapshot_name_invalid: row(
    400,
    'a snapshot has a name of 1 to 64 small letters, digits, - and _, and begins with a letter or digit',
    'Give another name, for example `before-push`.',
  ),
  state_unfit: row(400, 'the state is not taken: {reason}', 'Export or save it again; nothing was changed.'),
  world_not_named: row(
    400,
    'each API key has a world of its own here, and the request names no key',
    'Set DATAIMPORT_API_KEY, apiKeyFile or apiKeyCommand for `dataimport admin`; a token names no world. By HTTP the key goes into the header x-dataimport-world or into ?world=.',
  ),
  worlds_named: row(
    400,
    'the request names two worlds, and one of them is not meant',
    'Name one key, in the header x-dataimport-world or as ?world=.',
  ),
  world_key_invalid: row(
    400,
    'a key that has a world is 1 to 256 visible ASCII characters without spaces',
    'Give another key.',
  ),
  worlds_exhausted: row(
    400,
    'there are {limit} worlds already, and each holds a database',
    'Start the server again, or use fewer keys.',
  ),

  // What `dataimport admin` finds.
  serve_not_running: row(
    null,
    'nobody listens at {url}',
    'Start one with `dataimport serve`, or set --base-url to the address that it printed.',
    'UNFINISHED',
  ),
  serve_not_there: row(
    null,
    'what listens at {url} is no `dataimport serve`',
    'Set --base-url to the address that `dataimport serve` printed.',
    'USAGE',
  ),
  admin_not_local: row(
    null,
    'the base URL is not on this machine, and only a local platform can be operated',
    'Set --base-url to the address that `dataimport serve` printed.',
    'USAGE',
  ),
  state_file_exists: row(
    null,
    '{file} exists already, and may be the only copy of what it holds',
    'Type `dataimport admin state export NAME.sqlite` with another name, or move {file} away first.',
    'USAGE',
  ),
  admin_refused: row(
    null,
    'the local platform refused it: {reason}',
    '{hint}`dataimport {command} --help` shows what it takes.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

function row(
  status: number | null,
  sentence: string,
  next: string,
  exit: ErrorExit = 'REFUSED',
): ErrorCodeEntry {
  // What the disk did not take it may take later.
  const retry = status !== null && status >= 500 ? 'wait' : 'never';
  return { authority: 'chosen', status, retry, exit, sentence, next };
}
