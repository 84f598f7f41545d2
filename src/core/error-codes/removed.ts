import { isErrorCode, type ErrorCode } from './table.ts';

/** The codes that each code has replaced, because it says the cause of each. */
const SAID_BY: Partial<Readonly<Record<ErrorCode, string>>> = {
  address_unavailable: `database_in_use network_not_allowed own_key_missing port_taken port_taken_by_serve`,
  amount_decimals_lost: 'amount_decimals_differ',
  answer_unproven: `contract_answers_unreadable redirect_refused refused_in_words refused_without_reason`,
  cell_is_no_value: 'text_is_no_value',
  cohort_check_failed: `account_totals_differ account_without_resource id_in_two_files`,
  config_untrusted: 'config_nothing_to_trust',
  connection_failed: `client_certificate_wanted informational_answer platform_asks_to_wait platform_never_answered serve_not_running`,
  credentials_gateway_refused: 'credentials_proxy_refused',
  credentials_missing: 'secret_command_failed',
  credentials_refused: `credentials_new_tokens_refused credentials_token_refused credentials_unobtainable
    token_mutation_unknown`,
  database_unusable: `database_linked database_not_whole state_unfit`,
  date_ambiguous: 'date_is_moment',
  date_implausible: `date_order_doubtful date_orders_differ dates_far_from_others dates_stand_for_none`,
  differs_by_blanks: 'text_has_blank_ends',
  document_invalid: `cohort_invalid contract_invalid expectation_invalid operator_document_invalid
    recording_invalid recording_not_continued replay_folder_unknown step_invalid`,
  document_not_listed: 'documents_unused',
  existing_differs: 'answer_differs',
  file_exists: `contract_exists file_named_twice file_not_ours mapping_exists`,
  file_has_no_rows: 'nothing_left',
  file_is_no_table: `file_damaged file_is_database file_is_gzip file_is_html file_is_json file_is_no_gzip
    file_is_parquet file_is_pdf file_is_workbook file_unpacks_too_large`,
  file_not_readable: `expectation_missing file_not_utf8 ledger_unreadable listing_empty
    operator_document_too_large`,
  gross_amounts_look_like_major_units: `amounts_all_whole minor_digits_of_currency minor_digits_unused`,
  header_duplicate: `header_conflict mapped_column_repeated query_columns_alike`,
  identifier_has_text_mark: 'identifiers_written_as_numbers',
  identifier_on_several_accounts: 'statement_path_shared',
  identifier_shape_differs: 'template_part_empty',
  identifiers_may_collide: 'leading_zeros_differ',
  invalid: 'snapshot_name_invalid',
  json_invalid: `json_cell_invalid json_line_invalid`,
  leading_zeros_lost: 'leading_zeros_partly_lost',
  list_unreadable: `list_gap value_is_list`,
  lookup_missing: `condition_doubtful condition_never_holds condition_value_unclear flag_unreadable
    listed_texts_alike listed_value_missing lookup_orphans value_nearly_listed`,
  machine_exhausted: `connections_exhausted reading_thread_ended too_many_open_files`,
  mapping_question_open: 'mapping_field_open',
  mapping_value_invalid: `mapping_cycle mapping_field_unknown mapping_fields_missing
    mapping_file_unreadable mapping_key_missing mapping_key_unknown mapping_keys_conflict mapping_needs
    mapping_not_yaml mapping_unreachable mapping_value_unfit`,
  max_decimal_places: 'minor_digits_lost',
  max_duration_over: 'wait_timed_out',
  not_found: 'account_list_not_found',
  number_unreadable: `debit_credit_both debit_credit_none debit_credit_unclear`,
  outcome_unproven: 'ambiguous_stopped',
  payload_too_large: 'single_record_too_large',
  payment_instruction_refused: 'refused_before',
  query_invalid: `query_arithmetic query_database_missing query_ended query_failed query_float
    query_group_unclear query_makes_float query_reads_one_file query_row_missing query_row_repeated
    query_row_unknown query_tables_wrong query_takes_too_long query_text_order query_type_missing
    query_value_kind`,
  quote_misplaced: `escape_unclear row_is_one_cell`,
  record_changed: 'record_not_compared',
  record_differs: `record_on_other_account totals_unequal`,
  record_missing: `record_added_by_asking record_not_arrived`,
  required: `account_in_first_row_only expectation_missed`,
  retry_time_used_up: `request_fails_alone retry_after_not_meant retry_after_too_long retry_cannot_help`,
  row_too_short: 'row_ends_empty',
  rows_not_joined: `continuation_differs join_orphan line_without_record record_has_too_many_rows
    row_continues_nothing`,
  run_damaged: 'chain_broken',
  run_folder_foreign: 'run_folder_shared',
  run_inaccessible: `run_disk_shared run_folder_unreadable run_misnamed run_version_differs shards_differ`,
  run_locked: `resource_locked run_folder_busy`,
  run_not_found: 'run_never_staged',
  run_not_writable: `report_not_written temporary_file_not_written`,
  run_removed: 'run_file_gone',
  run_write_failed: 'run_disk_small',
  seed_invalid: `fault_invalid fault_plan_invalid`,
  setting_invalid: `ca_file_invalid config_command_untrusted mapping_supplier_missing proxy_invalid
    setting_missing shard_unclear`,
  skipped_lines_wrong: `header_not_found page_line_is_data skipped_line_differs skipped_line_is_data`,
  text_damaged: `letters_lost texts_cut`,
  trailer_sum_differs: 'expected_sum_differs',
  trailer_unreadable: `expected_total_unreadable trailer_cell_unreadable trailer_missing trailer_not_last
    trailer_sum_unreadable`,
  undocumented_value: `field_not_shown_for_type statement_path_not_pdf`,
  usage: `admin_not_local code_search_empty code_unknown contract_accepts_nothing contract_choice_unknown
    contract_turns_off_nothing mapping_resource_differs not_repeatable not_to_confirm query_file_missing
    record_not_traced resource_differs serve_not_there`,
};

/** The codes of features that are gone, below the end of a sentence that says what came in their place. */
const GONE: Readonly<Record<string, string>> = {
  '`dataimport parity` ends with 1 while anything differs, and its document lists the differences': `accept_invalid`,
  'a page of a report is printed by any browser': `browser_missing pdf_not_made`,
  '`dataimport check` ends with a table of what feeds no field: columns, their currencies, places that a format skips': `column_unused currencies_mixed skipped_place_filled`,
  'corrected rows are pushed as a file of their own': `correction_replaces_nothing corrections_too_many`,
  '`dataimport push --max-records N` shows what the platform makes of a few rows': `dry_run_unknown`,
  '`dataimport contract show` names the fields': `field_deprecated`,
  'the rows of a run count what has no answer, and `dataimport runs show --line N` shows a record': `outcome_left_open`,
  'a pattern runs on RE2, which ends soon for every text': `pattern_text_too_long pattern_too_slow`,
  'a query may call every function of DuckDB that gives the same result each time': `query_function_refused`,
  'the rows of the first table and of tables that a query joins are counted, and others are looked up': `query_table_left query_table_not_counted`,
  'a cell is read by the type of its column, and `number_unreadable` or `date_unreadable` names it': `query_value_unread`,
  '`row_too_short` and `row_too_long` name each row': `record_kinds_mixed`,
  'a record that is larger than a request is sent by itself': `record_over_batch_bytes`,
  'the key beside a recording has the words of its contract': `recording_other_contract`,
  'records are known by their identity, whatever the name of their file': `replaced_file_unknown`,
  '`dataimport try` prints the command that plays a finding again': `replay_unknown`,
  '`dataimport verify` lists the problems of each row, and what has changed since it was sent': `row_not_valid source_changed`,
  'the same command reads the files again where it has to': `run_forgotten run_other_contract texts_erased`,
  'openssl pkeyutl signs a report and checks a signature (docs/verify.md)': `signature_refused signing_key_unusable`,
  'snapshots are in the memory of the server': `snapshot_not_written snapshot_unfit`,
  'a copy of the database of a stopped server is its state': `state_file_exists state_not_written`,
  'a query of the mapping does this (docs/mapping-recipes.md)': `exact_duplicate_skipped statements_superseded
    subtotal_missing subtotal_mixed subtotal_without_rows`,
  'a server has one platform, with the keys of its seed': `tenant_key_invalid tenant_key_unlisted
    tenant_not_named tenants_exhausted tenants_named`,
  'such data may be right, so nothing warns of it': `clock_behind condition_always_holds date_kinds_mixed
    dated_before_items_end mapping_alternatives_differ shared_lookup_values unused_cells_empty
    values_partly_missing`,
};

/** Each removed code, and the end of a sentence that says what came in its place. Codes stand in backticks, and `explain` shows their pages below it. */
export const REMOVED_CODES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...Object.entries(SAID_BY).map(([now, codes]) => [`\`${now}\` says so, with its cause`, codes] as const),
    ...Object.entries(GONE),
  ].flatMap(([now, codes]) => codes.split(/\s+/).map((code) => [code, now])),
);

/** The codes that a sentence has in backticks. */
export function codesNamedIn(sentence: string): readonly ErrorCode[] {
  return [...sentence.matchAll(/`(\w+)`/g)].map(([, word]) => word!).filter(isErrorCode);
}
