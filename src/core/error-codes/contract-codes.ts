import { usageCode, type ErrorCodeEntry } from './entry.ts';

/** The contract of an operator, or the document that it is made of, is wrong. */
export const CONTRACT_CODES = {
  operator_document_invalid: usageCode('{reason}{at}', '{todo}'),
  contract_invalid: usageCode(
    'is not a contract: {reason}',
    'Correct the file, or type `dataimport contract import` to make it anew; `dataimport schema contract` prints what it may contain.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;
