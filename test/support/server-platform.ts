import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ENDPOINTS, pathOf, type EndpointName } from '../../src/core/contract/endpoints.ts';
import { startServer, type RunningServer } from '../../src/server/start.ts';
import { ledgerOf, type LedgerLine } from './ledger.ts';
import { objectionsToAnswer } from './openapi-conformance.ts';
import { TEST_SEED } from './server-seed.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; numbers are floats, so compare `text` where digits matter. */
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- a test says by itself what it expects
}

/**
 * A platform on a port of its own, with a clock that stands still until the test moves it. Every answer is held against its
 * OpenAPI document, unless a fault is armed.
 */
export interface TestPlatform extends RunningServer {
  readonly clock: { nowMs: number };
  /** What stood behind answers 500; a test that expects none checks that it is empty. */
  readonly unexpected: unknown[];
  token(apiKey?: string): Promise<string>;
  /** Sends with a fresh token of `all-key` unless `headers` has another Authorization. */
  request(
    method: string,
    path: string,
    options?: { body?: string | Uint8Array; headers?: Record<string, string> },
  ): Promise<Answered>;
  /** POSTs JSON to an endpoint; a text is sent as it is. */
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

/** Sunday noon; the platform's accounts were created then. */
export const START = '2026-03-15T12:00:00Z';

/** Starts a platform that is closed when the running test has finished. */
export async function startPlatform({ seed = TEST_SEED, ...options }: Options = {}): Promise<TestPlatform> {
  const clock = { nowMs: Date.parse(START) };
  const unexpected: unknown[] = [];
  const server = await startServer({
    database: ':memory:',
    seeds: [seedFile(seed)],
    version: '0.0.0-test',
    nowMs: () => clock.nowMs,
    onUnexpectedError: (error) => unexpected.push(error),
    ...options,
  });
  onTestFinished(() => server.close());

  const request: TestPlatform['request'] = async (method, path, { body, headers = {} } = {}) => {
    const defaults: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(server.url + path, {
      method,
      headers: { ...defaults, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
    // What a fault makes of an answer is meant to fit nothing.
    if (!response.headers.has('x-dataimport-fault'))
      expect(objectionsToAnswer({ method, path, ...answer }), `${method} ${path}`).toEqual([]);
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

/** A seed file in a folder of the running test. */
export function seedFile(text: string, name = 'seed.yaml'): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

/** The account of the test seed that takes everything; its open statement is the year 2026. */
export const ACCOUNT = { import_supplier: 'ACME', external_account_number: '1001' };

/** A transaction that passes; `fields` change it. */
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

/** A statement that passes; `fields` change it. */
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
