import type { ErrorCodeEntry, ErrorExit } from './entry.ts';

const REPAIR_EXPORT = 'Export the file again, or repair it in a text editor; nothing was sent.';

/** What only the client reports: files, settings, run files, the way to the platform. */
export const CLIENT_CODES = {
  // The file as a whole and its header.
  file_not_readable: row('USAGE', '{file} cannot be read: {reason}', 'Check the path.'),
  file_not_writable: row('USAGE', '{file} cannot be written: {reason}', 'Give another path.'),
  file_empty: row('INPUT_INVALID', 'the file has no header line', REPAIR_EXPORT),
  file_has_no_rows: row(
    'INPUT_INVALID',
    'the file has a header and no rows',
    'Check that the export was complete.',
  ),
  file_changed: row(
    'INPUT_INVALID',
    'the file changed while it was read',
    'Wait until the export is finished, then push again.',
  ),
  encoding_invalid: row('INPUT_INVALID', 'byte {byte} of the file is not UTF-8', 'Save the file as UTF-8.'),
  quote_not_closed: row(
    'INPUT_INVALID',
    'a quoted cell that opens in this row is never closed',
    REPAIR_EXPORT,
  ),
  quote_misplaced: row(
    'INPUT_INVALID',
    'a quotation mark stands where none may stand',
    'Quote the whole cell and double the quotation marks in it.',
  ),
  record_too_large: row('INPUT_INVALID', 'the row is longer than {limit} bytes', REPAIR_EXPORT),
  row_too_short: row('INPUT_INVALID', 'the row has {cells} cells and the header {columns}', REPAIR_EXPORT),
  row_too_long: row(
    'INPUT_INVALID',
    'the row has {cells} cells and the header {columns}',
    'Quote cells that contain a comma; nothing was sent.',
  ),
  header_name_empty: row(
    'INPUT_INVALID',
    'the header of this column is empty',
    'Give the column a name or remove it.',
  ),
  header_duplicate: row(
    'INPUT_INVALID',
    'the header `{header}` occurs twice, first in column {first_column}',
    'Remove or rename one of the columns.',
  ),
  header_unknown: row(
    'INPUT_INVALID',
    'the header `{header}` is not a field of {resource}{suggestion}',
    'Rename or remove the column.',
  ),
  header_conflict: row(
    'INPUT_INVALID',
    'the headers `{header}` and `{other}` fill the same field',
    'Keep one of the two columns.',
  ),
  column_missing: row('INPUT_INVALID', 'the file has no column `{field}`', 'Add the column{hint}.'),

  // Cells.
  json_cell_invalid: row(
    'INPUT_INVALID',
    'the cell is not readable JSON: {reason}',
    'Write JSON, for example {example}.',
  ),
  list_gap: row(
    'INPUT_INVALID',
    'item {index} of the list is empty and a later item is not',
    'Move the later item to the left.',
  ),
  undocumented_value: row(
    'INPUT_INVALID',
    'is not a value that the interface shows',
    'Ask the operator whether the platform knows it. Shown: {known}.',
  ),
  field_not_shown_for_type: row(
    'INPUT_INVALID',
    'is not shown for the type {type}',
    'Ask the operator whether it may be sent.',
  ),
  leading_zeros: row(
    'INPUT_INVALID',
    'has leading zeros, which are not sent',
    'Nothing to do when the number is right.',
  ),
  negative_zero: row(
    'INPUT_INVALID',
    'is zero with a minus, which is not sent',
    'Nothing to do when the amount is zero.',
  ),
  identical_notes: row(
    'INPUT_INVALID',
    'is the same note as an earlier row; the platform keeps one of them',
    'Nothing to do when one note is enough.',
  ),
  mixed_suppliers: row(
    'INPUT_INVALID',
    'differs from the supplier given with --supplier',
    'Push each supplier by itself.',
  ),

  // Commands and settings.
  usage: row('USAGE', '{reason}', 'See `dataimport {command} --help`.'),
  setting_missing: row(
    'USAGE',
    'the setting {setting} is missing',
    'Give {flag}, set {variable}, or write it to dataimport.config.yaml.',
  ),
  setting_invalid: row('USAGE', 'the setting {setting} ({source}) is wrong: {reason}', 'Correct it.'),
  base_url_insecure: row(
    'USAGE',
    'the base URL is not https and not on this machine',
    'Use https: keys and customer data would travel in the clear.',
  ),
  secret_file_open: row('USAGE', '{file} can be read by others', 'Type `chmod 600 {file}`.'),
  secret_command_failed: row('AUTH', 'apiKeyCommand failed: {reason}', 'Run the command by hand.'),
  credentials_missing: row(
    'AUTH',
    'no API key and no token are set',
    'Set DATAIMPORT_API_KEY, or apiKeyFile or apiKeyCommand in dataimport.config.yaml.',
  ),
  credentials_refused: row(
    'AUTH',
    'the platform refused the credentials: {reason}',
    'Check the API key with the operator.',
  ),
  seed_invalid: row(
    'USAGE',
    '{file} is not a valid seed: {reason}',
    'Correct the file; docs/serve.md shows the format.',
  ),
  port_taken: row(
    'USAGE',
    'port {port} on {host} is taken',
    'Stop what listens there, or type `dataimport serve --port 0` for a free port.',
  ),
  address_unavailable: row(
    'USAGE',
    'cannot listen on {host}: {reason}',
    'Leave --host out to listen on 127.0.0.1.',
  ),
  database_unusable: row(
    'USAGE',
    'the database {file} cannot be used: {reason}',
    'Give another file with --db.',
  ),
  code_unknown: row(
    'USAGE',
    'no code `{name}` is known{suggestion}',
    'Type `dataimport explain` for the list.',
  ),

  // Runs.
  run_not_found: row('RUN_FILE', 'no run `{run}` in {folder}', 'Type `dataimport runs`.'),
  run_none_unfinished: row('RUN_FILE', 'no unfinished run in {folder}', 'Type `dataimport runs`.'),
  run_locked: row('RUN_FILE', 'the run {run} is in use by another process', 'Wait for it, or stop it first.'),
  run_damaged: row(
    'RUN_FILE',
    'the run file {file} cannot be used: {reason}',
    'Restore it, or start over with `push --new`.',
  ),
  run_unfinished_exists: row(
    'RUN_FILE',
    'an unfinished run of the same content to the same target exists',
    'Type `dataimport resume {run}`, or start over with --new.',
  ),
  run_never_staged: row(
    'RUN_FILE',
    'the run {run} was stopped while it read the file; nothing was sent',
    'Type the push again.',
  ),
  run_not_writable: row(
    'RUN_FILE',
    'the run file cannot be written in {folder}: {reason}',
    'Free space or give another --run-dir, then resume.',
  ),
  run_other_target: row(
    'RUN_FILE',
    'the run goes to {expected}, not to {given}',
    'Resume with the base URL of the run.',
  ),

  // The way to the platform.
  connection_failed: row(
    'UNFINISHED',
    'the platform at {url} cannot be reached: {reason}',
    'Check the address and the network, then type the command again.',
    'wait',
  ),
  retry_time_used_up: row(
    'UNFINISHED',
    'it kept failing for {seconds} s, last with: {reason}',
    'Wait until the platform is well, then type `dataimport resume`.',
    'wait',
  ),
  outcome_unproven: row(
    'REFUSED',
    'is on the platform, or was refused after a lost answer; which of both cannot be proven',
    'Look at the account on the platform.',
  ),
  wait_timed_out: row(
    'UNFINISHED',
    'the import is still {status} after {seconds} s',
    'Ask again later, or raise --timeout.',
    'wait',
  ),

  // Ours.
  totals_unequal: row(
    'UNRECONCILED',
    'the totals of {what} do not add up: {detail}',
    'Do not go on; compare the run with the platform.',
  ),
  bug: row(
    'BUG',
    'this is a fault of dataimport: {reason}',
    'Please report it with the output of `dataimport --version`.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

function row(
  exit: ErrorExit,
  sentence: string,
  next: string,
  retry: ErrorCodeEntry['retry'] = 'never',
): ErrorCodeEntry {
  return { authority: 'chosen', status: null, retry, exit, sentence, next };
}
