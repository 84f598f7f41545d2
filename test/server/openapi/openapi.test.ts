import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS, pathOf, type EndpointName } from '../../../src/core/contract/endpoints.ts';
import { HTTP_LIMITS } from '../../../src/server/options/http-limits.ts';
import { SERVED_PATHS } from '../../../src/server/pipeline/route-match.ts';
import { FAILURES } from '../../../src/server/openapi/failures.ts';
import {
  problemsOfAnswer,
  problemsOfRequest,
  OPENAPI,
  type Exchange,
} from '../../support/openapi-conformance.ts';
import {
  ACCOUNT,
  charge,
  obtainToken,
  startPlatform,
  statement,
  supplyCharge,
  type TestPlatform,
} from '../../support/server-platform.ts';
import { exchange } from '../../support/server-bytes.ts';
import { rawRequest } from '../../support/server-raw-http.ts';

const SEGMENTS = { importSupplier: 'ACME', externalAccountNumber: '1001' };
const NOTES = ENDPOINTS.createNotes.path;

type Schema = {
  readonly description?: string;
  readonly 'x-authority'?: string;
  readonly properties?: Schemas;
  readonly items?: Schema;
};
type Schemas = Readonly<Record<string, Schema>>;

const INPUTS = /Request$|^(Note|Charge|Credit|Payment|Repayment|SupplyCharge|LineItem|TaxItem|Statement)$/;

/** The fields of a schema that nobody explains. */
const unexplained = (name: string, { properties = {}, items }: Schema): readonly string[] => [
  ...(items ? unexplained(name, items) : []),
  ...Object.entries(properties).flatMap(([field, schema]) => [
    ...(schema.description && schema['x-authority'] ? [] : [`${name}.${field}`]),
    ...unexplained(`${name}.${field}`, schema),
  ]),
];

test('every field of a request says what it means and who says so', () => {
  const { schemas } = (OPENAPI as unknown as { components: { schemas: Schemas } }).components;
  const inputs = Object.entries(schemas).filter(([name]) => INPUTS.test(name) && name !== 'TokenRequest');
  expect(inputs).toHaveLength(13);
  expect(inputs.flatMap(([name, schema]) => unexplained(name, schema))).toEqual([]);
  expect(unexplained('New', { properties: { field: {} } })).toEqual(['New.field']);
});

test('every parameter of a path or a query says what it means and who says so', () => {
  type Parameters = readonly { name: string; description?: string; 'x-authority'?: string }[];
  const operations = Object.entries(OPENAPI.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([, of]) => Object.values(of as Record<string, { parameters?: Parameters }>));
  const parameters = operations.flatMap(({ parameters: own = [] }) => own);
  expect([...new Set(parameters.map(({ name }) => name))].toSorted()).toEqual([
    'check_previously_added',
    'externalAccountNumber',
    'force_add_to_current_statement',
    'importSupplier',
  ]);
  expect(parameters.filter((each) => !each.description || !each['x-authority'])).toEqual([]);
});

/** Requests that succeed, one of each kind. */
const GOOD: readonly (readonly [EndpointName, object])[] = [
  ['createNotes', { ...ACCOUNT, notes: [{ body: 'x', created_at: '2026-01-01T00:00:00Z' }] }],
  ['createNotes', { ...ACCOUNT, notes: [{ document_paths: [{ document_path: 'a.pdf' }], is_pinned: true }] }],
  ['createTransactions', { ...ACCOUNT, transactions: [charge(), supplyCharge()] }],
  ['createTransactions', { ...ACCOUNT, transactions: [charge()] }],
  ['createTransactions', { ...ACCOUNT, transactions: [charge({ transaction_id: 't', amount: '-12.50' })] }],
  [
    'createTransactions',
    { ...ACCOUNT, transactions: [charge({ type: 'PAYMENT', transaction_id: 'p', reason: '' })] },
  ],
  ['createStatements', { ...ACCOUNT, statements: [statement({ gross_amount: null })] }],
  ['createPaymentInstruction', { ...ACCOUNT, vendor: 'STRIPE', reference: 'pi_1', type: 'CARD' }],
];

/** Requests that are refused, with their status. */
const BAD: readonly (readonly [number, EndpointName, unknown])[] = [
  [400, 'createNotes', { ...ACCOUNT, notes: [{}] }],
  [400, 'createNotes', '{'],
  [400, 'createTransactions', { ...ACCOUNT, transactions: [] }],
  [400, 'createTransactions', { ...ACCOUNT, transactions: [charge({ amount: 'x' })] }],
  [400, 'createTransactions', { ...ACCOUNT, transactions: [7] }],
  [400, 'createStatements', { ...ACCOUNT, statements: [{ statement_id: '' }] }],
  [400, 'createPaymentInstruction', { ...ACCOUNT, vendor: 'STRIPE', reference: 'pi_3', type: 'CARD' }],
  [
    400,
    'createPaymentInstruction',
    { ...ACCOUNT, external_account_number: '0', vendor: 'STRIPE', reference: 'pi_1', type: 'CARD' },
  ],
  [500, 'createPaymentInstruction', { ...ACCOUNT, vendor: 'STRIPE', reference: 'pi_2', type: 'CARD' }],
  [404, 'createNotes', { ...ACCOUNT, external_account_number: '0', notes: [{ body: 'x' }] }],
];

test('the document is valid OpenAPI', async () => {
  const document = structuredClone(OPENAPI) as unknown as Parameters<typeof SwaggerParser.validate>[0];
  await expect(SwaggerParser.validate(document)).resolves.toMatchObject({ openapi: '3.1.1' });
  const wrong = { ...(structuredClone(OPENAPI) as object), paths: 7 } as unknown as typeof document;
  await expect(SwaggerParser.validate(wrong)).rejects.toThrow();
});

test('the document has every path and method of the interface but HEAD, and no other', () => {
  const served = SERVED_PATHS.filter(({ access }) => access !== 'loopback').flatMap(({ path, allowed }) =>
    allowed
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
  );
  const documented = Object.entries(OPENAPI.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.toSorted()).toEqual(served.toSorted());
  // The token has a path, too.
  expect(documented).toHaveLength(1 + Object.keys(ENDPOINTS).length);
});

test('the server publishes the document', async () => {
  const platform = await startPlatform();
  const { status, body } = await platform.request('GET', '/_local/openapi.json');
  expect([status, body]).toEqual([200, OPENAPI]);
  // A test of each behaviour compares its answers with the document.
  expect(body.info.description).toContain(
    'not describe which requests `--behaviour` and the lists of a seed',
  );
});

describe('every request and answer', () => {
  test.each(GOOD.map(([name, body], index) => ({ name, body, index })))(
    'fits the document and the contract of the client: $name $index',
    async ({ name, body }) => {
      const platform = await startPlatform();
      const endpoint = ENDPOINTS[name];
      const answer = await platform.post(name, body);
      expect(answer.status).toBe(201);
      expect(problemsOfRequest(endpoint.path, body)).toEqual([]);
      expect(endpoint.response.safeParse(answer.body).error).toBeUndefined();
    },
  );

  // Every answer of a test platform is compared with the document: test/support/server-platform.ts.
  test('fits the document at every status', async () => {
    const seen = new Set<number>();
    const platform = await startPlatform({ behaviour: ['body-limit=1000'] });
    for (const [status, name, body] of BAD) {
      const answer = await platform.post(name, body);
      expect(answer.status, JSON.stringify(body)).toBe(status);
      seen.add(status);
    }
    for (const exchange of await oddExchanges(platform)) {
      seen.add(exchange.status);
      expect(problemsOfAnswer(exchange), `${exchange.status}`).toEqual([]);
    }
    for (const [name, { method }] of Object.entries(ENDPOINTS))
      if (method === 'GET') seen.add((await platform.get(name as EndpointName, SEGMENTS)).status);
    for (const [name, body] of GOOD) seen.add((await platform.post(name, body)).status);
    // A database that another process locks for long.
    const quiet = [503];
    const documented = ['200', '201', '400', ...Object.keys(FAILURES)];
    expect([...seen, ...quiet].map(String).toSorted()).toEqual(documented.toSorted());
  });
});

test.each([
  ['a field too many', { ...ACCOUNT, notes: [{ body: 'x', author: 'me' }] }],
  ['a note of nothing', { ...ACCOUNT, notes: [{}] }],
  ['a note of an empty body', { ...ACCOUNT, notes: [{ body: '' }] }],
  ['a note of no documents', { ...ACCOUNT, notes: [{ document_paths: [] }] }],
  ['an account that is a number', { ...ACCOUNT, external_account_number: 1001, notes: [{ body: 'x' }] }],
  ['a day that does not exist', { ...ACCOUNT, notes: [{ body: 'x', created_at: '2026-02-30T00:00:00Z' }] }],
])('a request with %s is refused by the document and by the server', async (_, body) => {
  const platform = await startPlatform();
  expect(problemsOfRequest(NOTES, body)).not.toEqual([]);
  expect((await platform.post('createNotes', body)).status).toBe(400);
});

/** Exchanges that need more than a payload. */
async function oddExchanges(platform: TestPlatform): Promise<readonly Exchange[]> {
  const authorization = `Token ${await platform.token()}`;
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ ...ACCOUNT, notes: [{ body: 'x' }] });
  const asked = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    text?: string,
  ): Promise<Exchange> => {
    const answer = await rawRequest(platform.url, {
      method,
      path,
      headers,
      ...(text !== undefined && { body: text }),
    });
    return {
      method,
      path,
      status: answer.status,
      headers: new Headers(answer.headers as Record<string, string>),
      body: JSON.parse(answer.text),
    };
  };
  const fault = async (rule: string): Promise<Exchange> => {
    await platform.request('PUT', '/_local/faults', { body: JSON.stringify({ rules: [rule] }) });
    return asked('POST', NOTES, { ...json, authorization }, body);
  };
  const sent = async (port: number, bytes: string): Promise<Exchange> => {
    const [answer] = (await exchange(port, bytes)).answers;
    const { status, headers, body: text } = answer!;
    return { method: 'POST', path: NOTES, status, headers: new Headers(headers), body: JSON.parse(text) };
  };
  await obtainToken(platform.request, { APIKey: 'wrong' });
  const hurried = await startPlatform({
    http: { ...HTTP_LIMITS, headersTimeoutMs: 40, requestTimeoutMs: 80 },
  });
  return [
    await asked('POST', NOTES, json, body),
    await asked('POST', NOTES, { ...json, authorization, origin: 'http://elsewhere.example' }, body),
    await asked('GET', NOTES, { authorization }),
    await asked('POST', NOTES, { 'content-type': 'text/plain', authorization }, body),
    await asked('POST', NOTES, { ...json, authorization }, body.padEnd(2_000)),
    await asked('POST', NOTES, { ...json, authorization, host: 'elsewhere.example' }, body),
    await asked('POST', NOTES, { ...json, authorization, expect: 'a-miracle' }, body),
    await asked('GET', pathOf(ENDPOINTS.accountTransferStatus, SEGMENTS), {
      authorization,
      cookie: 'x'.repeat(20_000),
    }),
    await sent(platform.port, `POST ${NOTES} HTTP/1.0\r\nHost: localhost\r\n\r\n`),
    await sent(hurried.port, `POST ${NOTES} HTTP/1.1\r\nHost: `),
    await fault('notes accept status=429 retry-after=5 times=1'),
    await fault('notes accept status=500 times=1'),
  ];
}
