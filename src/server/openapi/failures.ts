import type { ErrorCodeEntry } from '../../core/error-codes/entry.ts';
import { FIELD_CODES, RULE_CODES } from '../../core/error-codes/platform-codes.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { isErrorCode, type ErrorCode } from '../../core/error-codes/table.ts';
import type { JsonSchema } from './json-schema.ts';

/** Codes for requests that are malformed or not for this server; see src/server/http/malformed-request.ts. */
type WireCode =
  | 'malformed_request'
  | 'host_unclear'
  | 'misdirected_request'
  | 'cross_site_request'
  | 'http_version_not_supported'
  | 'expectation_failed'
  | 'header_too_large'
  | 'request_timeout';

interface Failure {
  readonly description: string;
  readonly codes: readonly (ErrorCode | WireCode)[];
  readonly headers?: Readonly<Record<string, { readonly required: boolean; readonly schema: JsonSchema }>>;
}

const RETRY_AFTER = {
  'Retry-After': { required: false, schema: { type: 'string', description: 'Seconds, or a date.' } },
} as const;

const STORED = 'Nothing of the request was stored, unless a fault answers after the commit.';

/** The failures of every endpoint besides its 400s. */
export const FAILURES: Readonly<Record<number, Failure>> = {
  401: {
    description: 'The token is missing, unknown or expired.',
    codes: ['not_authenticated', 'authentication_failed'],
    headers: { 'WWW-Authenticate': { required: true, schema: { type: 'string', const: 'Token' } } },
  },
  403: {
    description: 'The key may not use this import supplier, or a page of another site sent the request.',
    codes: ['permission_denied', 'cross_site_request'],
  },
  404: {
    description: 'There is no such path, supplier or imported account.',
    codes: ['not_found', 'account_not_found', 'import_supplier_not_found'],
  },
  405: {
    description: 'The path has other methods.',
    codes: ['method_not_allowed'],
    headers: { Allow: { required: true, schema: { type: 'string' } } },
  },
  408: { description: 'The request did not arrive in time.', codes: ['request_timeout'] },
  413: { description: 'The body is larger than the limit.', codes: ['payload_too_large'] },
  415: { description: 'The body is not `application/json` in UTF-8.', codes: ['unsupported_media_type'] },
  417: { description: '`Expect` is not `100-continue`.', codes: ['expectation_failed'] },
  421: { description: 'The Host header does not name this server.', codes: ['misdirected_request'] },
  429: {
    description: 'Too many requests. Only a fault answers this.',
    codes: ['throttled'],
    headers: RETRY_AFTER,
  },
  431: { description: 'The header is too large.', codes: ['header_too_large'] },
  500: { description: `Something failed unexpectedly. ${STORED}`, codes: ['error'] },
  503: {
    description: `The platform is unavailable. ${STORED}`,
    codes: ['error'],
    headers: RETRY_AFTER,
  },
  505: { description: 'The request is not HTTP/1.1.', codes: ['http_version_not_supported'] },
};

/** The body of a failure with its first code. */
export function failureExample(status: string): object {
  const { codes, description } = FAILURES[Number.parseInt(status, 10)]!;
  const [code = ''] = codes;
  return { detail: isErrorCode(code) ? sentenceOf(code, { limit: 1_000_000 }) : description, code };
}

/** The schemas of the bodies of failures, by name. */
export function failureSchemas(): Readonly<Record<string, JsonSchema>> {
  const text = { type: 'string', minLength: 1 } as const;
  return {
    ...Object.fromEntries(
      Object.entries(FAILURES).map(([status, { codes }]) => [
        failureName(status),
        object({ detail: text, code: { type: 'string', enum: codes } }),
      ]),
    ),
    ValidationError: {
      ...object({
        detail: text,
        code: {
          type: 'string',
          enum: ['validation_error', 'parse_error', 'malformed_request', 'host_unclear'],
        },
        errors: {
          type: 'array',
          minItems: 1,
          items: object({
            detail: text,
            code: { type: 'string', enum: [...VALIDATION_CODES, 'malformed_request', 'host_unclear'] },
            attr: {
              type: ['string', 'null'],
              description: 'Path to the input; null when no input can be named.',
            },
          }),
        },
      }),
      description: 'interface.md 7.1',
    },
    MirroredError: {
      type: 'object',
      minProperties: 1,
      additionalProperties: {
        anyOf: [
          { type: 'array', minItems: 1, items: { type: 'string' } },
          { $ref: '#/components/schemas/MirroredError' },
        ],
      },
      description: 'With `--behaviour error-shape=nested` and `non_field`: texts without codes.',
    },
    TransactionError: {
      ...object({
        status: { type: 'string', const: 'TRANSACTION_IMPORT_ERROR' },
        error_detail: text,
        transaction_data: { type: 'object', description: 'The first failing transaction, as it was sent.' },
      }),
      description: 'interface.md 4.3',
    },
    PaymentInstructionError: object({
      error_detail: text,
      external_account_number: text,
      import_supplier: text,
      reference: text,
    }),
  };
}

export function failureName(status: string | number): string {
  return `Failure${status}`;
}

/** The codes of single inputs. Payment instructions answer 400 also where other endpoints answer 404 (interface.md 7.2). */
const VALIDATION_CODES = [
  ...Object.entries<ErrorCodeEntry>({ ...FIELD_CODES, ...RULE_CODES }).flatMap(([code, { status }]) =>
    status === 400 ? [code] : [],
  ),
  'parse_error',
  'account_not_found',
] as const;

/** An object with exactly these properties, all required. */
function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
