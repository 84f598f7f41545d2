import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { EXITS } from '../../src/cli/output/exit-codes.ts';
import { chanceFrom } from '../harness/chance.ts';
import { drained } from '../support/push-drained.ts';
import { FakePlatform } from '../support/fake-platform.ts';
import { onlyJournalOf } from '../support/journals.ts';
import { csvFrom, journalIn, reopened, stagedRun } from '../support/push-staged-run.ts';
import { migration, type Migration } from '../support/migration.ts';
import { HEADER as COLUMNS, GOOD, REFUSED, SEED as ONE_REFUSED } from '../support/refused-account.ts';

/** Rows with an account behind the refused one. */
const SEED = `${ONE_REFUSED}  - {import_supplier: ACME, external_account_number: "1002", state: imported}
`;
const HEADER = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount,note';
const ROWS = Array.from({ length: 30 }, (_, index) => {
  const account = ['1001', '1003', '1002'][Math.floor(index / 10)]!;
  const id = String(index + 1).padStart(3, '0');
  return `ACME,${account},T-${id},2026-02-01,CREDIT,${index + 10}.25,rang about meter ${id}`;
});
const FLIPS = 12;

/** A run with one account done, one refused and one not sent, and the bytes of its file. */
async function halfDone() {
  // The platform is emptied again and again, and looks like the one that the run was sent to.
  const site = await migration(SEED, [], true);
  const csv = site.csv('t.csv', HEADER, ...ROWS);
  const pushed = await site.cli('push', 'transactions', csv, '-j', '1', '--batch-size', '3', '--json');
  expect(pushed.exitCode).toBe(4);
  const file = onlyJournalOf(site.cwd);
  const bytes = readFileSync(file);
  const restore = (): void => {
    const folder = dirname(file);
    // The note beside the journal is of later states, and an earlier one would not be taken.
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    writeFileSync(file, bytes);
  };
  const again = () =>
    site.cli('push', 'transactions', csv, '-j', '1', '--batch-size', '3', '--on-reject', 'skip');
  return { site, csv, file, bytes, restore, again };
}

/** The records of the platform, as rows of the file. */
async function heldRows(site: Migration): Promise<readonly string[]> {
  const ledger = await site.ledger();
  return ledger
    .filter(({ kind }) => kind === 'transaction')
    .map(({ import_supplier, external_account_number, data }) =>
      [
        import_supplier,
        external_account_number,
        ...['transaction_id', 'transaction_date', 'type', 'amount', 'note'].map((name) => String(data[name])),
      ].join(),
    );
}

async function emptyPlatform(site: Migration): Promise<void> {
  const { ok } = await fetch(`${site.url}/_local/reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(ok).toBe(true);
}

/** Changes one digit of the amount in the payload of a record, wherever the file has it. */
function withOtherAmount(bytes: Buffer, id: string): Buffer {
  const changed = Buffer.from(bytes);
  let found = 0;
  for (let at = changed.indexOf(`"transaction_id":"${id}"`); at >= 0; found++) {
    const digit = changed.indexOf('.25', at) - 1;
    changed[digit] = changed[digit] === 0x39 ? 0x30 : changed[digit]! + 1;
    at = changed.indexOf(`"transaction_id":"${id}"`, at + 1);
  }
  expect(found).toBeGreaterThan(0);
  return changed;
}

/** Rows of the account that was sent, of the refused one, and of each batch of the last one: its first, a middle and its last row. */
const CHANGED = [0, 9, 10, 13, 19, 20, 22, 24, 29];

test('a digit that changes in a payload is never sent: the run ends before its request', async () => {
  const { site, file, bytes, restore, again } = await halfDone();
  for (const index of CHANGED) {
    const [, , id] = ROWS[index]!.split(',');
    restore();
    writeFileSync(file, withOtherAmount(bytes, id!));
    await emptyPlatform(site);
    const { exitCode, stderr } = await again();
    const held = await heldRows(site);
    if (index < 10) {
      // Its request was answered, so it is not sent again.
      expect([exitCode, held]).toEqual([6, ROWS.slice(20)]);
      continue;
    }
    expect(exitCode).toBe(8);
    expect(stderr).toContain(
      `the journal ${file} is damaged: the record of line ${index + 2} is not what was staged`,
    );
    // Every request before the record's was sent, and none from it on.
    expect(held).toEqual(ROWS.slice(20, Math.max(20, index - ((index - 20) % 3))));
  }
});

test('changed bytes anywhere in a journal never send anything that is not in the CSV file, and end in a message', async () => {
  const { site, file, bytes, restore, again } = await halfDone();
  const documented = new Set(Object.values(EXITS).map(({ code }) => code));
  const chance = chanceFrom(20_261_121);
  const exits: Record<number, number> = {};
  // Most of a small file is unused.
  for (let flip = 0; flip < FLIPS || (flip < 8 * FLIPS && !exits[EXITS.RUN_FILE.code]); flip++) {
    restore();
    const damaged = Buffer.from(bytes);
    const at = chance.below(damaged.length);
    damaged[at]! ^= 1 << chance.below(8);
    writeFileSync(file, damaged);
    await emptyPlatform(site);
    const ended = await again();
    exits[ended.exitCode] = (exits[ended.exitCode] ?? 0) + 1;
    const held = await heldRows(site);
    const told = { flip, at, ...ended, strange: held.filter((row) => !ROWS.includes(row)) };
    expect(told).toMatchObject({ strange: [] });
    if (ended.exitCode !== EXITS.RUN_FILE.code)
      expect({ ...told, held }).toMatchObject({ held: ROWS.slice(20) });
    expect(documented.has(ended.exitCode) && ended.exitCode !== 1, JSON.stringify(told)).toBe(true);
  }
  // The test is worthless when no damage is found.
  expect(exits[EXITS.RUN_FILE.code]).toBeGreaterThan(0);
});

test('a journal without its WAL has its records, and finds out which were sent', async () => {
  const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 A:3 B:4'));
  const platform = new FakePlatform('transactions');
  const afterStaging = readFileSync(journalIn(folder));
  await drained(run, platform);
  run.close();
  writeFileSync(journalIn(folder), afterStaging);
  const { report } = await drained(reopened(folder), platform);
  expect(report.rows).toMatchObject({ read: 4, existing: 4 });
  expect(platform.contents()).toEqual({ A: ['1', '2', '3'], B: ['4'] });
});

test.each([
  ['an answered request has no end', 'UPDATE attempt SET ended_at = NULL'],
  ['no request was ever begun', 'DELETE FROM attempt'],
  ['a record is of no file', 'UPDATE record SET source_id = 2'],
  ['a record is of a file before the first', 'UPDATE record SET source_id = -1'],
])('a journal in which %s is damaged, and the command does not end with a bug', async (_, sql) => {
  const { site, csv, file } = await halfDone();
  const db = new Database(file);
  db.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
  db.close();
  for (const words of [['resume'], ['push', 'transactions', csv, '-j', '1', '--on-reject', 'skip']]) {
    const { exitCode, stderr } = await site.cli(...words);
    expect([words[0], exitCode, stderr]).toEqual([
      words[0],
      8,
      expect.stringContaining('error run_damaged '),
    ]);
  }
});

test.each([
  ['a row that was read is gone', 'DELETE FROM record WHERE seq = 25'],
  [
    'a row is there that was not read',
    "INSERT INTO record SELECT 31, state, reading_id, place, source_id, first_line, last_line, byte_start, byte_end, account_id, 'other', identity_variant, id, type, amount, payload, payload_sha256, content, parts, checksum, cause, cause_place, there FROM record WHERE seq = 25",
  ],
])('a journal in which %s reads the file again, and sends nothing else', async (_, sql) => {
  const { site, file, again } = await halfDone();
  const db = new Database(file);
  db.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
  db.close();
  expect((await again()).stdout).toContain('30 rows read: 20 arrived, 10 of them now, 10 refused');
  expect((await heldRows(site)).toSorted()).toEqual([...ROWS.slice(0, 10), ...ROWS.slice(20)].toSorted());
});

test('a reading that has sent records and says that it has not read all of them is read again, and nothing is sent twice', async () => {
  const site = await migration(ONE_REFUSED);
  site.csv('t.csv', COLUMNS, GOOD, REFUSED);
  const words = ['push', 'transactions', 't.csv', '-j', '1', '--batch-size', '1'];
  expect((await site.cli(...words)).exitCode).toBe(4);
  const db = new Database(onlyJournalOf(site.cwd));
  db.exec(`UPDATE reading SET state = 'staging'`);
  db.close();
  expect((await site.cli(...words)).exitCode).toBe(4);
  expect(await site.ledger()).toHaveLength(1);
});

test.each([
  ['as it was written', '', 0],
  ['with a link that was changed', 'UPDATE attempt SET status = 200', 8],
])('a journal of megabytes, %s, is proven while verify reads the files', async (_, change, exit) => {
  const site = await migration(SEED);
  const csv = site.csv('t.csv', HEADER, ROWS[0]!);
  expect((await site.cli('push', 'transactions', csv)).exitCode).toBe(0);
  const db = new Database(onlyJournalOf(site.cwd));
  db.exec(`CREATE TABLE pad AS SELECT zeroblob(5000000); DROP TABLE pad; ${change}`);
  db.close();
  expect((await site.cli('verify', 'transactions', csv)).exitCode).toBe(exit);
});
