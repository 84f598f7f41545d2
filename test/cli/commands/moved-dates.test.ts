import { describe, expect, test } from 'vitest';
import { runDocument } from '../../support/json-documents.ts';
import { migration, type Migration } from '../../support/migration.ts';

const SEED = `
version: 1
api_keys: [{key: local-key, suppliers: [ACME]}]
suppliers: [{code: ACME, name: Acme Energy, status: Ongoing}]
accounts:
  - {import_supplier: ACME, external_account_number: "1001", state: imported, open_statement: {from: 2026-01-01, to: 2026-12-31}}
  - {import_supplier: ACME, external_account_number: "1003", state: staged}
`;
const IMPORTED = SEED.replace('state: staged', 'state: imported');
const HEADER = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
const INSIDE = 'ACME,1001,t-1,2026-02-01,CREDIT,1.00';
const OUTSIDE = ['ACME,1001,t-2,2025-11-30,CREDIT,2.00', 'ACME,1001,t-3,2025-12-31,CREDIT,3.00'];
const REFUSED = 'ACME,1003,t-9,2026-02-02,CREDIT,1.00';

const MOVED =
  'transactions.csv:3:4 warning transaction_date_moved transaction_date is not the date on the platform, which ' +
  'moved the transaction into the open statement period (and 1 more row)\n';
const WARNING =
  `${MOVED}help: transaction_date_moved: ` +
  'Nothing to do when that is meant; `--no-force-add-to-current-statement` of a push has such transactions refused instead.\n';

/** What a command printed behind the line that names the platform. */
const named = <Printed extends { readonly stderr: string }>(printed: Printed): Printed => ({
  ...printed,
  stderr: printed.stderr.replace(/^platform: .*\n/, ''),
});

async function pushed(site: Migration, rows: readonly string[], ...flags: readonly string[]) {
  site.csv('transactions.csv', HEADER, ...rows);
  return named(await site.cli('push', 'transactions', 'transactions.csv', '-j', '1', ...flags));
}

describe('transactions outside the open statement period', () => {
  test('are sent, and reported once for the file with their number and the first cell', async () => {
    const site = await migration(SEED);
    const { exitCode, stderr, stdout } = await pushed(site, [INSIDE, ...OUTSIDE]);
    expect(exitCode).toBe(0);
    expect(stderr).toBe(WARNING);
    expect(stdout).toContain('3 rows read: 3 arrived\n');
  });

  test('are problems in the document, without the values of their cells', async () => {
    const site = await migration(SEED);
    const { exitCode, stdout } = await pushed(site, [INSIDE, ...OUTSIDE], '--json');
    expect(exitCode).toBe(0);
    const document = runDocument.parse(JSON.parse(stdout));
    const moved = { code: 'transaction_date_moved', severity: 'warning', header: 'transaction_date' };
    expect(document).toMatchObject({
      exit: { name: 'OK' },
      groups: [{ ...moved, count: 2, first_lines: [3, 4] }],
      problems: [
        { ...moved, file: 'transactions.csv', line: 3, column: 4, http_status: 201 },
        { ...moved, line: 4 },
      ],
      problems_total: 2,
    });
    expect(stdout).not.toContain('2025-1');
  });

  test('are reported again by `runs show`, by the same push, and by one that finds them moved', async () => {
    const site = await migration(SEED);
    const { stdout } = await pushed(site, [INSIDE, ...OUTSIDE], '--json');
    const { run } = runDocument.parse(JSON.parse(stdout));
    const shown = await site.cli('runs', 'show', run!);
    expect({ exitCode: shown.exitCode, stderr: shown.stderr }).toEqual({ exitCode: 0, stderr: WARNING });
    for (const [flags, rows] of [
      [[], '3 arrived, none of them now'],
      [['--again'], '3 arrived (3 there already)\n'],
    ] as const) {
      const again = await pushed(site, [INSIDE, ...OUTSIDE], ...flags);
      expect({ exitCode: again.exitCode, stderr: again.stderr }).toEqual({ exitCode: 0, stderr: WARNING });
      expect(again.stdout).toContain(rows);
    }
  });

  test('stay reported when the push stops later and is typed again', async () => {
    const site = await migration(SEED);
    const stopped = await pushed(site, [INSIDE, ...OUTSIDE, REFUSED]);
    expect(stopped.exitCode).toBe(4);
    expect(stopped.stderr).toContain(MOVED);
    await site.reseed(IMPORTED);
    const again = await pushed(site, [INSIDE, ...OUTSIDE, REFUSED]);
    expect({ exitCode: again.exitCode, stderr: again.stderr }).toEqual({ exitCode: 0, stderr: MOVED });
  });

  test('are not copied to the rejects', async () => {
    const site = await migration(SEED);
    const { stdout } = await pushed(site, [INSIDE, ...OUTSIDE], '--rejects', 'r.csv');
    expect(stdout).toContain('rejects: no row, so r.csv was not written\n');
  });

  test('are refused and not moved with --no-force-add-to-current-statement', async () => {
    const site = await migration(SEED);
    const { exitCode, stderr } = await pushed(
      site,
      [INSIDE, ...OUTSIDE],
      '--no-force-add-to-current-statement',
    );
    expect(exitCode).toBe(4);
    expect(stderr).not.toContain('transaction_date_moved');
  });
});

test('transactions inside the open statement period are not reported', async () => {
  const site = await migration(SEED);
  expect((await pushed(site, [INSIDE])).stderr).toBe('');
});
