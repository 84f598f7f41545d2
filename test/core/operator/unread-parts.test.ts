import { expect, test } from 'vitest';
import { differenceOf } from '../../../src/cli/contract/difference.ts';
import {
  fieldsUnder,
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
    'tightened transactions: the query parameter `check_previously_added` is false by default, and true in the interface: every push says what it means',
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

test('the plainest JSON of several is read', () => {
  const other = { type: 'object', properties: {} };
  const parts = bodyOf({
    'application/vnd.x+json': { schema: other },
    'application/json': { schema: SCHEMA },
  });
  expect(fieldsUnder(imported(parts).contract)['body']).toMatchObject({ maxLength: 9 });
});
