import { isErrorCode, type ErrorCode } from './table.ts';

/** Each removed code, and the end of a sentence that says what came in its place. Codes stand in backticks, and `explain` shows their pages below it. */
export const REMOVED_CODES: Readonly<Record<string, string>> = {
  accept_invalid:
    '`dataimport parity` ends with 1 while anything differs, and its document lists the differences',
  admin_not_local: '`serve_not_there` says why an address is no local platform',
  ambiguous_stopped: '`outcome_unproven` names the rows that no answer proves',
  browser_missing: 'a page of a report is printed by any browser',
  chain_broken: '`run_damaged` says what in a journal is not what its chain has sealed',
  column_unused: 'dataimport check ends with a table of the columns that feed no field',
  condition_always_holds: 'a condition may hold for every row',
  condition_doubtful: '`value_nearly_listed` names cells whose text a condition lists in another spelling',
  condition_never_holds: '`value_nearly_listed` names cells whose text a condition lists in another spelling',
  condition_value_unclear:
    '`value_nearly_listed` names cells whose text a condition lists in another spelling',
  contract_accepts_nothing: '`contract_choice_unknown` names the flag and the nearest name',
  contract_answers_unreadable:
    'the first answer decides whether it can be read, and `answer_unproven` says when it proves nothing',
  contract_exists: '`file_exists` says so of every file',
  contract_turns_off_nothing: '`contract_choice_unknown` names the flag and the nearest name',
  correction_replaces_nothing: 'corrected rows are pushed as a file of their own',
  corrections_too_many: 'corrected rows are pushed as a file of their own',
  database_in_use: 'several servers may use one database: `port_taken` says that a server has the port',
  exact_duplicate_skipped: 'a query of the mapping with GROUP BY makes one of equal rows',
  expectation_missing:
    '`file_not_readable` names the expected.yaml that is not there, which you write with the commands (docs/replay.md)',
  currencies_mixed:
    'dataimport check ends with a table of the columns that feed no field, with how many currencies they have',
  date_kinds_mixed: 'days, times and moments of one column are read as the time zone of its mapping says',
  date_orders_differ: '`date_order_doubtful` names a column whose dates prove the other order',
  dates_far_from_others:
    'a date that a customer may have is sent as the file has it; `date_implausible` names the others',
  dated_before_items_end:
    'a supplier may bill in advance, so a date before the end of a line item is no problem',
  expectation_missed: '`required` names a row to which a query or a condition of the mapping gives no value',
  expected_sum_differs: '`trailer_sum_differs` compares a control record, and a query compares any sum',
  query_arithmetic: '`query_type_missing` names the column whose type a query needs',
  query_function_refused: 'a query may call every function of DuckDB that gives the same result each time',
  query_group_unclear: '`query_invalid` says which column of a query is not grouped',
  query_makes_float: '`query_float` says which column of a query is not exact',
  query_row_unknown: '`query_row_missing` says that rows of a result cannot be traced',
  query_table_not_counted: 'tables that a query joins are counted, and others are looked up',
  query_table_left: 'the rows of the first table are accounted for, and other tables are looked up',
  query_takes_too_long: '`query_ended` says why a query was ended',
  query_text_order: '`query_type_missing` names the column whose type a query needs',
  query_value_kind: '`query_float` says which column of a query is not exact',
  query_value_unread:
    'a cell is read by the type of its column, and `number_unreadable` or `date_unreadable` names it',
  operator_document_too_large: '`file_not_readable` says how many bytes a document may have',
  pattern_text_too_long: 'a pattern runs on RE2, which ends soon for every text',
  pattern_too_slow: 'a pattern runs on RE2, which ends soon for every text',
  fault_plan_invalid: '`fault_invalid` says what is wrong with a rule',
  config_command_untrusted: '`setting_invalid` says where an apiKeyCommand belongs',
  config_nothing_to_trust:
    'no file has to be trusted: `config_untrusted` says how to name a file of another user',
  file_is_database: '`file_is_no_table` says what the file is',
  file_is_gzip: '`file_is_no_table` says what the file is',
  file_is_html: '`file_is_no_table` says what the file is',
  file_is_json: '`file_is_no_table` says what the file is',
  file_is_parquet: '`file_is_no_table` says what the file is',
  file_is_pdf: '`file_is_no_table` says what the file is',
  file_is_workbook: '`file_is_no_table` says what the file is',
  leading_zeros_differ: '`identifiers_may_collide` counts identifiers that differ by leading zeros, too',
  leading_zeros_partly_lost: '`leading_zeros_lost` says whether some of the others begin with a zero',
  listed_texts_alike:
    '`value_nearly_listed` and `lookup_orphans` name the texts that the file has in another spelling',
  listed_value_missing: '`value_nearly_listed` names cells whose text a condition lists in another spelling',
  mapping_alternatives_differ: 'each alternative of a field reads its column as its own keys say',
  minor_digits_unused:
    '`minor_digits_of_currency` compares the digits of a mapping with the currency of the rows',
  mapping_exists: '`file_exists` says so of every file',
  mapping_field_unknown: '`mapping_value_invalid` names the field',
  outcome_left_open:
    'the rows of a run count what has no answer, and `dataimport runs show --line N` shows a record',
  pdf_not_made: 'a page of a report is printed by any browser',
  port_taken_by_serve: '`port_taken` says that a program has the port',
  query_failed: '`query_invalid` says why a query has no result',
  record_over_batch_bytes: 'a record that is larger than a request is sent by itself',
  refused_before: '`payment_instruction_refused` stays with the record, whatever file has it',
  replaced_file_unknown: 'records are known by their identity, whatever the name of their file',
  replay_unknown: '`dataimport try` prints the command that plays a finding again',
  row_not_valid: '`dataimport verify` lists the problems of each row',
  run_forgotten: 'the files are read again when texts of their records were erased',
  run_other_contract: 'the same command under another contract reads all rows anew',
  shared_lookup_values: 'two keys of a lookup table may lead to one account',
  signature_refused: 'openssl pkeyutl checks a signature (docs/verify.md)',
  signing_key_unusable: 'openssl pkeyutl signs a report (docs/verify.md)',
  source_changed: '`dataimport verify` says what has changed in a file since it was sent',
  skipped_place_filled:
    'dataimport check ends with a table of what stays behind, such as characters of places that a format skips',
  snapshot_not_written: 'snapshots are in the memory of the server',
  snapshot_unfit: 'snapshots are in the memory of the server',
  state_file_exists: 'a copy of the database of a stopped server is its state',
  state_not_written: 'a copy of the database of a stopped server is its state',
  statements_superseded:
    'revisions with ids of their own are records of their own: a query takes the newest (docs/mapping-recipes.md)',
  step_invalid: '`expectation_invalid` names the step',
  subtotal_missing: 'a query of the mapping compares rows of totals',
  subtotal_mixed: 'a query of the mapping compares rows of totals',
  subtotal_without_rows: 'a query of the mapping compares rows of totals',
  state_unfit: '`database_unusable` says why a copied database cannot be opened',
  tenant_key_invalid: 'a server has one platform, with the keys of its seed',
  tenant_key_unlisted: 'a server has one platform, with the keys of its seed',
  tenant_not_named: 'a server has one platform',
  tenants_exhausted: 'a server has one platform',
  template_part_empty: '`identifier_shape_differs` names identifiers of another shape than most',
  text_has_blank_ends: '`differs_by_blanks` says which answers differ by blanks alone',
  texts_cut: 'a text is sent as the file has it, however long it is',
  texts_erased: 'the files are read again when texts of their records were erased',
  tenants_named: 'a server has one platform',
  unused_cells_empty: 'an empty cell of a column that is not used is no problem',
  values_partly_missing: 'an optional value may be missing in any record',
};

/** The codes that a sentence has in backticks. */
export function codesNamedIn(sentence: string): readonly ErrorCode[] {
  return [...sentence.matchAll(/`(\w+)`/g)].map(([, word]) => word!).filter(isErrorCode);
}
