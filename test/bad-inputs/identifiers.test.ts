import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  badInputSite,
  expectAnswer,
  expectAnswers,
  transactions,
  type BadInput,
} from '../support/bad-input.ts';

const ACCOUNT = 2;
const ID = 3;
const refusedId = (says: string, transaction_id: string, code: string): BadInput => ({
  says,
  file: transactions({ transaction_id }),
  errors: [[code, 2, ID]],
});

/** Accounts `10000001` to `10000040` and, without their zero, two shorter ones. */
const MIXED_LENGTHS = transactions(
  ...Array.from({ length: 40 }, (_, index) => ({
    external_account_number: String(10_000_001 + index),
  })),
  { external_account_number: '412345' },
);

const IDENTIFIERS: readonly BadInput[] = [
  {
    says: '[C065] an account number that is empty is refused',
    file: transactions({ external_account_number: '' }),
    errors: [['required', 2, ACCOUNT]],
  },
  {
    says: '[C065] an account number of spaces is refused',
    file: transactions({ external_account_number: '  ' }),
    errors: [['blank', 2, ACCOUNT]],
  },
  refusedId(
    '[C066] a number that a spreadsheet has shortened is refused',
    '1.23457E+12',
    'spreadsheet_damage',
  ),
  {
    says: '[C067] zeros in front of an account number are kept',
    file: transactions({ external_account_number: '00123' }),
    errors: [],
    landed: 1,
  },
  {
    says: '[C068] account numbers that may have lost a zero are a warning',
    file: MIXED_LENGTHS,
    flags: ['--dry-run'],
    errors: [],
    warnings: ['leading_zeros_lost'],
  },
  refusedId('[C069] a no-break space after an id is refused', 'T-1\u00a0', 'identifier_has_spaces'),
  refusedId('[C069] a zero-width space in an id is refused', 'T-\u200b1', 'identifier_has_spaces'),
  refusedId('[C069] a tab before an id is refused', '\tT-1', 'identifier_has_spaces'),
  ...['#N/A', '#REF!', 'NULL', 'N/A', '-'].map((id) =>
    refusedId(`[C070] ${id} is no id`, id, 'identifier_is_no_value'),
  ),
  refusedId('[C071] an id of 10,000 characters is refused', 'T'.repeat(10_000), 'max_length'),
  {
    says: '[C072] an id that looks like a formula is sent as it is',
    file: transactions(
      { transaction_id: '=1+1', external_account_number: '=1+1' },
      { transaction_id: '@x' },
      { transaction_id: '+1' },
    ),
    errors: [],
    landed: 3,
  },
  {
    says: '[C073] ids that differ only by case are a warning',
    file: transactions({ transaction_id: 'tx-a' }, { transaction_id: 'TX-A' }),
    errors: [],
    warnings: ['identifiers_may_collide'],
    landed: 2,
  },
  {
    says: '[C073] ids that differ only by how an accent is written are a warning',
    file: transactions({ transaction_id: 'caf\u00e9' }, { transaction_id: 'cafe\u0301' }),
    errors: [],
    warnings: ['identifiers_may_collide'],
    landed: 2,
  },
  {
    says: '[C074] a row that occurs twice in the file is refused, and both lines are named',
    file: transactions({ transaction_id: 'T-1' }, { transaction_id: 'T-1' }),
    errors: [
      ['duplicate_transaction_ids', 2, ID],
      ['duplicate_transaction_ids', 3, ID],
    ],
  },
  {
    says: '[C075] an id with two amounts is refused',
    file: transactions({ transaction_id: 'T-1' }, { transaction_id: 'T-1', amount: '11.00' }),
    errors: [
      ['duplicate_transaction_ids', 2, ID],
      ['duplicate_transaction_ids', 3, ID],
    ],
  },
  {
    says: '[C076] an id of two accounts is a warning',
    file: transactions({ transaction_id: 'T-1' }, { transaction_id: 'T-1', external_account_number: '1002' }),
    errors: [],
    warnings: ['identifier_on_several_accounts'],
    landed: 2,
  },
  {
    says: '[C081] the account ` A1` is refused, and `A1` is another account',
    file: transactions({ external_account_number: ' A1' }, { external_account_number: 'A1' }),
    errors: [['identifier_has_spaces', 2, ACCOUNT]],
  },
];

test('identifiers that a supplier may write', () => expectAnswers(IDENTIFIERS));

test('[C077] rows of an account keep their order, although other rows are between them', async () => {
  const site = await badInputSite();
  const rows = ['1001', '1002', '1001', '1002', '1001'].map((external_account_number) => ({
    external_account_number,
  }));
  const { exitCode } = await site.cli(
    'push',
    'transactions',
    site.csv('t.csv', transactions(...rows).trim()),
  );
  expect(exitCode).toBe(0);
  const ledger = await site.ledger();
  const idsOf = (account: string): readonly unknown[] =>
    ledger
      .filter(({ external_account_number }) => external_account_number === account)
      .map(({ data }) => data['transaction_id']);
  expect([idsOf('1001'), idsOf('1002')]).toEqual([
    ['T-1', 'T-3', 'T-5'],
    ['T-2', 'T-4'],
  ]);
});

test('[C080] account numbers such as __proto__ are plain text', async () => {
  const site = await badInputSite();
  const file = site.csv(
    't.csv',
    transactions({ external_account_number: '__proto__' }, { external_account_number: 'constructor' }).trim(),
  );
  expect((await site.cli('push', 'transactions', file)).exitCode).toBe(0);
  const accounts = (await site.ledger()).map(({ external_account_number }) => external_account_number);
  expect(accounts.toSorted()).toEqual(['__proto__', 'constructor']);
});

test('[C082] rows of two suppliers in one file are sent to both, each in requests of its own', async () => {
  const site = await badInputSite();
  const file = site.csv('t.csv', transactions({}, { import_supplier: 'OTHER' }).trim());
  expect((await site.cli('push', 'transactions', file)).exitCode).toBe(0);
  const landed = (await site.ledger()).map(({ import_supplier }) => import_supplier);
  expect(landed.toSorted()).toEqual(['ACME', 'OTHER']);
});

test('[C082] a row of another supplier than --supplier names is refused', async () => {
  await expectAnswer({
    says: '',
    file: transactions({}, { import_supplier: 'OTHER' }),
    flags: ['--supplier', 'ACME'],
    errors: [['mixed_suppliers', 3, 1]],
  });
});

test('[C072] a formula is made harmless in the report of rejects, and nowhere else', async () => {
  const site = await badInputSite();
  const file = site.csv('t.csv', transactions({ transaction_id: '=1+1', amount: 'x' }).trim());
  const rejects = join(site.cwd, 'rejects.csv');
  expect((await site.cli('check', 'transactions', file, '--rejects', rejects)).exitCode).toBe(3);
  expect(readFileSync(rejects, 'utf8')).toContain(',=1+1,');
});
