import { DATABASE_HEADER } from '../../core/contract/database-identity.ts';
import type { JsonSchema } from './json-schema.ts';

/** The headers of every answer to a request of a tenant. */
export const ANSWER_HEADERS: JsonSchema = {
  [DATABASE_HEADER]: { $ref: '#/components/headers/DatabaseIdentity' },
};

/** The headers that answers refer to. */
export const HEADER_COMPONENTS: JsonSchema = {
  DatabaseIdentity: {
    description:
      'The identity of the database behind the answer. A reset and a restored state replace it. Missing when the request was refused before it belonged to a tenant.',
    schema: { type: 'string', pattern: '^[0-9a-f]{16}$' },
  },
};
