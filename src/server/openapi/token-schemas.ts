import * as z from 'zod/mini';
import { described } from '../../core/schema.ts';
import { jsonSchemasOf, type JsonSchema } from './json-schema.ts';

/** The bodies of the token mutation (deployments.md, "Getting a token"). */
export function tokenSchemas(): Readonly<Record<string, JsonSchema>> {
  const text = z.string().check(z.minLength(1));
  const object = z.record(z.string(), z.unknown());
  const issued = z.partial(
    z.strictObject({
      token: text,
      refreshToken: text,
      refreshExpiresIn: described(z.int(), 'In seconds since 1970.'),
      payload: object,
    }),
  );
  const errorType = z.enum(['VALIDATION', 'AUTHORIZATION']);
  const extensions = z.strictObject({ errorType, errorCode: text, errorDescription: text });
  const error = z.strictObject({ message: text, extensions });
  const TokenRequest = z.looseObject({ query: text, variables: z.optional(object) });
  const TokenAnswer = z.strictObject({
    data: z.optional(z.record(z.string(), described(issued, 'The fields that the query asks for.'))),
    errors: z.optional(z.array(error).check(z.minLength(1))),
  });
  return jsonSchemasOf<string>({ TokenRequest, TokenAnswer }, (name) => name);
}
