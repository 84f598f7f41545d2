import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { journalOf } from '../support/journals.ts';
import { runDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { IMPORTED } from '../support/refused-account.ts';

const HEADER =
  'import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date,gross_amount';
const ROWS = ['ACME,1001,s-1,2025-01-01,2025-03-31,100', 'ACME,1003,s-3,2025-01-01,2025-03-31,300'] as const;

/** A statement whose answer was lost, so that nothing proves which request stored it. */
async function inDoubt() {
  const site = await migration(IMPORTED);
  await site.faults('statements after-commit reset nth=1');
  site.csv('s.csv', HEADER, ...ROWS);
  const pushed = await site.cliIn(
    { chance: 0.5, maxWaits: 1 },
    'push',
    'statements',
    's.csv',
    '--json',
    '-j',
    '1',
  );
  await site.faults();
  const { run, rows } = runDocument.parse(pushed.json());
  expect(rows).toMatchObject({ created: 1, verify: 1 });
  return { site, run: run! };
}

const ends = async (site: Migration, run: string, ...flags: readonly string[]) => ({
  verify: (await site.cli('verify', 'statements', 's.csv', ...flags)).exitCode,
  report: (await site.cli('report', run, '--json')).exitCode,
});

const inRun = (site: Migration, run: string, statement: string): unknown => {
  const db = new Database(journalOf(site.cwd, run));
  try {
    const prepared = db.prepare(statement);
    return prepared.reader ? prepared.get() : prepared.run();
  } finally {
    db.close();
  }
};

describe('a row to verify', () => {
  test('ends verify and report with 6 until a ledger proves it, then both with 0', async () => {
    const { site, run } = await inDoubt();
    expect(await ends(site, run)).toEqual({ verify: 6, report: 6 });
    const proven = await site.cli('verify', 'statements', 's.csv', '--ledger', site.url);
    expect(proven.stdout).toContain('1 row that no answer proves is in the ledger with equal content');
    expect(proven.exitCode).toBe(0);
    expect(await ends(site, run)).toEqual({ verify: 0, report: 0 });
    expect((await site.cli('report', run)).stdout).toContain('Everything arrived: 2 of 2 records.');
    expect(inRun(site, run, `SELECT by, document FROM event WHERE kind = 'confirmed'`)).toEqual({
      by: 'dataimport verify',
      document: JSON.stringify({ verdict: 'arrived', ledger: site.url }),
    });
    expect((await site.cli('verify', 'statements', 's.csv')).stdout).toContain(
      `, 1 row was confirmed by the ledger ${site.url}, and is not compared\n`,
    );
    const again = runDocument.parse((await site.cli('push', 'statements', 's.csv', '--json')).json());
    expect(again).toMatchObject({ exit: { code: 0 }, rows: { created: 1, existing: 1 } });
  });

  test('is settled, too, when nobody has compared it since the platform refused it as existing', async () => {
    const site = await migration(IMPORTED);
    site.csv('s.csv', HEADER, ...ROWS);
    await site.cli('push', 'statements', 's.csv', '--run-dir', 'elsewhere');
    await site.cli('push', 'statements', 's.csv', '--on-existing', 'accept');
    const said =
      'Everything arrived: 2 of 2 records, of which 2 accepted as there without having been compared.';
    expect((await site.cli('report', 's.csv')).stdout).toContain(said);
    const compared = await site.cli('report', 's.csv', '--ledger', site.url);
    expect([compared.exitCode, compared.stdout]).toEqual([
      0,
      expect.stringContaining('Everything arrived: 2 of 2 records.\n'),
    ]);
    const again = runDocument.parse((await site.cli('push', 'statements', 's.csv', '--json')).json());
    expect(again).toMatchObject({ exit: { code: 0 }, rows: { existing: 2, uncompared: 0 } });
  });

  test('is not settled by a ledger that has it with other content, or does not have it', async () => {
    const { site, run } = await inDoubt();
    const lines = (await (await fetch(`${site.url}/_local/ledger`)).text()).trimEnd().split('\n');
    const stored = lines.find((line) => line.includes('"s-1"'))!;
    const ledgers = [
      [lines.map((line) => (line === stored ? line.replace('"100"', '"101"') : line)), 11],
      [lines.filter((line) => line !== stored), 6],
    ] as const;
    for (const [ledger, exit] of ledgers) {
      writeFileSync(join(site.cwd, 'ledger.ndjson'), ledger.join('\n'));
      expect(await ends(site, run, '--ledger', 'ledger.ndjson')).toEqual({ verify: exit, report: 6 });
    }
  });
});
