import type { JsonSchema } from './json-schema.ts';

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
