import type { ErrorCodeEntry } from './entry.ts';
import { row } from './row.ts';

/** What only the client reports: files, cells, settings, the way to the platform. */
export const CLIENT_CODES = {
  // Files and headers.
  file_not_writable: row('USAGE', '{file} cannot be written: {reason}', 'Give another path.'),
  report_not_written: row(
    'USAGE',
    'the run ended as told above, but its report was not written to {path}: {reason}',
    'Type {again}.',
  ),
  file_exists: row(
    'USAGE',
    '{file} exists already',
    'Move it away or give another name: nothing overwrites rows that may be repaired already.',
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
  column_missing: row(
    'INPUT_INVALID',
    'the file has no column `{field}`',
    'Add the column{hint}; or say in a mapping file which column it is: `dataimport map init` drafts one.',
  ),

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
    'is not shown for the type of its transaction',
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
    'notes that are the same as an earlier one, or have its body and no created_at: {count} (accounts: {accounts}); the platform keeps one of each',
    'Nothing to do when one of each is enough; a created_at of its own keeps a note apart.',
  ),
  record_over_batch_bytes: row(
    'INPUT_INVALID',
    'the record takes {bytes} bytes, more than the {limit} of --max-batch-bytes, and is sent by itself',
    'Raise --max-batch-bytes when the platform takes more; if it refuses the record, shorten it.',
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
  setting_invalid: row(
    'USAGE',
    'the setting {setting} ({source}) is wrong: {reason}',
    'What it takes: {accepted}.',
  ),
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
  credentials_unobtainable: row(
    'AUTH',
    'there is nobody to get a token from: {reason}',
    'Check --base-url first; then tokenPath and tokenMutation, with the operator.',
  ),
  credentials_token_refused: row(
    'AUTH',
    'the platform refused the token of DATAIMPORT_TOKEN: it is unknown or has expired',
    'Set a new one, or unset DATAIMPORT_TOKEN: while it is set, no API key is looked at.',
  ),
  code_unknown: row(
    'USAGE',
    'no code `{name}` is known{suggestion}',
    'Type `dataimport explain` for the list.',
  ),

  // The way to the platform.
  connection_failed: row(
    'UNFINISHED',
    'no usable answer from the platform at {url}: {reason}',
    'Check the address and the network, then type the command again.',
    'wait',
  ),
  retry_time_used_up: row(
    'UNFINISHED',
    'a request was given up after {time}; it failed last with: {reason}',
    'Wait until the platform is well, then type `{resume}`.',
    'wait',
  ),
  retry_after_too_long: row(
    'UNFINISHED',
    'the platform asks to wait {asked}, longer than the 10 min that a run waits; it failed last with: {reason}',
    'Wait that long, then type `{resume}`.',
    'wait',
  ),
  ambiguous_stopped: row(
    'REFUSED',
    'a request may have been applied ({reason}), and --on-ambiguous stop leaves it to you',
    'Look on the platform for the rows of the problem `outcome_left_open`, then type `{resume}`: it looks for them before it adds them, and what is there ends as `verify`.',
  ),
  outcome_left_open: row(
    'REFUSED',
    'was sent, and no answer tells whether it was applied',
    'Look whether it is on the platform.',
  ),
  max_duration_over: row('UNFINISHED', 'the {time} of --max-duration are over', 'Type `{resume}`.'),
  max_errors_exceeded: row(
    'REFUSED',
    'rows that are invalid or were refused: {errors}, more than the {limit} of --max-errors',
    'Look at the problems; to go on all the same type `{resume}`.',
  ),
  outcome_unproven: row(
    'REFUSED',
    'is on the platform, or was refused after a lost answer; which of both cannot be proven',
    'Look at the account on the platform.',
  ),
  existing_differs: row(
    'REFUSED',
    'is not what the platform has under this id: it was there before, and was not changed',
    'Compare the row with the account on the platform; a row with an id of its own is added.',
  ),
  transaction_date_moved: row(
    'REFUSED',
    'is not the date that the platform has: it moves a transaction into the open statement period',
    'Nothing to do when that is meant; `--no-force-add-to-current-statement` of a push has such transactions refused instead.',
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
