import type { ErrorCodeEntry } from './entry.ts';
import { row } from './row.ts';

/** Why a local platform does not start, or does not end as it should. */
export const SERVE_CODES = {
  seed_invalid: row(
    'USAGE',
    'the seed is not valid: {reason}',
    'Correct the file: docs/serve.md shows the format, and `dataimport serve schema` prints it for editors.',
  ),
  port_taken: row(
    'USAGE',
    'port {port} on {host} is taken',
    'Stop what listens there, or serve a second platform with `--port 0 --db second.sqlite`: each has a database of its own.',
  ),
  port_taken_by_serve: row(
    'USAGE',
    'port {port} on {host} is taken by another `dataimport serve`: instance {instance}, database {database}, running for {minutes} min',
    'Use that one at {url}, end it with Ctrl-C where it runs, or start a second one with `--port 0 --db second.sqlite`: each has a database of its own.',
  ),
  address_unavailable: row(
    'USAGE',
    'cannot listen on {host}: {reason}',
    'Leave --host out to listen on 127.0.0.1.',
  ),
  own_key_missing: row(
    'USAGE',
    'others can reach {host}, and would come in with a key that everybody knows, or there is none',
    'Give a key of your own with DATAIMPORT_SERVE_API_KEY or --api-key, and with `--db` a database that was never served without one; or leave --host out.',
  ),
  database_in_use: row(
    'USAGE',
    'another `dataimport serve` has the database {file} open',
    'Give another file with --db, or end the other one with Ctrl-C where it runs: one database is for one server.',
  ),
  database_unusable: row(
    'USAGE',
    'the database {file} cannot be used: {reason}',
    'Give another file with --db; where only a right is missing, make this one and its folder writable.',
  ),
  database_not_whole: row(
    'USAGE',
    'the database {file} could not be made one whole file: {reason}',
    'Nothing that was answered is lost: keep {file}-wal beside it, and start `dataimport serve` again once both can be written.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;
