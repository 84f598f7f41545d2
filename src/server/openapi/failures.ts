import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { isErrorCode } from '../../core/error-codes/table.ts';
import type { JsonSchema } from './json-schema.ts';

interface Failure {
  readonly description: string;
  /** The code of the example. The interface lists no codes, so a schema takes any. */
  readonly example: string;
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
    example: 'not_authenticated',
    headers: { 'WWW-Authenticate': { required: true, schema: { type: 'string', const: 'Token' } } },
  },
  403: {
    description: 'The key may not use this import supplier, or a page of another site sent the request.',
    example: 'permission_denied',
  },
  404: { description: 'There is no such path, supplier or imported account.', example: 'not_found' },
  405: {
    description: 'The path has other methods.',
    example: 'method_not_allowed',
    headers: { Allow: { required: true, schema: { type: 'string' } } },
  },
  408: { description: 'The request did not arrive in time.', example: 'request_timeout' },
  413: { description: 'The body is larger than the limit.', example: 'payload_too_large' },
  415: { description: 'The body is not `application/json` in UTF-8.', example: 'unsupported_media_type' },
  417: { description: '`Expect` is not `100-continue`.', example: 'expectation_failed' },
  421: { description: 'The Host header does not name this server.', example: 'misdirected_request' },
  429: {
    description: 'Too many requests. Only a fault answers this.',
    example: 'throttled',
    headers: RETRY_AFTER,
  },
  431: { description: 'The header is too large.', example: 'header_too_large' },
  500: { description: `Something failed unexpectedly. ${STORED}`, example: 'error' },
  503: { description: `The platform is unavailable. ${STORED}`, example: 'error', headers: RETRY_AFTER },
  505: { description: 'The request is not HTTP/1.1.', example: 'http_version_not_supported' },
};

/** The body of a failure. */
export const failureExample = ({ example, description }: Failure): object => ({
  detail: isErrorCode(example) ? sentenceOf(example, { limit: 1_000_000 }) : description,
  code: example,
});

/** The schemas of the bodies of failures, by name. */
export function failureSchemas(): Readonly<Record<string, JsonSchema>> {
  const text = { type: 'string', minLength: 1 } as const;
  const attr = {
    type: ['string', 'null'],
    description: 'Path to the input; null when no input can be named.',
  };
  return {
    Failure: object({ detail: text, code: text }),
    ValidationError: {
      ...object({
        detail: text,
        code: text,
        errors: { type: 'array', minItems: 1, items: object({ detail: text, code: text, attr }) },
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

/** An object with exactly these properties, all required. */
function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
