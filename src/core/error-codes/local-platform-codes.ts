import { platformCode, refusedCode, unfinishedCode, usageCode, type ErrorCodeEntry } from './entry.ts';

/** A local platform does not start, or does not end as it should. */
export const SERVE_CODES = {
  port_taken: usageCode(
    'port {port} on {host} is taken',
    'Stop the program that listens there, or serve a second platform with `--port 0 --db second.sqlite`: each has a database of its own.',
  ),
  address_unavailable: usageCode('cannot listen on port {port} of {host}: {reason}', '{remedy}.'),
  network_not_allowed: usageCode(
    'on {host} other machines can send requests to the server, and keys, tokens and records cross the network unencrypted, because it has no TLS',
    'Add --allow-network if you mean that, best behind a proxy with TLS; or leave --host out to listen on 127.0.0.1.',
  ),
  own_key_missing: usageCode(
    'other machines can reach {host}, and the server has no key or a well-known one',
    'Give a key of your own with DATAIMPORT_SERVE_API_KEY or --api-key, and with `--db` a database that was never served without one; or leave --host out.',
  ),
  database_linked: usageCode(
    'the database {file} has {names} names (hard links), and a server for each of them would damage it',
    'Remove the other names, which `find / -samefile {file}` lists, or serve a copy (`cp`).',
  ),
  database_unusable: usageCode(
    'the database {file} cannot be used: {reason}',
    'Give another file with --db; where only a right is missing, make this one and its folder writable.',
  ),
  database_not_whole: usageCode(
    'the database {file} could not be made one whole file: {reason}',
    'Nothing that was answered is lost: keep {file}-wal beside it, and start `dataimport serve` again once both can be written.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

/** A local platform that runs is operated wrongly. */
export const ADMIN_CODES = {
  // Answers of the admin API.
  supplier_not_found: answer(
    404,
    'no import supplier has this code',
    'Type `dataimport admin supplier` for a list.',
  ),
  account_not_staged: answer(
    404,
    'there is no such account, not even a staged one',
    'Stage it first: `dataimport admin account stage`.',
  ),
  snapshot_not_found: answer(404, 'there is no snapshot of this name', 'Type `dataimport admin snapshot`.'),
  snapshot_name_invalid: answer(
    400,
    'a snapshot has a name of 1 to 64 small letters, digits, - and _, and begins with a letter or digit',
    'Give another name, for example `before-push`.',
  ),

  // Seeds and faults; 400, because they can also come over the admin API.
  seed_invalid: fault(
    'the seed is not valid: {reason}',
    'Correct the file: docs/serve-reference.md shows the format, and `dataimport schema seed` prints it for editors.',
  ),
  fault_invalid: fault(
    'the fault {rule} is wrong: {reason}',
    'A rule says which requests, when and what happens, then how often: `transactions after-commit reset nth=3`. docs/serve-reference.md, "Faults", has all that it can say.',
  ),

  // Found by `dataimport admin` itself.
  serve_not_running: unfinishedCode(
    'nobody listens at {url}',
    'Start one with `dataimport serve`, or set --base-url to the address that it printed.',
  ),
  serve_not_there: usageCode(
    '{url} is no local platform: {reason}',
    'Give the address that `dataimport serve` printed.',
  ),
  admin_refused: refusedCode(
    'the local platform refused the request: {reason}',
    '{hint}`dataimport {command} --help` shows what it takes.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

function answer(status: number, sentence: string, next: string): ErrorCodeEntry {
  return platformCode(sentence, next, { authority: 'chosen', status });
}

function fault(sentence: string, next: string): ErrorCodeEntry {
  return platformCode(sentence, next, { authority: 'chosen', exit: 'USAGE' });
}
