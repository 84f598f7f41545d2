import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '../../src/core/app-error.ts';
import { nextStepOf } from '../../src/core/error-codes/sentence.ts';
import { readSeed } from '../../src/server/seed/read-seed.ts';
import { ACCOUNT, seedFile, START, startPlatform } from '../support/server-platform.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SUPPLIER = 'suppliers: [{ code: ACME, name: Acme Energy, status: Ongoing }]';

/** What `read` throws. */
function errorOf(read: () => unknown): AppError {
  try {
    read();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test('without a seed the platform starts with the built-in one', async () => {
  const platform = await startPlatform({ seeds: [] });
  expect(platform.apiKeys).toEqual([{ key: 'local-key', suppliers: ['ACME'] }]);
  expect(platform.counts).toMatchObject({ suppliers: 1, accounts: 2 });
  const options = { apiKey: 'local-key' };
  const list = await platform.get('allAccountImportProcesses', { importSupplier: 'ACME' }, options);
  expect(list.body.map((item: { external_account_number: string }) => item.external_account_number)).toEqual([
    '1001',
    '1002',
  ]);
  const pay = () =>
    platform.post(
      'createPaymentInstruction',
      { ...ACCOUNT, vendor: 'STRIPE', reference: 'pi_2', type: 'CARD' },
      options,
    );
  expect([(await pay()).status, (await pay()).status, (await pay()).status]).toEqual([500, 500, 201]);
});

test('a seed file is read with all that it says', () => {
  const file = seedFile(`version: 1
api_keys: [{ key: all }, { key: some, suppliers: [ACME] }]
suppliers: [{ code: ACME, name: Acme Energy, status: Paused, document_root: "s3://x/", documents: [a.pdf] }]
accounts:
  - { import_supplier: ACME, external_account_number: "007", state: imported, open_statement: { from: 2026-01-01, to: 2026-12-31 } }
  - { import_supplier: ACME, external_account_number: A8, state: staged, auto_import: { in_progress_after_seconds: 5, after_seconds: 30, ends: failed } }
vendors:
  - { code: V, instructions: [{ reference: r1, type: CARD }, { reference: r2, type: CARD, fails: intermittent, times: 2 }] }
product_codes: [P1, P2]
enums: { reason: { every_type: [R1], CREDIT: [R2] }, tax_type: [VAT] }
`);
  expect(readSeed([file])).toEqual({
    suppliers: [{ code: 'ACME', name: 'Acme Energy', status: 'Paused', documentRoot: 's3://x/' }],
    accounts: [
      {
        import_supplier: 'ACME',
        external_account_number: '007',
        state: 'imported',
        openStatement: { from: '2026-01-01', to: '2026-12-31' },
        autoImport: undefined,
      },
      {
        import_supplier: 'ACME',
        external_account_number: 'A8',
        state: 'staged',
        openStatement: undefined,
        autoImport: { inProgressAfterSeconds: 5, afterSeconds: 30, ends: 'failed' },
      },
    ],
    apiKeys: [
      { key: 'all', suppliers: null },
      { key: 'some', suppliers: ['ACME'] },
    ],
    vendors: [
      {
        code: 'V',
        instructions: [
          { vendor: 'V', reference: 'r1', type: 'CARD', fails: undefined, times: 0 },
          { vendor: 'V', reference: 'r2', type: 'CARD', fails: 'intermittent', times: 2 },
        ],
      },
    ],
    productCodes: ['P1', 'P2'],
    documents: [{ supplier: 'ACME', paths: ['a.pdf'] }],
    enumValues: [
      { field: 'reason', transactionType: '', value: 'R1' },
      { field: 'reason', transactionType: 'CREDIT', value: 'R2' },
      { field: 'tax_type', transactionType: '', value: 'VAT' },
    ],
  });
});

test('several seed files are one: an account may stand in another file than its supplier', () => {
  const suppliers = seedFile(`version: 1\n${SUPPLIER}`, 'suppliers.yaml');
  const accounts = seedFile(
    'version: 1\naccounts: [{ import_supplier: ACME, external_account_number: A1, state: staged }]',
    'accounts.yaml',
  );
  expect(readSeed([accounts, suppliers]).accounts).toHaveLength(1);
});

test.each([
  ['1001', 'accounts.0.external_account_number (line 5): YAML reads this as a number, not as text: quote it'],
  ['007', 'accounts.0.external_account_number (line 5): YAML reads this as a number, not as text: quote it'],
  [
    'true',
    'accounts.0.external_account_number (line 5): YAML reads this as a boolean, not as text: quote it',
  ],
  ['"1001"\n    stat: staged', 'accounts.0.stat (line 6): is not a field of the interface'],
])('an account number written as %s is refused with its place', (written, fault) => {
  const file = seedFile(`version: 1
${SUPPLIER}
accounts:
  - import_supplier: ACME
    external_account_number: ${written}
    state: staged
`);
  const error = errorOf(() => readSeed([file]));
  expect(error.code).toBe('seed_invalid');
  expect(error.facts).toEqual({ file, reason: fault });
});

test.each([
  { what: 'nothing', text: '', reason: 'it is empty; the least that it says is `version: 1`' },
  { what: 'a comment alone', text: '# later', reason: 'it is empty' },
  { what: 'broken YAML', text: 'version: 1\nsuppliers: [', reason: 'at line 2' },
  { what: 'a key twice', text: 'version: 1\nversion: 1', reason: 'Map keys must be unique at line 2' },
  {
    what: 'another version',
    text: 'version: 2',
    reason: 'version (line 1): is not one of the allowed values (1)',
  },
  { what: 'an unknown list', text: 'version: 1\nacounts: []', reason: 'acounts (line 2): is not a field' },
  {
    what: 'a supplier status that does not exist',
    text: 'version: 1\nsuppliers: [{ code: A, name: A, status: ongoing }]',
    reason: 'suppliers.0.status (line 2): is not one of the allowed values (Ongoing, Paused, Complete)',
  },
  {
    what: 'no state',
    text: `version: 1\n${SUPPLIER}\naccounts: [{ import_supplier: ACME, external_account_number: A }]`,
    reason: 'accounts.0.state (line 3): is required',
  },
  {
    what: 'an open statement the wrong way round',
    text: `version: 1\n${SUPPLIER}\naccounts: [{ import_supplier: ACME, external_account_number: A, state: imported, open_statement: { from: 2026-02-01, to: 2026-01-01 } }]`,
    reason: 'accounts.0.open_statement (line 3): `from` lies after `to`',
  },
  {
    what: 'a date that does not exist',
    text: `version: 1\n${SUPPLIER}\naccounts: [{ import_supplier: ACME, external_account_number: A, state: imported, open_statement: { from: 2026-02-30, to: 2026-03-01 } }]`,
    reason: 'accounts.0.open_statement.from (line 3): is not a calendar date',
  },
  {
    what: 'an intermittent vendor without a number of times',
    text: 'version: 1\nvendors: [{ code: V, instructions: [{ reference: r, type: CARD, fails: intermittent }] }]',
    reason: 'vendors.0.instructions.0 (line 2): `times` belongs to `fails: intermittent`',
  },
  {
    what: 'times of zero',
    text: 'version: 1\nvendors: [{ code: V, instructions: [{ reference: r, type: CARD, fails: intermittent, times: 0 }] }]',
    reason: 'vendors.0.instructions.0.times (line 2): is not a whole number of at least 1',
  },
  {
    what: 'an empty list of product codes',
    text: 'version: 1\nproduct_codes: []',
    reason: 'product_codes (line 2): is an empty list',
  },
  {
    what: 'an import by the clock of an account that is imported',
    text: `version: 1\n${SUPPLIER}\naccounts: [{ import_supplier: ACME, external_account_number: A, state: imported, auto_import: { after_seconds: 1 } }]`,
    reason: 'accounts.0 (line 3): `auto_import` belongs to accounts that are staged or in_progress',
  },
  {
    what: 'an import that ends before it is in progress',
    text: 'version: 1\nsuppliers: [{ code: A, name: A, status: Ongoing, auto_import: { in_progress_after_seconds: 9, after_seconds: 9 } }]',
    reason: 'suppliers.0.auto_import (line 2): `in_progress_after_seconds` is not less than `after_seconds`',
  },
  {
    what: 'an import that ends in a state that is no end',
    text: 'version: 1\nsuppliers: [{ code: A, name: A, status: Ongoing, auto_import: { after_seconds: 9, ends: staged } }]',
    reason: 'suppliers.0.auto_import.ends (line 2): is not one of the allowed values (imported, failed)',
  },
  {
    what: 'an enum that is not open',
    text: 'version: 1\nenums: { type: [CHARGE] }',
    reason: 'enums.type (line 2): is not a field',
  },
  {
    what: 'a closed enum of no type of transaction',
    text: 'version: 1\nenums: { reason: { FEE: [X] } }',
    reason: 'enums.reason.FEE (line 2): is not a field',
  },
  {
    what: 'a value twice in an enum',
    text: 'version: 1\nenums: { tax_type: [VAT, VAT] }',
    reason: 'enums.tax_type (line 2): names a value twice',
  },
  {
    what: 'an empty list of documents',
    text: 'version: 1\nsuppliers: [{ code: A, name: A, status: Ongoing, documents: [] }]',
    reason: 'suppliers.0.documents (line 2): is an empty list',
  },
  {
    what: 'an account of no supplier',
    text: 'version: 1\naccounts: [{ import_supplier: ACME, external_account_number: A, state: staged }]',
    reason: 'accounts.0.import_supplier: no supplier has the code ACME',
  },
  {
    what: 'a key of no supplier',
    text: 'version: 1\napi_keys: [{ key: k, suppliers: [ACME] }]',
    reason: 'api_keys.0.suppliers.0: no supplier has the code ACME',
  },
  {
    what: 'an account twice',
    text: `version: 1\n${SUPPLIER}\naccounts: [{ import_supplier: ACME, external_account_number: A, state: staged }, { import_supplier: ACME, external_account_number: A, state: imported }]`,
    reason: 'accounts.1: the account ACME A stands in',
  },
  {
    what: 'a supplier twice',
    text: 'version: 1\nsuppliers: [{ code: A, name: A, status: Ongoing }, { code: A, name: B, status: Paused }]',
    reason: 'suppliers.1.code: the supplier A stands in',
  },
  {
    what: 'a key twice',
    text: 'version: 1\napi_keys: [{ key: s3cret }, { key: s3cret }]',
    reason: 'api_keys.1.key: the key stands in',
  },
])('a seed with $what is refused', ({ text, reason }) => {
  const file = seedFile(text);
  const error = errorOf(() => readSeed([file]));
  expect(error.code).toBe('seed_invalid');
  expect(error.facts['file']).toBe(file);
  expect(error.facts['reason']).toContain(reason);
  expect(error.message).not.toContain('s3cret');
});

test('what is told of an empty seed is a seed, and where its schema comes from', () => {
  const { facts } = errorOf(() => readSeed([seedFile('')]));
  const [, least] = /`(.*)`/.exec(String(facts['reason']))!;
  expect(readSeed([seedFile(least!)])).toMatchObject({ suppliers: [], accounts: [] });
  expect(nextStepOf('seed_invalid', facts)).toContain('`dataimport serve schema`');
});

test('what two files define both is refused and names both places', () => {
  const one = seedFile(`version: 1\n${SUPPLIER}`, 'one.yaml');
  const two = seedFile(`version: 1\n${SUPPLIER}`, 'two.yaml');
  const error = errorOf(() => readSeed([one, two]));
  expect(error.facts).toEqual({
    file: two,
    reason: `suppliers.0.code: the supplier ACME stands in ${one}, suppliers.0.code already`,
  });
});

test('many faults are told together, up to ten', () => {
  const accounts = Array.from(
    { length: 12 },
    () => '  - { import_supplier: ACME, external_account_number: 1, state: staged }',
  );
  const file = seedFile(`version: 1\n${SUPPLIER}\naccounts:\n${accounts.join('\n')}`);
  const { reason } = errorOf(() => readSeed([file])).facts;
  expect(String(reason).split('; ')).toHaveLength(11);
  expect(reason).toContain('; 2 more');
});

test('a seed that cannot be read is named', () => {
  const file = join(temporaryFolder(), 'missing.yaml');
  const error = errorOf(() => readSeed([file]));
  expect([error.code, error.facts]).toEqual(['file_not_readable', { file, reason: 'no such file' }]);
});

test('a seed changes what is there and keeps records, creation times and what it does not name', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const accounts = (state: string, ...more: string[]) => `version: 1
api_keys: [{ key: all-key }]
${SUPPLIER}
accounts:
  - { import_supplier: ACME, external_account_number: "1001", state: imported }
  - { import_supplier: ACME, external_account_number: "1002", state: ${state} }
${more.join('\n')}`;
  const first = await startPlatform({
    database,
    seed: accounts('staged', '  - { import_supplier: ACME, external_account_number: "1003", state: staged }'),
  });
  await first.post('createNotes', { ...ACCOUNT, notes: [{ body: 'kept' }] });
  await first.close();

  const laterMs = Date.parse('2026-04-01T00:00:00Z');
  const second = await startPlatform({ database, seed: accounts('imported'), nowMs: () => laterMs });
  const list = await second.get('allAccountImportProcesses', { importSupplier: 'ACME' });
  const created = list.body.map(
    (item: { external_account_number: string; account_created_at: string | null }) => [
      item.external_account_number,
      item.account_created_at,
    ],
  );
  expect(created).toEqual([
    ['1001', START],
    ['1002', '2026-04-01T00:00:00Z'],
    ['1003', null],
  ]);
  expect((await second.ledger()).map(({ data }) => data['body'])).toEqual(['kept']);
});

test('a database that holds something is not given the built-in seed', async () => {
  const database = join(temporaryFolder(), 'serve.sqlite');
  await (await startPlatform({ database })).close();
  const again = await startPlatform({ database, seeds: [] });
  expect(again.apiKeys.map(({ key }) => key)).toEqual(['all-key', 'acme-key']);
  expect(again.counts).toMatchObject({ suppliers: 5, accounts: 9 });
});

test('without product codes in the seed every code exists', async () => {
  const seed = `version: 1\napi_keys: [{ key: all-key }]\n${SUPPLIER}\naccounts: [{ import_supplier: ACME, external_account_number: "1001", state: imported }]`;
  const platform = await startPlatform({ seed });
  const items = [{ start_date: '2026-01-01', end_date: '2026-01-31', number_of_units: 1, net_amount: 1 }];
  const transaction = {
    transaction_id: 't',
    transaction_date: '2026-01-01',
    amount: 1,
    type: 'SUPPLY_CHARGE',
    product_code: 'ANY',
    line_items: items,
  };
  expect(
    (await platform.post('createTransactions', { ...ACCOUNT, transactions: [transaction] })).status,
  ).toBe(201);
});
