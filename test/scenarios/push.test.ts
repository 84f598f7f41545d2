import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { nextOf, typed } from '../support/next-command.ts';

const SEED = `
version: 1
api_keys: [{key: local-key, suppliers: [ACME]}]
suppliers: [{code: ACME, name: Acme Energy, status: Ongoing}]
accounts:
  - {import_supplier: ACME, external_account_number: "1001", state: imported, open_statement: {from: 2026-01-01, to: 2026-12-31}}
  - {import_supplier: ACME, external_account_number: "1002", state: imported}
  - {import_supplier: ACME, external_account_number: "1003", state: staged}
vendors: [{code: STRIPE, instructions: [{reference: pi_1, type: CARD}, {reference: pi_2, type: CARD, fails: intermittent, times: 2}]}]
`;

const HEADER = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
const CREDITS = [
  'ACME,1001,t-1,2026-02-01,CREDIT,10.10',
  'ACME,1002,t-2,2026-02-02,CREDIT,0.05',
  'ACME,1001,t-3,2026-02-03,CREDIT,7.00',
];

describe('a push of valid rows', () => {
  test('lands every row in the order of the file and shows counts and sums', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, ...CREDITS);
    const { exitCode, stdout } = await site.cli('push', 'transactions', file);
    expect({ exitCode, stdout: timeless(stdout) }).toEqual({
      exitCode: 0,
      stdout: [
        'transactions: 3 rows read: 3 arrived',
        '  type    count   read  accepted',
        '  CREDIT      3  17.15     17.15',
        '2 requests, 2 of 2 accounts done, 0 ms',
        '',
      ].join('\n'),
    });
    const ledger = await site.ledger();
    expect(
      ledger.filter((line) => line.external_account_number === '1001').map(({ data }) => data),
    ).toMatchObject([
      { transaction_id: 't-1', amount: '10.10' },
      { transaction_id: 't-3', amount: '7.00' },
    ]);
  });

  test('takes several files as one run, and the supplier from the flag', async () => {
    const site = await migration(SEED);
    const columns = HEADER.replace('import_supplier,', '');
    const first = site.csv('a.csv', columns, CREDITS[0]!.slice('ACME,'.length));
    const second = site.csv('b.csv', columns, CREDITS[2]!.slice('ACME,'.length));
    const { exitCode, json } = await site.cli(
      'push',
      'transactions',
      first,
      second,
      '--supplier',
      'ACME',
      '--json',
    );
    expect(exitCode).toBe(0);
    expect(runDocument.parse(json())).toMatchObject({
      rows: { read: 2, created: 2 },
      requests: { total: 1 },
      accounts: { total: 1 },
    });
  });
});

describe('invalid rows', () => {
  test('a bad cell in the last row stops everything before the first request', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, ...CREDITS, 'ACME,1001,t-4,2026-02-04,CREDIT,"1,5"');
    const { exitCode, stdout, stderr } = await site.cli('push', 'transactions', file);
    expect(exitCode).toBe(3);
    expect(stderr).toBe(
      `platform: ${site.url}, set by DATAIMPORT_BASE_URL\n` +
        `${file}:5:6 error invalid amount is not a plain decimal such as -1234.50\n` +
        'help: invalid: Correct the cell in the source file.\n',
    );
    expect(stdout).toContain('4 rows read: 3 waiting, 1 invalid');
    expect(nextOf(stdout)).toBe(
      `correct the invalid rows in their file, then: dataimport push transactions ${file}`,
    );
    expect(await site.ledger()).toEqual([]);
    expect(runIds(site)).toEqual([]);
    site.csv('t.csv', HEADER, ...CREDITS, 'ACME,1001,t-4,2026-02-04,CREDIT,1.50');
    expect((await site.cli(...typed(nextOf(stdout)))).stdout).toContain('4 rows read: 4 arrived');
  });
});

describe('rows that only the platform can refuse', () => {
  test('a date outside the open statement period is refused at its line when moving it is switched off', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, ...CREDITS, 'ACME,1001,t-4,2025-12-31,CREDIT,1.00');
    const { exitCode, json } = await site.cli(
      'push',
      'transactions',
      file,
      '--no-force-add-to-current-statement',
      '--json',
    );
    expect(exitCode).toBe(4);
    const document = runDocument.parse(json());
    expect(document.problems).toMatchObject([
      {
        code: 'transaction_import_error',
        line: 5,
        column: 4,
        header: 'transaction_date',
        attr: 'transactions.2.transaction_date',
      },
    ]);
    expect(document.problems[0]!.detail).toContain('2026-01-01 to 2026-12-31');
    // The first request is alone, so nothing of another account is sent beside it.
    expect(document.rows).toMatchObject({ created: 0, rejected: 1, unknown: 2 });
    expect(await site.ledger()).toHaveLength(0);
  });

  test('the platform may quote a value; it is shown only with --show-values', async () => {
    const site = await migration(SEED);
    const header = 'import_supplier,external_account_number,vendor,reference,type';
    const file = site.csv('p.csv', header, 'ACME,1001,STRIPE,pi_unknown,CARD');
    const { exitCode, stderr } = await site.cli('push', 'payment-instructions', file);
    // Nothing is left to resume, because a refused instruction is not sent again (interface.md 4.5).
    expect(exitCode).toBe(6);
    expect(stderr).toContain(`${file}:2:4 error`);
    expect(stderr).not.toContain('pi_unknown');
  });
});

describe('runs', () => {
  test('a command is resumed on the platform that it went to and on no other', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, 'ACME,1003,t-9,2026-02-02,CREDIT,1.00');
    await site.cli('push', 'transactions', file);
    const { exitCode, stderr } = await site.cli('resume', '--base-url', 'https://elsewhere.example');
    expect(exitCode).toBe(8);
    expect(stderr).toContain('run_other_target');
  });

  test('a key that is withdrawn while rows are sent ends with its own exit code, and the run resumes', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, ...CREDITS);
    await site.faults('transactions accept expire-tokens nth=2', 'token accept status=401 nth=2');
    const refused = await site.cli('push', 'transactions', file, '-j', '1', '--batch-size', '1');
    expect(refused.exitCode).toBe(7);
    expect(refused.stdout).toContain('1 arrived, 2 waiting');
    await site.faults();
    expect((await site.cli('resume')).stdout).toContain('3 rows read: 3 arrived');
  });
});

function runsOf(site: Migration): string {
  return join(site.cwd, '.dataimport', 'journal');
}

function runIds(site: Migration): readonly string[] {
  return readdirSync(runsOf(site)).filter((name) => /^\d{8}-.*\.sqlite$/.test(name));
}

/** Only waits let time pass in these tests. */
function timeless(text: string): string {
  return text.replace(/\d+ ms\n/, '0 ms\n').replace(/[\da-f]{64}/, 'HASH');
}
