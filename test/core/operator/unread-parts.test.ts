import { expect, test } from 'vitest';
import {
  findingsOf,
  imported,
  operatorDocument,
  type DocumentParts,
} from '../../support/operator-document.ts';

type Json = Readonly<Record<string, unknown>>;

const NOTES = '/v1/data-import/notes/create/';

/** The request that adds notes, with other parts. */
function notesWith(own: Json, around: Json = {}): DocumentParts {
  const { post } = (operatorDocument()['paths'] as Readonly<Record<string, { readonly post: Json }>>)[NOTES]!;
  return { paths: { [NOTES]: { ...around, post: { ...post, ...own } } } };
}

function bodyOf(content: Json): DocumentParts {
  return notesWith({ requestBody: { content } });
}

const SCHEMA = {
  type: 'object',
  required: ['import_supplier', 'external_account_number', 'notes'],
  properties: {
    import_supplier: { type: 'string' },
    external_account_number: { type: 'string', maxLength: 128 },
    notes: {
      type: 'array',
      items: { type: 'object', properties: { body: { type: 'string', maxLength: 9 } } },
    },
  },
};

test.each(
  Object.entries<DocumentParts>({
    'contradicts notes: the document describes the answer as an object, and the interface has a list: the first answer decides':
      notesWith({
        responses: {
          201: { content: { 'application/json': { schema: { type: 'object', properties: {} } } } },
        },
      }),
    'deprecates notes: the request POST /v1/data-import/notes/create/ is deprecated': notesWith({
      deprecated: true,
    }),
    'not_understood notes: the body of a request is not described as an object': bodyOf({
      'application/json': { schema: { oneOf: [{ type: 'array', items: SCHEMA }, SCHEMA] } },
    }),
    'not_understood notes: the request has no schema of a JSON body': bodyOf({ 'application/json': {} }),
    'added transactions.dry_run: is added: true or false, required': {
      body: { dry_run: { type: 'boolean', default: true } },
    },
    'contradicts notes: the body is sent as `application/json`, and the document takes `application/vnd.x+json` only: every request would be refused':
      bodyOf({ 'application/vnd.x+json': { schema: SCHEMA } }),
  }),
)('%s is listed', (line, parts) => {
  expect(findingsOf(imported(parts))).toContain(line);
});
