import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperatorContract } from '../../../src/core/operator/contract.ts';
import type { ExtraRule } from '../../../src/server/options/behaviour.ts';
import {
  ACCOUNT,
  charge,
  problemsOf,
  startPlatform,
  statement,
  supplyCharge,
} from '../../support/server-platform.ts';
import { imported } from '../../support/operator-document.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { expectImportError, statusesOf, transactions } from '../../support/server-transactions.ts';

const withRule = (rule: ExtraRule, lenient = false) =>
  startPlatform({ behaviour: [`rule=${rule}`, ...(lenient ? ['lenient'] : [])] });
const NOBODY = { ...ACCOUNT, external_account_number: '9999' };

test('import_process_does_not_exist: a never staged account has another code than an account that is not imported', async () => {
  const notes = [{ body: 'x' }];
  const platform = await withRule('import_process_does_not_exist');
  const unknown = await platform.post('createNotes', { ...NOBODY, notes });
  expect(unknown.status).toBe(400);
  expect(problemsOf(unknown)).toEqual([['import_process_does_not_exist', 'external_account_number']]);
  const staged = await platform.post('createNotes', { ...ACCOUNT, external_account_number: '1002', notes });
  expect([staged.status, staged.body.code]).toEqual([404, 'account_not_found']);

  const without = await (await startPlatform()).post('createNotes', { ...NOBODY, notes });
  expect([without.status, without.body.code]).toEqual([404, 'account_not_found']);
});

test('missing_transaction_id: a missing id is a problem of the request instead of a problem of one transaction', async () => {
  const { transaction_id: _, ...nameless } = charge();
  const platform = await withRule('missing_transaction_id');
  const answer = await platform.post('createTransactions', transactions(charge(), nameless));
  expect(problemsOf(answer)).toEqual([['missing_transaction_id', 'transactions.1.transaction_id']]);

  const without = await (await startPlatform()).post('createTransactions', transactions(charge(), nameless));
  expectImportError(
    without,
    'transaction_id: is required',
    expect.not.objectContaining({ transaction_id: expect.anything() }),
  );
});

const period = (start_date: string, end_date: string, fields: object = {}) =>
  supplyCharge({
    transaction_id: start_date,
    line_items: [{ start_date, end_date, number_of_units: 4, net_amount: 44, ...fields }],
  });

test.each([
  { what: 'ends within it', item: period('2025-12-15', '2026-01-02'), overlaps: true },
  { what: 'begins within it', item: period('2026-01-30', '2026-02-20'), overlaps: true },
  { what: 'lies within it', item: period('2026-01-10', '2026-01-20'), overlaps: true },
  { what: 'is around it', item: period('2025-01-01', '2026-12-31'), overlaps: true },
  { what: 'ends on its first day', item: period('2025-12-01', '2026-01-01'), overlaps: false },
  { what: 'begins on its last day', item: period('2026-01-31', '2026-02-28'), overlaps: false },
  {
    what: 'charges another rate band',
    item: period('2026-01-10', '2026-01-20', { rate_band: 'NIGHT' }),
    overlaps: false,
  },
  {
    what: 'charges another product',
    item: { ...period('2026-01-10', '2026-01-20'), product_code: 'GAS' },
    overlaps: false,
  },
])(
  'line_items_overlap_already_charged_period: a charge that $what: $overlaps',
  async ({ item, overlaps }) => {
    const seed = `{version: 1, api_keys: [{key: all-key}], suppliers: [{code: ACME, name: A, status: Ongoing}],
    accounts: [{import_supplier: ACME, external_account_number: '1001', state: imported}]}`;
    const behaviour = ['rule=line_items_overlap_already_charged_period'];
    const platform = await startPlatform({ seed, behaviour });
    const charged = period('2026-01-01', '2026-01-31');
    const answer = await platform.post('createTransactions', transactions(charged, item));
    if (overlaps) {
      expectImportError(
        answer,
        'line_items.0.start_date: the period of a line item was charged already',
        expect.anything(),
      );
    } else expect(answer.status).toBe(201);

    const without = await startPlatform({ seed });
    expect(statusesOf(await without.post('createTransactions', transactions(charged, item)))).toHaveLength(2);
  },
);

describe('line_items_overlap_already_charged_period compares the supply point that a record names', () => {
  const METER = { charge_target_type: 'REGISTER', register_serial_number: 'M1' };
  test.each([
    {
      what: 'another one beside the line items',
      first: { point: 'P1' },
      second: { point: 'P2' },
      overlaps: false,
    },
    {
      what: 'the same one, for another product',
      first: { point: 'P1' },
      second: { point: 'P1', product_code: 'GAS' },
      overlaps: true,
    },
    {
      what: 'another register in the params',
      first: { params: METER },
      second: { params: { ...METER, register_serial_number: 'M2' } },
      overlaps: false,
    },
    {
      what: 'the same register, named in another order',
      first: { params: METER },
      second: { params: { register_serial_number: 'M1', charge_target_type: 'REGISTER' } },
      overlaps: true,
    },
    {
      what: 'another rate specification',
      first: { point: 'P1', rate: 'R1' },
      second: { point: 'P1', rate: 'R2' },
      overlaps: false,
    },
  ])('$what', async ({ first, second, overlaps }) => {
    const items = {
      type: 'array',
      items: {
        properties: {
          start_date: { type: 'string', format: 'date' },
          end_date: { type: 'string', format: 'date' },
          number_of_units: {},
          net_amount: {},
          rate_specification_code: { type: 'string' },
          params: { type: 'object' },
        },
      },
    };
    const { contract } = imported({
      transaction: { supply_point_identifier: { type: 'string' }, line_items: items },
    });
    const code = 'line_items_overlap_already_charged_period';
    const named = { ...contract, rules: [{ code, title: '', from: '' }] };
    const charge = (
      id: string,
      { point, params, rate, ...own }: { point?: string; params?: object; rate?: string },
    ) => ({
      ...period('2026-01-01', '2026-01-31', {
        ...(params && { params }),
        ...(rate && { rate_specification_code: rate }),
      }),
      ...(point && { supply_point_identifier: point }),
      ...own,
      transaction_id: id,
    });
    const post = async (of: OperatorContract) => {
      const contractFile = join(temporaryFolder(), 'contract.json');
      writeFileSync(contractFile, JSON.stringify(of));
      const seed = `{version: 1, api_keys: [{key: all-key}], suppliers: [{code: ACME, name: A, status: Ongoing}],
    accounts: [{import_supplier: ACME, external_account_number: '1001', state: imported}]}`;
      const platform = await startPlatform({ seed, contract: contractFile });
      return platform.post('createTransactions', transactions(charge('T1', first), charge('T2', second)));
    };
    if (overlaps)
      expectImportError(
        await post(named),
        'the period of a line item was charged already',
        expect.anything(),
      );
    else expect((await post(named)).status).toBe(201);
    const off = { ...contract, rules: [{ code, title: '', from: '', off: true as const }] };
    expect((await post(off)).status).toBe(201);
  });
});

test.each([
  { names: {}, lenient: false, right: false },
  { names: { rate_band: 'CONSUMPTION_STANDARD' }, lenient: false, right: true },
  { names: { rate_specification_code: 'r' }, lenient: true, right: true },
  // deployments.md names it as a field, and not as a way to name the rate.
  { names: { external_rate_identifier: 'e' }, lenient: true, right: false },
  {
    names: { rate_band: 'CONSUMPTION_STANDARD', external_rate_identifier: 'e' },
    lenient: true,
    right: true,
  },
  {
    names: { rate_band: 'CONSUMPTION_STANDARD', time_series_specification_code: 't' },
    lenient: true,
    right: false,
  },
  {
    names: { rate_specification_code: 'r', time_series_specification_code: 't' },
    lenient: true,
    right: false,
  },
])(
  'conflicting_rate_band_specification: a line item with $names: $right',
  async ({ names, lenient, right }) => {
    const item = transactions(period('2026-01-01', '2026-01-31', names));
    const platform = await withRule('conflicting_rate_band_specification', lenient);
    const answer = await platform.post('createTransactions', item);
    if (right) expect(answer.status).toBe(201);
    else expectImportError(answer, 'not exactly one way to name the rate is used', expect.anything());

    const without = await startPlatform({ behaviour: lenient ? ['lenient'] : [] });
    expect((await without.post('createTransactions', item)).status).toBe(201);
  },
);

const instruction = (references: object) => ({ ...ACCOUNT, vendor: 'STRIPE', type: 'CARD', ...references });
const OWN = { reference: 'pi_1' };
const OTHER = { instruction_reference: 'mandate-1' };

test.each([
  ['neither reference', {}, 'mutually_exclusive_field_required', 'required'],
  ['both references', { ...OWN, ...OTHER }, 'mutually_exclusive_field_required', 'unexpected_field'],
  ['the other reference alone', OTHER, 'required', 'required'],
])('mutually_exclusive_field_required: an instruction with %s', async (_, references, withIt, without) => {
  const codes = async (platform: Awaited<ReturnType<typeof startPlatform>>) => {
    const answer = await platform.post('createPaymentInstruction', instruction(references));
    expect(answer.status).toBe(400);
    return problemsOf(answer).map(([code]) => code);
  };
  expect((await codes(await withRule('mutually_exclusive_field_required')))[0]).toBe(withIt);
  expect(await codes(await startPlatform())).toContain(without);
});

test('path_does_not_exist_in_file_store: with a list of documents other paths are refused, each at its own path', async () => {
  const seed = (documents: string) => `version: 1
api_keys: [{ key: all-key }]
suppliers: [{ code: ACME, name: Acme, status: Ongoing${documents} }]
accounts: [{ import_supplier: ACME, external_account_number: '1001', state: imported }]
`;
  const document_paths = [{ document_path: 'there.pdf' }, { document_path: 'gone.pdf' }];
  const notes = { ...ACCOUNT, notes: [{ body: 'x' }, { document_paths }] };
  const statements = {
    ...ACCOUNT,
    statements: [
      statement({ statement_path: 'there.pdf' }),
      statement({ statement_id: '2', statement_path: 'There.pdf' }),
    ],
  };
  const platform = await startPlatform({ seed: seed(', documents: [there.pdf]') });
  expect(problemsOf(await platform.post('createNotes', notes))).toEqual([
    ['path_does_not_exist_in_file_store', 'notes.1.document_paths.1.document_path'],
  ]);
  expect(problemsOf(await platform.post('createStatements', statements))).toEqual([
    ['path_does_not_exist_in_file_store', 'statements.1.statement_path'],
  ]);
  expect(await platform.ledger()).toEqual([]);

  const without = await startPlatform({ seed: seed('') });
  expect((await without.post('createNotes', notes)).status).toBe(201);
  expect((await without.post('createStatements', statements)).status).toBe(201);
});
