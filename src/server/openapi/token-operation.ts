import { DEFAULT_TOKEN_MUTATION, tokenMutationDocument } from '../../core/contract/token.ts';
import { SCHEMA_POINTER } from './contract-schemas.ts';
import { ANSWER_HEADERS } from './database-header.ts';
import { without, type JsonSchema } from './json-schema.ts';

const { mutation, inputField } = DEFAULT_TOKEN_MUTATION;

/** The bodies of the token mutation (deployments.md, "Getting a token"). */
export function tokenSchemas(): Readonly<Record<string, JsonSchema>> {
  const text = { type: 'string', minLength: 1 };
  const issued = {
    type: 'object',
    properties: {
      token: text,
      refreshToken: text,
      refreshExpiresIn: { type: 'integer', description: 'In seconds since 1970.' },
      payload: { type: 'object' },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'The fields that the query asks for.',
  };
  const error = {
    type: 'object',
    properties: {
      message: text,
      extensions: {
        type: 'object',
        properties: {
          errorType: { type: 'string', enum: ['VALIDATION', 'AUTHORIZATION'] },
          errorCode: text,
          errorDescription: text,
        },
        required: ['errorType', 'errorCode', 'errorDescription'],
        additionalProperties: false,
      },
    },
    required: ['message', 'extensions'],
    additionalProperties: false,
  };
  return {
    TokenRequest: {
      type: 'object',
      properties: { query: text, variables: { type: 'object' } },
      required: ['query'],
      examples: [
        { query: tokenMutationDocument(mutation), variables: { input: { [inputField]: '<API_KEY>' } } },
      ],
    },
    TokenAnswer: {
      type: 'object',
      minProperties: 1,
      maxProperties: 1,
      properties: {
        data: { type: 'object', minProperties: 1, maxProperties: 1, additionalProperties: issued },
        errors: { type: 'array', minItems: 1, items: error },
      },
      additionalProperties: false,
    },
  };
}

/** The operation that issues tokens. It needs no token. `failures` are the failures of any request. */
export function tokenOperation(failures: JsonSchema): JsonSchema {
  const json = (name: string) => ({
    content: { 'application/json': { schema: { $ref: SCHEMA_POINTER + name } } },
  });
  return {
    operationId: 'obtainToken',
    summary: 'Obtain a token for an API key',
    description: 'A GraphQL mutation, whatever its name between `obtain` and `Token` (interface.md 5).',
    security: [],
    requestBody: { required: true, ...json('TokenRequest') },
    responses: {
      200: { description: 'A token, or GraphQL errors.', headers: ANSWER_HEADERS, ...json('TokenAnswer') },
      ...without(failures, '401'),
    },
  };
}
