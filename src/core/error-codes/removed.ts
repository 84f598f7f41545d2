import { isErrorCode, type ErrorCode } from './table.ts';

/** The codes that each code has replaced, because it says the cause of each. */
const SAID_BY: Partial<Readonly<Record<ErrorCode, string>>> = {
  amount_decimals_lost: 'amount_decimals_differ',
  cell_is_no_value: 'text_is_no_value',
  connection_failed: 'informational_answer',
  date_ambiguous: 'date_is_moment',
  date_implausible: `date_order_doubtful date_orders_differ dates_stand_for_none`,
  debit_credit_unclear: `debit_credit_both debit_credit_none`,
  expectation_invalid: 'step_invalid',
  file_damaged: `file_is_no_gzip file_unpacks_too_large`,
  file_exists: `contract_exists mapping_exists`,
  file_has_no_rows: 'nothing_left',
  file_is_no_table: `file_is_database file_is_gzip file_is_html file_is_json file_is_parquet
    file_is_pdf file_is_workbook`,
  file_not_readable: `file_not_utf8 ledger_unreadable listing_empty`,
  gross_amounts_look_like_major_units: `amounts_all_whole minor_digits_of_currency
    minor_digits_unused`,
  header_duplicate: `header_conflict mapped_column_repeated query_columns_alike`,
  identifier_on_several_accounts: 'statement_path_shared',
  json_invalid: `json_cell_invalid json_line_invalid`,
  list_unreadable: `list_gap value_is_list`,
  lookup_missing: `condition_doubtful condition_never_holds condition_value_unclear flag_unreadable
    listed_texts_alike listed_value_missing lookup_orphans value_nearly_listed`,
  machine_exhausted: `connections_exhausted reading_thread_ended too_many_open_files`,
  mapping_key_missing: `mapping_fields_missing mapping_needs`,
  mapping_keys_conflict: `mapping_cycle mapping_unreachable`,
  mapping_question_open: 'mapping_field_open',
  mapping_value_invalid: `mapping_field_unknown mapping_file_unreadable mapping_not_yaml
    mapping_value_unfit`,
  max_decimal_places: 'minor_digits_lost',
  query_invalid: `query_database_missing query_failed query_float query_reads_one_file
    query_row_missing query_row_repeated query_type_missing`,
  quote_misplaced: `escape_unclear row_is_one_cell`,
  resource_differs: 'mapping_resource_differs',
  retry_time_used_up: 'retry_cannot_help',
  rows_not_joined: `continuation_differs join_orphan line_without_record record_has_too_many_rows
    row_continues_nothing`,
  run_folder_foreign: 'run_folder_shared',
  run_write_failed: 'run_disk_small',
  setting_missing: 'mapping_supplier_missing',
  skipped_lines_wrong: `header_not_found page_line_is_data skipped_line_differs skipped_line_is_data`,
  text_damaged: 'letters_lost',
  trailer_unreadable: `trailer_cell_unreadable trailer_missing trailer_not_last
    trailer_sum_unreadable`,
  undocumented_value: `field_not_shown_for_type statement_path_not_pdf`,
  unknown_name: `code_search_empty code_unknown contract_choice_unknown line_without_record
    not_to_confirm query_file_missing record_not_traced run_to_verify_missing`,
};

/** Each removed code, and the end of a sentence that says what came in its place. Codes stand in backticks, and `explain` shows their pages below it. */
export const REMOVED_CODES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(SAID_BY).flatMap(([now, before]) =>
      before.split(/\s+/).map((code) => [code, `\`${now}\` says so, with its cause`]),
    ),
  ),
  accept_invalid:
    '`dataimport parity` ends with 1 while anything differs, and its document lists the differences',
  account_in_first_row_only: '`required` names each row without an account number',
  admin_not_local: '`serve_not_there` says why an address is no local platform',
  ambiguous_stopped: '`outcome_unproven` names the rows that no answer proves',
  browser_missing: 'a page of a report is printed by any browser',
  chain_broken: '`run_damaged` says what in a journal is not what its chain has sealed',
  clock_behind: 'a row that is refused by its date says what day the clock of the machine has',
  column_unused: 'dataimport check ends with a table of the columns that feed no field',
  condition_always_holds: 'a condition may hold for every row',
  config_command_untrusted: '`setting_invalid` says where an apiKeyCommand belongs',
  config_nothing_to_trust:
    'no file has to be trusted: `config_untrusted` says how to name a file of another user',
  contract_accepts_nothing: '`unknown_name` names the flag and the nearest name',
  contract_answers_unreadable:
    'the first answer decides whether it can be read, and `answer_unproven` says when it proves nothing',
  contract_turns_off_nothing: '`unknown_name` names the flag and the nearest name',
  correction_replaces_nothing: 'corrected rows are pushed as a file of their own',
  corrections_too_many: 'corrected rows are pushed as a file of their own',
  currencies_mixed:
    'dataimport check ends with a table of the columns that feed no field, with how many currencies they have',
  database_in_use: 'several servers may use one database: `port_taken` says that a server has the port',
  date_kinds_mixed: 'days, times and moments of one column are read as the time zone of its mapping says',
  dated_before_items_end:
    'a supplier may bill in advance, so a date before the end of a line item is no problem',
  dates_far_from_others:
    'a date that a customer may have is sent as the file has it; `date_implausible` names the others',
  documents_unused: '`document_not_listed` says where listing and rows differ',
  exact_duplicate_skipped: 'a query of the mapping with GROUP BY makes one of equal rows',
  expectation_missed: '`required` names a row to which a query or a condition of the mapping gives no value',
  expectation_missing:
    '`file_not_readable` names the expected.yaml that is not there, which you write with the commands (docs/replay.md)',
  expected_sum_differs: '`trailer_sum_differs` compares a control record, and a query compares any sum',
  fault_plan_invalid: '`fault_invalid` says what is wrong with a rule',
  field_deprecated: '`dataimport contract show` names the fields',
  leading_zeros_differ: '`identifiers_may_collide` counts identifiers that differ by leading zeros, too',
  leading_zeros_partly_lost: '`leading_zeros_lost` says whether some of the others begin with a zero',
  mapping_alternatives_differ: 'each alternative of a field reads its column as its own keys say',
  operator_document_too_large: '`file_not_readable` says how many bytes a document may have',
  outcome_left_open:
    'the rows of a run count what has no answer, and `dataimport runs show --line N` shows a record',
  pattern_text_too_long: 'a pattern runs on RE2, which ends soon for every text',
  pattern_too_slow: 'a pattern runs on RE2, which ends soon for every text',
  pdf_not_made: 'a page of a report is printed by any browser',
  port_taken_by_serve: '`port_taken` says that a program has the port',
  query_arithmetic: '`query_invalid` names the column whose type a query needs',
  query_function_refused: 'a query may call every function of DuckDB that gives the same result each time',
  query_group_unclear: '`query_invalid` says which column of a query is not grouped',
  query_makes_float: '`query_invalid` says which column of a query is not exact',
  query_row_unknown: '`query_invalid` says that rows of a result cannot be traced',
  query_table_left: 'the rows of the first table are accounted for, and other tables are looked up',
  query_table_not_counted: 'tables that a query joins are counted, and others are looked up',
  query_takes_too_long: '`query_ended` says why a query was ended',
  query_text_order: '`query_invalid` names the column whose type a query needs',
  query_value_kind: '`query_invalid` says which column of a query is not exact',
  query_value_unread:
    'a cell is read by the type of its column, and `number_unreadable` or `date_unreadable` names it',
  record_kinds_mixed: '`row_too_short` and `row_too_long` name each row',
  record_over_batch_bytes: 'a record that is larger than a request is sent by itself',
  recording_other_contract: 'the key beside a recording has the words of its contract',
  refused_before: '`payment_instruction_refused` stays with the record, whatever file has it',
  replaced_file_unknown: 'records are known by their identity, whatever the name of their file',
  replay_unknown: '`dataimport try` prints the command that plays a finding again',
  row_not_valid: '`dataimport verify` lists the problems of each row',
  run_forgotten: 'the files are read again when texts of their records were erased',
  run_other_contract: 'the same command under another contract reads all rows anew',
  shared_lookup_values: 'two keys of a lookup table may lead to one account',
  signature_refused: 'openssl pkeyutl checks a signature (docs/verify.md)',
  signing_key_unusable: 'openssl pkeyutl signs a report (docs/verify.md)',
  skipped_place_filled:
    'dataimport check ends with a table of what stays behind, such as characters of places that a format skips',
  snapshot_not_written: 'snapshots are in the memory of the server',
  snapshot_unfit: 'snapshots are in the memory of the server',
  source_changed: '`dataimport verify` says what has changed in a file since it was sent',
  state_file_exists: 'a copy of the database of a stopped server is its state',
  state_not_written: 'a copy of the database of a stopped server is its state',
  state_unfit: '`database_unusable` says why a copied database cannot be opened',
  statements_superseded:
    'revisions with ids of their own are records of their own: a query takes the newest (docs/mapping-recipes.md)',
  subtotal_missing: 'a query of the mapping compares rows of totals',
  subtotal_mixed: 'a query of the mapping compares rows of totals',
  subtotal_without_rows: 'a query of the mapping compares rows of totals',
  template_part_empty: '`identifier_shape_differs` names identifiers of another shape than most',
  tenant_key_invalid: 'a server has one platform, with the keys of its seed',
  tenant_key_unlisted: 'a server has one platform, with the keys of its seed',
  tenant_not_named: 'a server has one platform',
  tenants_exhausted: 'a server has one platform',
  tenants_named: 'a server has one platform',
  text_has_blank_ends: '`differs_by_blanks` says which answers differ by blanks alone',
  texts_cut: '`text_damaged` says where texts end at a limit',
  texts_erased: 'the files are read again when texts of their records were erased',
  unused_cells_empty: 'an empty cell of a column that is not used is no problem',
  values_partly_missing: 'an optional value may be missing in any record',
};

/** The codes that a sentence has in backticks. */
export function codesNamedIn(sentence: string): readonly ErrorCode[] {
  return [...sentence.matchAll(/`(\w+)`/g)].map(([, word]) => word!).filter(isErrorCode);
}
