import { describe, expect, test } from 'vitest';
import type { EndpointName } from '../../../src/core/contract/endpoints.ts';
import { expectHarmless } from '../../support/server-harm.ts';
import { TEST_SEED } from '../../support/server-seed.ts';
import {
  ACCOUNT,
  charge,
  problemsOf,
  startPlatform,
  statement,
  type TestPlatform,
} from '../../support/server-platform.ts';

type Fields = Readonly<Record<string, unknown>>;

const INSTRUCTION = { ...ACCOUNT, vendor: 'STRIPE', reference: 'pi_1', type: 'CARD' };

/** A good body for each endpoint. */
const BODIES: readonly (readonly [EndpointName, Fields])[] = [
  ['createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] }],
  ['createTransactions', { ...ACCOUNT, transactions: [charge()] }],
  ['createStatements', { ...ACCOUNT, statements: [statement()] }],
  ['createPaymentInstruction', INSTRUCTION],
];

async function notes(platform: TestPlatform, ...items: readonly Fields[]): Promise<readonly string[]> {
  const answer = await platform.post('createNotes', { ...ACCOUNT, notes: items });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.map(({ status }: { status: string }) => status);
}

const CREATED = 'NOTE_CREATION_SUCCESS';
const EXISTS = 'NOTE_ALREADY_EXISTS';

describe('the account', () => {
  test('[S01] [S02] exactly one field names the account', async () => {
    const platform = await startPlatform();
    for (const [endpoint, body] of BODIES) {
      const none = await platform.post(endpoint, { ...body, external_account_number: undefined });
      expect(problemsOf(none), endpoint).toEqual([['required', 'external_account_number']]);
      const both = await platform.post(endpoint, { ...body, platform_account_number: 'A-00000000' });
      expect(problemsOf(both), endpoint).toEqual([['unexpected_field', 'platform_account_number']]);
      expect([none.status, both.status], endpoint).toEqual([400, 400]);
    }
    await expectHarmless(platform);
  });

  test('[S03] createNotes: an unknown supplier is an account that is not found', async () => {
    const platform = await startPlatform();
    const body = { ...ACCOUNT, import_supplier: 'NOBODY', notes: [{ body: 'x' }] };
    const answer = await platform.post('createNotes', body);
    expect([answer.status, answer.body.code]).toEqual([404, 'account_not_found']);
    await expectHarmless(platform);
  });

  test('[S03] all others: an unknown supplier is an invalid choice', async () => {
    const platform = await startPlatform();
    for (const [endpoint, body] of BODIES.slice(1)) {
      const answer = await platform.post(endpoint, { ...body, import_supplier: 'NOBODY' });
      const found = [answer.status, problemsOf(answer)];
      expect(found, endpoint).toEqual([400, [['invalid_choice', 'import_supplier']]]);
    }
    await expectHarmless(platform);
  });

  const missing = { createPaymentInstruction: 400 } as Readonly<Record<string, number>>;
  test.each(BODIES)('%s does not find an account of another number or state', async (endpoint, body) => {
    const platform = await startPlatform();
    for (const [says, external_account_number] of [
      ['[S04] unknown', '9999'],
      ['[S05] only staged', '1002'],
      ['[S05] still in progress', '1003'],
      ['[S05] failed', '1004'],
      ["[S54] ' OR 1=1 --", "' OR 1=1 --"],
      ['[S54] %', '%'],
      ['[S54] _', '____'],
      ['[S54] DROP TABLE', '"; DROP TABLE records; --'],
      ['[S55] __proto__', '__proto__'],
      ['[S55] constructor', 'constructor'],
      ['[S55] toString', 'toString'],
      ['[S56] with a trailing space', '1001 '],
      ['[S56] in full-width digits', '\uff11\uff10\uff10\uff11'],
    ]) {
      const { status, text } = await platform.post(endpoint, { ...body, external_account_number });
      expect([status, text.includes('account_not_found')], says).toEqual([missing[endpoint] ?? 404, true]);
    }
    await expectHarmless(platform);
  });

  test('[S54] [S55] [S56] accounts with such numbers are told apart and found', async () => {
    const numbers = [
      "' OR 1=1 --",
      '%',
      '__proto__',
      'constructor',
      'Ab',
      'aB',
      'caf\u00e9',
      'cafe\u0301',
      'x',
      'x ',
    ];
    const accounts = numbers.map(
      (number) =>
        `  - { import_supplier: ACME, external_account_number: ${JSON.stringify(number)}, state: imported }\n`,
    );
    const platform = await startPlatform({
      seed: TEST_SEED.replace('accounts:\n', `accounts:\n${accounts.join('')}`),
    });
    for (const external_account_number of numbers) {
      const body = { ...ACCOUNT, external_account_number, notes: [{ body: external_account_number }] };
      expect((await platform.post('createNotes', body)).status, external_account_number).toBe(201);
    }
    const stored = (await platform.ledger()).map(({ external_account_number, data }) => [
      external_account_number,
      data['body'],
    ]);
    expect(stored).toEqual(numbers.map((number) => [number, number]));
  });

  test('[S06] a paused or complete supplier accepts nothing', async () => {
    const platform = await startPlatform();
    const closed = [
      { import_supplier: 'PAUSED', external_account_number: '3001' },
      { import_supplier: 'DONE', external_account_number: '4001' },
    ];
    for (const [endpoint, body] of BODIES)
      for (const account of closed) {
        const answer = await platform.post(endpoint, { ...body, ...account });
        expect([answer.status, problemsOf(answer)], endpoint).toEqual([
          400,
          [['import_supplier_migration_not_ongoing', 'import_supplier']],
        ]);
      }
    await expectHarmless(platform);
  });

  test('[S58] a key of one supplier cannot use an account of another', async () => {
    const platform = await startPlatform();
    for (const [endpoint, body] of BODIES) {
      const foreign = { ...body, import_supplier: 'BETA', external_account_number: '2001' };
      const answer = await platform.post(endpoint, foreign, { apiKey: 'acme-key' });
      expect([answer.status, answer.body.code], endpoint).toEqual([403, 'permission_denied']);
    }
    await expectHarmless(platform);
  });

  test('[S58] and cannot read its status and its lists', async () => {
    const platform = await startPlatform();
    const segments = { importSupplier: 'BETA', externalAccountNumber: '2001' };
    for (const endpoint of [
      'accountTransferStatus',
      'allAccountImportProcesses',
      'pendingAccountImportProcesses',
      'importedAccountImportProcesses',
    ] as const) {
      expect((await platform.get(endpoint, segments, { apiKey: 'acme-key' })).status).toBe(403);
      expect((await platform.get(endpoint, segments, { apiKey: 'all-key' })).status).toBe(200);
    }
  });
});

describe('notes', () => {
  const refused: readonly (readonly [string, Fields, string])[] = [
    ['[S35] without body and documents', {}, 'note_body_or_document_path_not_found'],
    ['[S35] with an empty list of documents', { document_paths: [] }, 'note_body_or_document_path_not_found'],
    ['[S36] with an empty body', { body: '' }, 'note_body_or_document_path_not_found'],
    ['[S36] with a body of spaces', { body: ' ' }, 'blank'],
    [
      '[S42] that is unpinned before it is created',
      { body: 'x', created_at: '2026-01-02T00:00:00Z', is_pinned: true, unpin_at: '2026-01-01T00:00:00Z' },
      'note_unpin_at_earlier_than_creation_date',
    ],
    ...[
      '2026-01-01T10:00:00',
      '2026-03-29T01:30:00',
      '2026-10-25T01:30:00',
      '2026-01-01 10:00:00Z',
      '2026-01-01',
    ].map((created_at): [string, Fields, string] => [
      `[S41] of ${created_at}, which has no zone`,
      { body: 'x', created_at },
      'invalid',
    ]),
    ...[
      '2026-01-01T24:00:00Z',
      '2026-01-01T23:59:60Z',
      '10000-01-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-01-01T00:60:00Z',
    ].map((created_at): [string, Fields, string] => [
      `[S43] of ${created_at}`,
      { body: 'x', created_at },
      'invalid',
    ]),
  ];
  test('that break a rule are refused', async () => {
    const platform = await startPlatform();
    for (const [says, note, code] of refused) {
      const answer = await platform.post('createNotes', { ...ACCOUNT, notes: [note] });
      expect([answer.status, problemsOf(answer).map(([found]) => found)], says).toEqual([400, [code]]);
    }
    await expectHarmless(platform);
  });

  test('[S43] nine digits of a second are kept, and nine zeros are the same instant as none', async () => {
    const dated = (created_at: string) => ({ body: 'x', created_at });
    const [whole, zeros, fine] = ['', '.000000000', '.000000001'].map((part) =>
      dated(`2026-01-01T10:00:00${part}Z`),
    );
    expect(await notes(await startPlatform(), whole!, zeros!, fine!, fine!)).toEqual([
      CREATED,
      EXISTS,
      CREATED,
      EXISTS,
    ]);
  });

  test('[S36] a body of 1 MB is stored, a body of 10 MB is too large', async () => {
    const platform = await startPlatform();
    const tooLarge = await platform.post('createNotes', {
      ...ACCOUNT,
      notes: [{ body: 'x'.repeat(10_000_000) }],
    });
    expect(tooLarge.status).toBe(413);
    await expectHarmless(platform);
    expect(await notes(platform, { body: 'y'.repeat(1_000_000) })).toEqual([CREATED]);
    expect((await platform.ledger())[0]?.data['body']).toHaveLength(1_000_000);
  });

  test('[S37] the same body twice in one request is stored once', async () => {
    expect(await notes(await startPlatform(), { body: 'x' }, { body: 'x' })).toEqual([CREATED, EXISTS]);
  });

  test('[S38] a body without and then with a date is two notes, with and then without a date one note', async () => {
    const dated = { body: 'x', created_at: '2026-01-01T00:00:00Z' };
    expect(await notes(await startPlatform(), { body: 'x' }, dated)).toEqual([CREATED, CREATED]);
    expect(await notes(await startPlatform(), dated, { body: 'x' })).toEqual([CREATED, EXISTS]);
  });

  test('[S39] one instant in two zones is one instant', async () => {
    const platform = await startPlatform();
    const made = await notes(
      platform,
      { body: 'x', created_at: '2026-01-01T12:00:00Z' },
      { body: 'x', created_at: '2026-01-01T13:00:00+01:00' },
    );
    expect(made).toEqual([CREATED, EXISTS]);
  });

  test('[S40] bodies that differ in the form of an accent, the line end or a trailing space are different', async () => {
    const platform = await startPlatform();
    const bodies = ['caf\u00e9', 'cafe\u0301', 'a\nb', 'a\r\nb', 'a', 'a '];
    expect(await notes(platform, ...bodies.map((body) => ({ body })))).toEqual(bodies.map(() => CREATED));
    expect((await platform.ledger()).map(({ data }) => data['body'])).toEqual(bodies);
  });
});

describe('statements', () => {
  const refused: readonly (readonly [string, Fields, string])[] = [
    ['[S46] from after to', { bill_period_from_date: '2026-02-01' }, 'bill_period_from_later_than_to'],
    ['[S46] without a start', { bill_period_from_date: undefined }, 'required'],
    ['[S46] without an end', { bill_period_to_date: undefined }, 'required'],
    ['[S47] with an amount as text', { gross_amount: '10.00' }, 'invalid'],
    ['[S47] with half a penny', { gross_amount: 10.5 }, 'invalid'],
    ['[S48] with an unlisted field of a document', { pdf_context: {} }, 'unexpected_field'],
  ];
  test('that break a rule are refused', async () => {
    const platform = await startPlatform();
    for (const [says, fields, code] of refused) {
      const answer = await platform.post('createStatements', { ...ACCOUNT, statements: [statement(fields)] });
      expect([answer.status, problemsOf(answer).map(([found]) => found)], says).toEqual([400, [code]]);
    }
    await expectHarmless(platform);
  });

  test('[S47] an amount that a float cannot keep is refused', async () => {
    const platform = await startPlatform();
    const body = JSON.stringify({ ...ACCOUNT, statements: [statement({ gross_amount: 0 })] });
    const answer = await platform.post(
      'createStatements',
      body.replace('"gross_amount":0', '"gross_amount":9007199254740993'),
    );
    expect([answer.status, problemsOf(answer)[0]?.[1]]).toEqual([400, 'statements.0.gross_amount']);
    await expectHarmless(platform);
  });

  test('[S47] an amount of -1, 0 or null is accepted', async () => {
    const platform = await startPlatform();
    for (const gross_amount of [-1, 0, null]) {
      const statements = [statement({ gross_amount, statement_id: `st ${gross_amount}` })];
      const { status } = await platform.post('createStatements', { ...ACCOUNT, statements });
      expect(status, String(gross_amount)).toBe(201);
    }
  });

  test('[S44] with an existing id are refused, and nothing of the request is stored', async () => {
    const platform = await startPlatform();
    await platform.post('createStatements', { ...ACCOUNT, statements: [statement()] });
    const again = [statement({ statement_id: 'st-2' }), statement()];
    const answer = await platform.post('createStatements', { ...ACCOUNT, statements: again });
    expect([answer.status, problemsOf(answer)]).toEqual([
      400,
      [['historical_statement_already_exists', 'statements.1.statement_id']],
    ]);
    expect(await platform.ledger()).toHaveLength(1);
  });

  test('[S45] with an id twice in a request are refused', async () => {
    const platform = await startPlatform();
    const answer = await platform.post('createStatements', {
      ...ACCOUNT,
      statements: [statement(), statement()],
    });
    expect([answer.status, problemsOf(answer)[0]?.[0]]).toEqual([400, 'duplicate_statement_ids']);
    await expectHarmless(platform);
  });

  test('[S48] without a document are accepted', async () => {
    const platform = await startPlatform();
    expect(
      (
        await platform.post('createStatements', {
          ...ACCOUNT,
          statements: [statement({ statement_path: undefined })],
        })
      ).status,
    ).toBe(201);
  });

  test('[S49] a document path that leaves the root is refused and never opened', async () => {
    const platform = await startPlatform();
    for (const [statement_path, code] of [
      ['../../etc/passwd', 'document_path_leaves_root'],
      ['file:///etc/passwd', 'document_path_not_relative'],
      ['http://169.254.169.254/latest/', 'document_path_not_relative'],
      [String.raw`\\host\share\x.pdf`, 'document_path_not_relative'],
    ]) {
      const statements = [statement({ statement_path })];
      const answer = await platform.post('createStatements', { ...ACCOUNT, statements });
      expect([answer.status, problemsOf(answer)]).toEqual([400, [[code, 'statements.0.statement_path']]]);
      expect(answer.text).not.toContain('root:');
    }
    expect(await platform.ledger()).toEqual([]);
  });
});

describe('payment instructions', () => {
  const refused: readonly (readonly [string, Fields, readonly (readonly [string, string])[]])[] = [
    [
      '[S52] with two references',
      { instruction_reference: 'pi_1' },
      [['unexpected_field', 'instruction_reference']],
    ],
    ['[S52] without a reference', { reference: undefined }, [['required', 'reference']]],
    [
      '[S53] with a reference of 513 characters',
      { reference: 'x'.repeat(513) },
      [['max_length', 'reference']],
    ],
    ['[S53] of an unknown vendor', { vendor: 'NOBODY' }, [['invalid_choice', 'vendor']]],
  ];
  test('that break a rule are refused', async () => {
    const platform = await startPlatform();
    for (const [says, fields, problems] of refused) {
      const answer = await platform.post('createPaymentInstruction', { ...INSTRUCTION, ...fields });
      expect([answer.status, problemsOf(answer)], says).toEqual([400, problems]);
    }
    await expectHarmless(platform);
  });

  test('[S53] of another type than that of the vendor are refused', async () => {
    const platform = await startPlatform();
    const answer = await platform.post('createPaymentInstruction', { ...INSTRUCTION, type: 'PIGEON' });
    expect([answer.status, answer.body.error_detail]).toEqual([400, expect.any(String)]);
    await expectHarmless(platform);
  });

  test('[S50] a second one is refused with its account and reference', async () => {
    const platform = await startPlatform();
    expect((await platform.post('createPaymentInstruction', INSTRUCTION)).status).toBe(201);
    const second = await platform.post('createPaymentInstruction', { ...INSTRUCTION, reference: 'pi_2' });
    expect(second.status).toBe(400);
    expect(second.body).toEqual({
      error_detail: expect.stringContaining('active'),
      ...ACCOUNT,
      reference: 'pi_2',
    });
    expect(await platform.ledger()).toHaveLength(1);
  });

  test('[S51] of two at the same time exactly one is created, fifty times', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => `R-${index}`);
    const accounts = numbers.map(
      (number) => `  - { import_supplier: ACME, external_account_number: ${number}, state: imported }\n`,
    );
    const platform = await startPlatform({
      seed: TEST_SEED.replace('accounts:\n', `accounts:\n${accounts.join('')}`),
    });
    const headers = { authorization: `Token ${await platform.token()}` };
    for (const external_account_number of numbers) {
      const body = JSON.stringify({ ...INSTRUCTION, external_account_number });
      const send = () =>
        platform.request('POST', '/v1/data-import/payment-instruction/create/', { body, headers });
      const statuses = (await Promise.all([send(), send()])).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 400]);
    }
    expect(await platform.ledger()).toHaveLength(numbers.length);
  });
});
