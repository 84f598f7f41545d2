import { expect, test } from 'vitest';
import { differenceOf } from '../../../src/core/operator/difference.ts';
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

const parameter = (name: string, place: string, own: Json = {}): Json => ({
  name,
  in: place,
  schema: { type: 'string' },
  ...own,
});

test.each(
  Object.entries<DocumentParts>({
    'ignored notes: the query parameter `verbose` of POST /v1/data-import/notes/create/ is never sent':
      notesWith({ parameters: [parameter('verbose', 'query')] }),
    'contradicts notes: the document describes the answer as an object, and the interface has a list: the first answer decides':
      notesWith({
        responses: {
          201: { content: { 'application/json': { schema: { type: 'object', properties: {} } } } },
        },
      }),
    'deprecates notes: the request POST /v1/data-import/notes/create/ is deprecated': notesWith({
      deprecated: true,
    }),
    'ignored notes: `callbacks` is not read': notesWith({ callbacks: {} }),
    'ignored notes: the interface has no such request: PUT': notesWith({}, { put: {} }),
    'not_understood notes: the request has no schema of a JSON body': bodyOf({ 'application/json': {} }),
    'ignored notes: the body is sent as JSON, so its form as `application/xml` is not read': bodyOf({
      'application/xml': {},
      'application/json': { schema: SCHEMA },
    }),
    'ignored : the interface has no such paths: /v1/data-import/meters/create/, /pets/': {
      paths: { '/v1/data-import/meters/create/': {}, '/pets/': {} },
    },
    'ignored : the interface has no such paths: /auth/token/, /graphql/2/': {
      paths: { '/auth/token/': { post: {} }, '/graphql/2/': { post: {} } },
    },
    'ignored : the interface has no such paths: /v1/data-import/meter-tokens/create/': {
      paths: { '/v1/data-import/meter-tokens/create/': { post: {} } },
    },
    'ignored : these schemas are not read for any request of the interface, but for results and account numbers in answers: Added':
      {
        ...notesWith({
          responses: {
            201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Added' } } } },
          },
        }),
        schemas: { Added: { type: 'array', items: { type: 'object' } } },
      },
    'ignored : these schemas are not read for any request of the interface: Spare, Rest': {
      schemas: { Spare: {}, Rest: {} },
    },
    'not_understood notes.is_pinned: `enum` of true or false is not checked': {
      note: { is_pinned: { type: 'boolean', enum: [false] } },
    },
    'ignored notes.body: `minItems` has no effect on a text': {
      note: { body: { type: 'string', minItems: 2 } },
    },
    'ignored notes.code: is sent as a text, so its form as a number is not read': {
      note: { code: { type: ['string', 'integer'], maxLength: 4 } },
      openapi: '3.1.0',
    },
    'not_understood transactions.amount: `maxLength` of this value is not checked': {
      transaction: { amount: { type: 'string', maxLength: 6 } },
    },
    'not_understood transactions.transaction_date: `minLength` of this value is not checked': {
      transaction: { transaction_date: { type: 'string', format: 'date', minLength: 12 } },
    },
    'not_understood transactions.type: `maxLength` of this value is not checked': {
      transaction: { type: { type: 'string', enum: ['CHARGE', 'CREDIT'], maxLength: 5 } },
    },
    'tightens transactions.dry_run: is true by default, so every push says that it is false': {
      body: { dry_run: { type: 'boolean', default: true } },
    },
    'contradicts notes: the body is sent as `application/json`, and the document takes `application/vnd.x+json` only: every request would be refused':
      bodyOf({ 'application/vnd.x+json': { schema: SCHEMA } }),
  }),
)('%s is listed', (line, parts) => {
  expect(findingsOf(imported(parts))).toContain(line);
});

test('a query parameter with another default, or that is required, is in every request', () => {
  const path = '/v1/data-import/transactions/create/';
  const { [path]: item } = operatorDocument()['paths'] as Readonly<Record<string, Json>>;
  const of = (own: Json, schema: Json = {}) => {
    const first = {
      name: 'check_previously_added',
      in: 'query',
      schema: { type: 'boolean', ...schema },
      ...own,
    };
    const [, second] = item!['parameters'] as readonly Json[];
    return imported({ paths: { [path]: { ...item, parameters: [first, second] } } });
  };
  expect(of({}).contract.resources.transactions!.query).toBeUndefined();
  expect(of({}, { default: true }).contract.resources.transactions!.query).toBeUndefined();
  const other = of({}, { default: false });
  expect(other.contract.resources.transactions!.query).toEqual({ check_previously_added: false });
  expect(findingsOf(other)).toContain(
    'tightens transactions: the query parameter `check_previously_added` is false by default, and true in the interface: every push says what it means',
  );
  const says = 'the query parameter `check_previously_added` is false by default, and true in the interface';
  expect(differenceOf(of({}).contract, other.contract)).toMatchObject([
    { kind: 'tightened', says: `${says}: every push says what it means` },
  ]);
  expect(differenceOf(other.contract, of({}).contract)).toMatchObject([
    { kind: 'loosened', says: `no longer so: ${says}: every push says what it means` },
  ]);
  expect(of({ required: true }).contract.resources.transactions!.query).toEqual({
    check_previously_added: true,
  });
});

test('a body that may be an object or a list is sent as the object', () => {
  const parts = bodyOf({
    'application/json': { schema: { oneOf: [{ type: 'array', items: SCHEMA }, SCHEMA] } },
  });
  expect(imported(parts).contract.resources.notes!.fields!['body']).toMatchObject({ max_length: 9 });
  expect(findingsOf(imported(parts))).toContain(
    'ignored notes: the body is sent as an object, so its form as a list is not read',
  );
});

test('the plainest JSON of several is read', () => {
  const other = { type: 'object', properties: {} };
  const parts = bodyOf({
    'application/vnd.x+json': { schema: other },
    'application/json': { schema: SCHEMA },
  });
  expect(imported(parts).contract.resources.notes!.fields!['body']).toMatchObject({ max_length: 9 });
});
