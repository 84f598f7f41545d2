import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { RunningServer } from '../../src/server/start.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { operatorFile } from '../support/operator-document.ts';
import { startWithSeed } from '../support/read-seeds.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Json = any; // oxlint-disable-line typescript/no-explicit-any -- a document is changed in any place

/** A document in the manner of those that operators publish (deployments.md): answers and examples are less sure than requests. */
function published(): Json {
  const document = parse(operatorFile('halmere', 'openapi.yaml')) as Json;
  const { schemas } = document.components;
  schemas.ImportSupplierEnum.enum = ['ACME', 'OLD POWER'];
  schemas.LineItemParams = { type: 'object' };
  schemas.LineItem.required.push('params');
  schemas.LineItem['x-validators'].push({ name: 'Bands', description: 'The tariff has the rate band.' });
  schemas.Note['x-validators'].push({
    description: 'An external_id is unique.',
    possible_errors: ['unique'],
  });
  const { paths } = document;
  const answer = paths['/v1/data-import/notes/create/'].post.responses['201'].content['application/json'];
  answer.schema = { type: 'object', required: ['status'], properties: { status: { type: 'string' } } };
  paths['/v2/data-import/accounts/'] = { post: { responses: {} } };
  const content = paths['/v1/data-import/transactions/create/'].post.requestBody.content['application/json'];
  const common = { transaction_date: '2026-01-05', amount: 12.5, reference: 'R-1' };
  const item = { start_date: '2026-01-01', end_date: '2026-01-31', number_of_units: 5, net_amount: 12.5 };
  content.examples = {
    charge: { value: { ...common, transaction_id: 'T-1', type: 'CHARGE', reason: 'IMPORTED_CHARGE' } },
    payment: { value: { ...common, transaction_id: 'T-2', type: 'PAYMENT', reason: '', payment_type: '' } },
    supply: {
      value: {
        ...common,
        transaction_id: 'T-3',
        type: 'SUPPLY_CHARGE',
        product_code: 'FLEX-12',
        line_items: [{ ...item, params: { charge_target_type: 'REGISTER', register: '0012' } }],
      },
    },
  };
  return document;
}

const SEED = `version: 1
api_keys: [{ key: local-key, suppliers: [OLD POWER] }]
suppliers: [{ code: OLD POWER, name: Old Power, status: Ongoing }]
accounts:
  - { import_supplier: OLD POWER, external_account_number: A-100, state: imported }
`;
let server: RunningServer | undefined;
let cwd: string;
let env: Record<string, string>;

const run = (...words: readonly string[]) =>
  runCli(words, fakeIo({ env, cwd, nowMs: Date.UTC(2027, 0, 1), chance: 0.5, maxWaits: 10 }));

beforeEach(async () => {
  cwd = temporaryFolder();
  env = {};
  writeFileSync(join(cwd, 'o.json'), JSON.stringify(published()));
  const { exitCode, stdout } = await run('contract', 'import', 'o.json');
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    'notes: the document describes the answer as one object, and the interface has a list',
  );
  const contract = join(cwd, 'contract.json');
  writeFileSync(join(cwd, 'seed.yaml'), SEED);
  server = await startWithSeed(
    { text: SEED, file: () => join(cwd, 'seed.yaml') },
    { database: ':memory:', contract, version: '1.0.0', nowMs: () => Date.UTC(2027, 0, 1) },
  );
  env = {
    DATAIMPORT_BASE_URL: server.url,
    DATAIMPORT_API_KEY: 'local-key',
    DATAIMPORT_SUPPLIER: 'OLD POWER',
    DATAIMPORT_CONTRACT: contract,
  };
});
afterEach(() => server?.close());

test('what a document says and nobody checks is listed with the words of the operator', async () => {
  const { stdout } = await run('contract', 'show');
  const [, unenforced] = stdout.split('\nNOT ENFORCED by check and serve: ');
  expect(unenforced).toContain('has no code to know it by: The tariff has the rate band. [');
  expect(stdout).toContain('unique: is a rule: An external_id is unique. (NOT ENFORCED by check and serve');
});

test('--force replaces a contract alone', async () => {
  expect((await run('contract', 'import', 'o.json')).exitCode).toBe(2);
  expect((await run('contract', 'import', 'o.json', '--force')).exitCode).toBe(0);
  writeFileSync(join(cwd, 'seed.json'), '{"version":1}');
  const other = await run('contract', 'import', 'o.json', '--force', '--out', 'seed.json');
  expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('file_exists') as string });
  expect(readFileSync(join(cwd, 'seed.json'), 'utf8')).toBe('{"version":1}');
});

test('the examples of the document pass a check, and a field of another type is a warning', async () => {
  const { examples } =
    published().paths['/v1/data-import/transactions/create/'].post.requestBody.content['application/json'];
  const lines = Object.values<Json>(examples).map(({ value }) =>
    JSON.stringify({ external_account_number: 'A-100', ...value }),
  );
  writeFileSync(join(cwd, 't.jsonl'), lines.join('\n'));
  const pushed = await run('push', 'transactions', 't.jsonl', '--json');
  expect(pushed.json()).toMatchObject({ rows: { created: 3 } });
  const { stdout } = await run('check', 'transactions', 't.jsonl');
  expect(stdout).toContain('warning undocumented_value reference is not a field of a CHARGE');
  const ledger = await (await fetch(`${server!.url}/_local/ledger`)).text();
  expect(ledger).toContain('"params":{"charge_target_type":"REGISTER","register":"0012"}');
});

test('columns below an object without properties are texts of it', async () => {
  const columns = 'start_date,end_date,number_of_units,net_amount,params.charge_target_type,params.register';
  const header = columns.split(',').map((name) => `line_items.0.${name}`);
  const names = 'external_account_number,transaction_id,transaction_date,type,amount,product_code';
  const row = 'A-100,T-9,2026-02-05,SUPPLY_CHARGE,44,FLEX-12,2026-01-01,2026-01-31,4,44,REGISTER,0012';
  writeFileSync(join(cwd, 't.csv'), `${names},${header.join()}\n${row}\n`);
  expect((await run('push', 'transactions', 't.csv', '--json')).json()).toMatchObject({
    rows: { created: 1 },
  });
  const ledger = await (await fetch(`${server!.url}/_local/ledger`)).text();
  expect(ledger).toContain('"params":{"charge_target_type":"REGISTER","register":"0012"}');
});

test('a platform whose seed has no vendors takes those of the contract, with any reference', async () => {
  expect(server!.takesAnyVendor).toBe(true);
  const rows = 'external_account_number,vendor,reference,type\nA-100,STRIPE,any,CARD\nA-100,PAYPAL,b,CARD\n';
  writeFileSync(join(cwd, 'p.csv'), rows);
  const { stdout } = await run('check', 'payment-instructions', 'p.csv');
  expect(stdout).toContain(
    "invalid_choice vendor is not one of the values that Halmere Data Import's contract lists",
  );
  writeFileSync(join(cwd, 'p.csv'), rows.replace(/A-100,PAYPAL.*\n/, ''));
  const pushed = await run('push', 'payment-instructions', 'p.csv', '--json');
  expect(pushed.json()).toMatchObject({ rows: { created: 1 } });
});
