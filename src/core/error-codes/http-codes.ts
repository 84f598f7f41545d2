import type { Authority, ErrorCodeEntry, ErrorExit } from './entry.ts';

const CREDENTIALS =
  'Check that DATAIMPORT_API_KEY and the base URL belong together, or ask the operator for a key.';
const CHECK_URL = 'Check the base URL with `dataimport auth check`.';
const WHO_ANSWERS =
  'See with `dataimport auth check` who answers there. In a run, what was sent may have arrived all the same: `dataimport resume` finds out.';

/** What can be wrong with a request or its answer as a whole. deployments.md, "Framework behaviour". */
export const HTTP_CODES = {
  validation_error: row(
    400,
    'the request failed validation',
    'Correct the cells that the problems name, then push the corrected file with the check for earlier transactions on, as it is by default: some of the rows are there. `--rejects FILE` of a push writes the refused rows to a file of their own. Resume the run when the cause was on the platform.',
    { authority: 'chosen' },
  ),
  parse_error: row(400, 'the body is not readable JSON: {reason}', 'Send one JSON document in UTF-8.'),
  not_authenticated: row(401, 'authentication credentials were not provided', CREDENTIALS, {
    retry: 'token',
    exit: 'AUTH',
  }),
  authentication_failed: row(401, 'the token is unknown or has expired', CREDENTIALS, {
    retry: 'token',
    exit: 'AUTH',
  }),
  permission_denied: row(
    403,
    'the key may not touch this import supplier',
    'Ask the operator for a key of this supplier.',
  ),
  not_found: row(404, 'not found', CHECK_URL),
  import_supplier_not_found: row(404, 'no import supplier has this code', 'Check --supplier.', {
    authority: 'chosen',
  }),
  method_not_allowed: row(405, 'the method is not allowed here', CHECK_URL),
  unsupported_media_type: row(
    415,
    'the body is not application/json, has another charset than UTF-8, or is compressed',
    CHECK_URL,
  ),
  payload_too_large: row(
    413,
    'the request is larger than {limit} bytes',
    'Lower --batch-size or --max-batch-bytes.',
    {
      authority: 'chosen',
    },
  ),
  single_record_too_large: row(
    413,
    'this one record is larger than the platform takes in a request',
    'Shorten it, or set it aside: remove the row and push the corrected file.',
    { authority: 'chosen' },
  ),
  throttled: row(429, 'too many requests', 'Wait; the client does so by itself.', {
    retry: 'wait',
    exit: 'UNFINISHED',
  }),
  error: row(500, 'the platform failed unexpectedly', 'Wait, then resume the run.', {
    retry: 'wait',
    exit: 'UNFINISHED',
  }),
  refused_without_reason: row(
    400,
    'the answer is status {status} without a readable reason, from the platform or from something before it',
    WHO_ANSWERS,
    {
      authority: 'chosen',
    },
  ),
  redirect_refused: row(
    300,
    'the answer is a redirect ({status}), which is never followed with a body',
    WHO_ANSWERS,
    {
      authority: 'chosen',
    },
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

interface RowOptions {
  readonly authority?: Authority;
  readonly retry?: ErrorCodeEntry['retry'];
  readonly exit?: ErrorExit;
}

function row(status: number, sentence: string, next: string, options: RowOptions = {}): ErrorCodeEntry {
  return { authority: 'observed', status, retry: 'never', exit: 'REFUSED', sentence, next, ...options };
}
