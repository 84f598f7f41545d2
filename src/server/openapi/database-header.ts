import { DATABASE_HEADER } from '../../core/contract/database-identity.ts';
import type { JsonSchema } from './json-schema.ts';

/** The headers of every answer to a request whose Host header names the server. */
export const ANSWER_HEADERS: JsonSchema = {
  [DATABASE_HEADER]: { $ref: '#/components/headers/DatabaseIdentity' },
};

/** The headers that answers refer to. */
export const HEADER_COMPONENTS: JsonSchema = {
  DatabaseIdentity: {
    description:
      'The identity of the database behind the answer. A reset and a restored state replace it. Missing when the request was sent to another host.',
    schema: { type: 'string', pattern: '^[0-9a-f]{16}$' },
  },
};
