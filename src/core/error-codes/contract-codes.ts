import { usageCode, warningCode, type ErrorCodeEntry } from './entry.ts';

/** The contract of an operator, or the document that it is made of, is wrong. */
export const CONTRACT_CODES = {
  operator_document_invalid: usageCode('{reason}{at}', '{todo}'),
  operator_document_too_large: usageCode(
    '{file} has {size}, and a document of an operator may have {limit}',
    'Ask the operator for the document of the data import interface alone; known ones have less than a tenth of that.',
  ),
  contract_invalid: usageCode(
    'is not a contract: {reason}',
    'Correct the file, or type `dataimport contract import` to make it anew; `dataimport schema contract` prints what it may contain.',
  ),
  contract_answers_unreadable: usageCode(
    '{resource} cannot be sent under {file}: {says}',
    'Ask the operator. If the document is wrong about its answers, correct `requests.{endpoint}` in {file}.',
  ),
  contract_accepts_nothing: usageCode(
    'there is no contradiction named `{name}` that can be accepted{suggestion}',
    'Type the command without --accept: each contradiction is listed with its name.',
  ),
  contract_turns_off_nothing: usageCode(
    'the document turns on no rule `{name}`, so none can be turned off{suggestion}',
    'Type the command without --rule-off: each rule is listed with its code. A rule that holds for every operator stays on.',
  ),
  field_deprecated: warningCode(
    'is deprecated by the operator{instead}',
    'The record is sent as it is. Use the other field before the operator drops this one.',
  ),
  contract_exists: usageCode(
    '{file} exists already',
    'Give another name with --out, or --force to replace it; `dataimport contract diff` compares two contracts.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;
