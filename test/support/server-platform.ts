import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { ENDPOINTS, pathOf, type EndpointName } from '../../src/core/contract/endpoints.ts';
import type { RunningServer, startServer } from '../../src/server/start.ts';
import { ledgerOf, type LedgerLine } from './ledger.ts';
import { conformanceTo, OPENAPI, type OpenApi } from './openapi-conformance.ts';
import { startWithSeed } from './read-seeds.ts';
import { TEST_SEED } from './server-seed.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. Its numbers are floats, so compare `text` if digits matter. */
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- a test says by itself what it expects
}

/**
 * A platform on its own port, with a clock that only the test moves. Every answer is compared with the OpenAPI document that the platform publishes, unless
 * faults are active.
 */
export interface TestPlatform extends Omit<RunningServer, 'clock' | 'ledger'> {
  readonly clock: { nowMs: number };
  /** The errors behind answers 500. A test that expects none checks that this is empty. */
  readonly unexpected: unknown[];
  token(apiKey?: string): Promise<string>;
  /** Sends a request. Only `headers` can carry a token. */
  request(
    method: string,
    path: string,
    options?: { body?: string | Uint8Array; headers?: Record<string, string> },
  ): Promise<Answered>;
  /** POSTs JSON to an endpoint with a fresh token. A text is sent as it is. */
  post(
    endpoint: EndpointName,
    payload: unknown,
    options?: { query?: string; apiKey?: string },
  ): Promise<Answered>;
  get(
    endpoint: EndpointName,
    segments: Record<string, string>,
    options?: { apiKey?: string },
  ): Promise<Answered>;
  ledger(): Promise<readonly LedgerLine[]>;
}

type Options = Partial<Parameters<typeof startServer>[0]> & { readonly seed?: string };

/** Sunday noon, when the accounts of the platform were created. */
export const START = '2026-03-15T12:00:00Z';

const OF_INTERFACE = conformanceTo(OPENAPI);

/** The document that a platform publishes. */
export async function documentOf(url: string): Promise<OpenApi> {
  return (await (await fetch(`${url}/_local/openapi.json`)).json()) as OpenApi;
}

/** Starts a platform and closes it when the test ends. */
export async function startPlatform({ seed = TEST_SEED, ...options }: Options = {}): Promise<TestPlatform> {
  const clock = { nowMs: Date.parse(START) };
  const unexpected: unknown[] = [];
  const server = await startWithSeed(
    { text: seed, file: () => seedFile(seed) },
    {
      database: ':memory:',
      version: '0.0.0-test',
      nowMs: () => clock.nowMs,
      onUnexpectedError: (error) => unexpected.push(error),
      ...options,
    },
  );
  // `fetch` takes four times the time of a request.
  const connections = new Pool(server.url);
  onTestFinished(async () => {
    await connections.destroy();
    await server.close();
  });

  const { problemsOfAnswer } =
    options.contract === undefined ? OF_INTERFACE : conformanceTo(await documentOf(server.url));
  const request: TestPlatform['request'] = async (method, path, { body, headers = {} } = {}) => {
    const defaults: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const { pathname, search } = new URL(server.url + path);
    const response = await connections.request({
      path: pathname + search,
      method: method as 'GET',
      headers: { ...defaults, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.body.text();
    const got = new Headers(response.headers as Record<string, string>);
    const isJson = got.get('content-type')?.startsWith('application/json') && text !== '';
    const answer = {
      status: response.statusCode,
      headers: got,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
    // An answer of a fault need not fit the document.
    if (!got.has('x-dataimport-fault'))
      expect(problemsOfAnswer({ method, path, ...answer }), `${method} ${path}`).toEqual([]);
    return answer;
  };
  const token: TestPlatform['token'] = async (apiKey = 'all-key') =>
    (await obtainToken(request, { APIKey: apiKey })).body.data.obtainPlatformToken.token;
  const authorized = async (apiKey?: string) => ({ authorization: `Token ${await token(apiKey)}` });

  return {
    ...server,
    clock,
    unexpected,
    token,
    request,
    post: async (endpoint, payload, { query = '', apiKey } = {}) =>
      request('POST', ENDPOINTS[endpoint].path + query, {
        body: typeof payload === 'string' ? payload : JSON.stringify(payload),
        headers: await authorized(apiKey),
      }),
    get: async (endpoint, segments, { apiKey } = {}) =>
      request('GET', pathOf(ENDPOINTS[endpoint], segments), { headers: await authorized(apiKey) }),
    ledger: () => ledgerOf(server.url),
  };
}

/** The token mutation as clients send it. */
export function obtainToken(
  request: TestPlatform['request'],
  input: Record<string, unknown>,
): Promise<Answered> {
  const query =
    'mutation ($input: ObtainJSONWebTokenInput!) { obtainPlatformToken(input: $input) { token refreshToken refreshExpiresIn payload } }';
  return request('POST', '/v1/graphql/', { body: JSON.stringify({ query, variables: { input } }) });
}

/** A seed file in a folder of the test. */
export function seedFile(text: string, name = 'seed.yaml'): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

/** The account of the test seed that takes data. Its open statement is the year 2026. */
export const ACCOUNT = { import_supplier: 'ACME', external_account_number: '1001' };

/** A good transaction with these `fields` changed. */
export function charge(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    transaction_id: 'tx-1',
    transaction_date: '2026-02-01',
    amount: 12.5,
    type: 'CHARGE',
    reason: 'IMPORTED_CHARGE',
    ...fields,
  };
}

/** A SUPPLY_CHARGE whose items add up to its amount. */
export function supplyCharge(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    transaction_id: 'sc-1',
    transaction_date: '2026-02-01',
    amount: 53.24,
    type: 'SUPPLY_CHARGE',
    product_code: 'FLEX-12',
    line_items: [
      {
        start_date: '2026-01-01',
        end_date: '2026-01-31',
        number_of_units: 4,
        net_amount: 44,
        price_per_unit: 11,
      },
    ],
    tax_items: [{ amount: 9.24, tax_type: 'VAT', value_taxed: 44, rate: 0.21, unit_type: 'PROPORTION' }],
    ...fields,
  };
}

/** A good statement with these `fields` changed. */
export function statement(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    statement_id: 'st-1',
    bill_period_from_date: '2026-01-01',
    bill_period_to_date: '2026-01-31',
    ...fields,
  };
}

/** `[[code, attr], …]` of a body in the format of interface.md 7.1. */
export function problemsOf({ body }: Answered): readonly (readonly [string, string | null])[] {
  return body.errors.map(({ code, attr }: { code: string; attr: string | null }) => [code, attr]);
}
