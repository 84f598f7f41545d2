import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { parseExactJson } from '../../../../src/core/values/exact-json.ts';
import type { JsonObject } from '../../../../src/core/values/plain-json.ts';
import { isLoopback } from '../../../../src/server/http/hosts.ts';
import { withDecimalTexts } from '../../../../src/server/routes/admin/ledger-routes.ts';
import {
  ACCOUNT,
  charge,
  problemsOf,
  START,
  startPlatform,
  statement,
  supplyCharge,
  type TestPlatform,
} from '../../../support/server-platform.ts';

const health = async (platform: TestPlatform) => (await platform.request('GET', '/_local/health')).body;
const reset = (platform: TestPlatform) => platform.request('POST', '/_local/reset', { body: '{}' });

/** One record of each kind. The transaction is moved. */
async function fill(platform: TestPlatform): Promise<void> {
  await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] });
  await platform.post('createTransactions', { ...ACCOUNT, transactions: [supplyCharge()] });
  await platform.post('createStatements', { ...ACCOUNT, statements: [statement({ gross_amount: 5324 })] });
  await platform.post('createPaymentInstruction', {
    ...ACCOUNT,
    vendor: 'STRIPE',
    reference: 'pi_1',
    type: 'CARD',
  });
}

test('health shows the server and how much is stored, without a token', async () => {
  const platform = await startPlatform();
  platform.clock.nowMs += 60_000;
  await fill(platform);
  expect(await health(platform)).toEqual({
    instance: platform.instance,
    version: '0.0.0-test',
    database: ':memory:',
    started_at: START,
    ready: true,
    counts: {
      suppliers: 5,
      accounts: 9,
      records: { note: 1, transaction: 1, statement: 1, payment_instruction: 1 },
      conflicting_replays: 0,
    },
    ignored_fields: [],
  });
});

test('the ledger has one line for each stored record in order of storage, with every decimal as text', async () => {
  const platform = await startPlatform();
  await fill(platform);
  const answer = await platform.request('GET', '/_local/ledger');
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
  expect(answer.text).toMatch(/^(\{.*\}\n){4}$/);
  expect(await platform.ledger()).toEqual([
    { seq: 1, kind: 'note', ...ACCOUNT, data: { body: 'x', created_at: START } },
    {
      seq: 2,
      kind: 'transaction',
      ...ACCOUNT,
      data: {
        ...supplyCharge(),
        amount: '53.24',
        line_items: [
          {
            start_date: '2026-01-01',
            end_date: '2026-01-31',
            number_of_units: '4',
            net_amount: '44',
            price_per_unit: '11',
          },
        ],
        tax_items: [
          { amount: '9.24', tax_type: 'VAT', value_taxed: '44', rate: '0.21', unit_type: 'PROPORTION' },
        ],
      },
    },
    { seq: 3, kind: 'statement', ...ACCOUNT, data: statement({ gross_amount: '5324' }) },
    {
      seq: 4,
      kind: 'payment_instruction',
      ...ACCOUNT,
      data: { vendor: 'STRIPE', reference: 'pi_1', type: 'CARD' },
    },
  ]);
});

test('the ledger can be limited to a kind, a supplier and an account', async () => {
  const platform = await startPlatform();
  await fill(platform);
  await platform.post('createNotes', {
    import_supplier: 'BETA',
    external_account_number: '2001',
    notes: [{ body: 'beta' }],
  });
  const seqs = async (query: string) =>
    (await platform.request('GET', `/_local/ledger?${query}`)).text
      .split('\n')
      .flatMap((line) => (line ? [JSON.parse(line).seq] : []));
  expect(await seqs('kind=note')).toEqual([1, 5]);
  expect(await seqs('import_supplier=BETA')).toEqual([5]);
  expect(await seqs('external_account_number=1001&kind=statement')).toEqual([3]);
  expect(await seqs('external_account_number=nobody')).toEqual([]);
});

test.each([
  { query: 'kind=note&kind=statement', problem: ['invalid', 'kind'] },
  { query: 'account=1001', problem: ['unexpected_field', 'account'] },
])('an invalid ledger filter is refused: $query', async ({ query, problem }) => {
  const platform = await startPlatform();
  expect(problemsOf(await platform.request('GET', `/_local/ledger?${query}`))).toEqual([problem]);
});

test('a ledger longer than one chunk of the stream arrives whole and in order', async () => {
  const platform = await startPlatform();
  const body = 'long '.repeat(200);
  const notes = Array.from({ length: 500 }, (_, index) => ({ body: `${body}${index}` }));
  await platform.post('createNotes', { ...ACCOUNT, notes });
  expect((await platform.ledger()).map(({ data }) => data['body'])).toEqual(notes.map((note) => note.body));
});

test('a ledger that is read while records come has those of its beginning only', async () => {
  const platform = await startPlatform();
  const add = async (body: string) =>
    (await platform.post('createNotes', { ...ACCOUNT, notes: [{ body }] })).status;
  // No system takes so much before its reader does, so the server waits in the middle.
  for (const letter of 'abc') expect(await add(letter.repeat(4_500_000))).toBe(201);
  const lines = ['GET /_local/ledger HTTP/1.1', `host: 127.0.0.1:${platform.port}`, 'connection: close'];
  const bytes = `${lines.join('\r\n')}\r\n\r\n`;
  const reader = connect(platform.port, '127.0.0.1', () => reader.write(bytes));
  await once(reader, 'readable');
  expect(await add('late')).toBe(201);
  const seqs = [...(await text(reader)).matchAll(/"seq":(\d)/g)].map(([, seq]) => seq);
  expect(seqs).toEqual(['1', '2', '3']);
  expect((await platform.request('GET', '/_local/ledger')).text).toContain('"seq":4');
});

test('reset drops every record and numbers from 1 again', async () => {
  const platform = await startPlatform();
  await fill(platform);
  const answer = await reset(platform);
  expect(answer.status).toBe(200);
  expect(await platform.ledger()).toEqual([]);
  await platform.post('createTransactions', { ...ACCOUNT, transactions: [charge()] });
  expect((await platform.ledger()).map(({ seq }) => seq)).toEqual([1]);
});

test('reset lets a vendor fail again as the seed says, and keeps accounts, keys and tokens', async () => {
  const platform = await startPlatform();
  const headers = { authorization: `Token ${await platform.token()}` };
  const tryOnce = async () =>
    (
      await platform.post('createPaymentInstruction', {
        ...ACCOUNT,
        vendor: 'STRIPE',
        reference: 'pi_2',
        type: 'CARD',
      })
    ).status;
  expect([await tryOnce(), await tryOnce(), await tryOnce()]).toEqual([500, 500, 201]);
  platform.clock.nowMs += 60_000;
  await reset(platform);
  expect([await tryOnce(), await tryOnce(), await tryOnce()]).toEqual([500, 500, 201]);
  const list = await platform.request('GET', '/v1/data-import/imported-account-import-processes/BETA/', {
    headers,
  });
  expect(list.body[0].account_created_at, 'the account is the one that was created at the start').toBe(START);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['192.168.1.5', false],
  ['::ffff:10.0.0.1', false],
  ['fe80::1', false],
  [undefined, false],
])('the admin API is for this machine: is %s local? %s', (address, near) => {
  expect(isLoopback(address)).toBe(near);
});

test('a ledger has decimals of the interface as texts, and numbers of other fields as they are, in items, too', () => {
  const json =
    '{"amount":1.50,"line_items":[{"net_amount":1.50,"units":[2],"blob":{"a":[1.50,12345678901234567890,"1"]}}],"extra":1e5}';
  expect(JSON.stringify(withDecimalTexts(parseExactJson(json) as JsonObject, 'transaction'))).toBe(
    '{"amount":"1.50","line_items":[{"net_amount":"1.50","units":["2"],"blob":{"a":[1.50,12345678901234567890,"1"]}}],"extra":1e5}',
  );
});
