import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { onlyJournalOf, readingIdsOf } from '../support/journals.ts';
import { runDocument, type RunDocument } from '../support/json-documents.ts';
import { migration, type Migration } from '../support/migration.ts';
import { nextOf, typed } from '../support/next-command.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';

const BOTH_REFUSED = [REFUSED, 'ACME,1003,t-10,2026-02-03,CREDIT,2.00'];

const documentOf = (result: { json(): unknown }): RunDocument => runDocument.parse(result.json());

const idsOf = async (site: Migration): Promise<readonly string[]> =>
  (await site.ledger()).map(({ data }) => String(data['transaction_id'])).toSorted();

/** A push whose records of account 1003 are refused and set aside. */
async function partialRun(site: Migration) {
  const file = site.csv('t.csv', HEADER, GOOD, ...BOTH_REFUSED);
  const push = ['push', 'transactions', file, '--on-reject', 'skip', '--json'];
  const pushed = await site.cli(...push);
  expect(pushed.exitCode).toBe(6);
  return { push, document: documentOf(pushed) };
}

describe('--on-reject skip', () => {
  test('ends as partial, with every row that was set aside named, and names the same command', async () => {
    const site = await migration(SEED);
    const { push, document } = await partialRun(site);
    expect(document).toMatchObject({
      exit: { name: 'PARTIAL', resumable: false },
      rows: { created: 1, rejected: 2 },
      problems: [{ code: 'account_not_found', line: 3 }],
      next: `dataimport ${push.join(' ')}`,
    });
  });

  test.each(['1.00', '1.0', '1'])(
    'sends a row of which the journal has no text any more, with the amount written %s',
    async (amount) => {
      const site = await migration(SEED);
      const { push, document } = await partialRun(site);
      await site.cli('runs', 'forget', document.run!);
      expect((await site.cli('runs', 'show', document.run!)).exitCode).toBe(6);
      await site.reseed(IMPORTED);
      site.csv('t.csv', HEADER, GOOD, REFUSED.replace('1.00', amount), BOTH_REFUSED[1]!);
      const again = await site.cli(...push);
      expect([again.exitCode, documentOf(again).rows]).toMatchObject([0, { read: 3, created: 3 }]);
      expect(await idsOf(site)).toEqual(['t-1', 't-10', 't-9']);
    },
  );

  test('goes on with a run that stopped at a refusal', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, REFUSED, GOOD);
    const push = ['push', 'transactions', file, '-j', '1'];
    expect((await site.cli(...push)).exitCode).toBe(4);
    const skipped = await site.cli(...push, '--on-reject', 'skip', '--json');
    expect(skipped.exitCode).toBe(6);
    expect(documentOf(skipped).rows).toMatchObject({ created: 1, rejected: 1 });
    expect(readingIdsOf(site.cwd)).toHaveLength(1);
  });

  test.each([
    ['1', 4],
    ['2', 6],
    ['50%', 4],
    ['80%', 6],
  ])('with --max-errors %s ends with %i, and the same command goes on', async (limit, code) => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, ...BOTH_REFUSED, GOOD);
    const argv = ['push', 'transactions', file, '--on-reject', 'skip', '--max-errors', limit, '-j', '1'];
    const { exitCode, stderr, stdout } = await site.cli(...argv);
    expect(exitCode).toBe(code);
    expect(nextOf(stdout)).toBe(`dataimport ${argv.join(' ')}`);
    if (code === 4) {
      expect(stderr).toContain('max_errors_exceeded');
      expect(stderr).toContain('rows that are invalid or were refused: 2, more than the 1 of --max-errors');
    }
    await site.reseed(IMPORTED);
    expect((await site.cli(...typed(nextOf(stdout)))).stdout).toContain('3 rows read: 3 arrived');
  });

  test('with --max-errors counts invalid rows before anything is sent', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, GOOD, 'ACME,1001,t-2,2026-02-01,CREDIT,x');
    const argv = ['push', 'transactions', file, '--skip-invalid', '--max-errors', '0', '--json'];
    const { exitCode, json } = await site.cli(...argv);
    expect(exitCode).toBe(4);
    expect(documentOf({ json })).toMatchObject({
      exit: { name: 'REFUSED', resumable: true },
      rows: { invalid: 1, not_sent: 1 },
      requests: { total: 0 },
    });
    expect(await site.ledger()).toEqual([]);
  });
});

describe('refused rows', () => {
  test.each(['push', 'resume'])('are sent again by the next %s, and nothing else is', async (word) => {
    const site = await migration(SEED);
    const { push, document } = await partialRun(site);
    await site.reseed(IMPORTED);
    const again = await site.cli(...(word === 'push' ? push : ['resume', '--json']));
    expect(again.exitCode).toBe(0);
    expect(documentOf(again)).toMatchObject({
      run: document.run,
      exit: { name: 'OK' },
      // The report is about everything in the files.
      rows: { read: 3, created: 3, rejected: 0 },
      // One request more than before.
      requests: { total: document.requests.total + 1 },
      problems: [],
      next: null,
    });
    expect(await idsOf(site)).toEqual(['t-1', 't-10', 't-9']);
  });

  test('that are refused again are named once, at their line', async () => {
    const site = await migration(SEED);
    const { push, document } = await partialRun(site);
    const again = await site.cli(...push);
    expect(again.exitCode).toBe(6);
    expect(again.stderr).toMatch(/t\.csv:3:2 error account_not_found/);
    expect(documentOf(again)).toMatchObject({ rows: document.rows, problems_total: document.problems_total });
  });

  test('keep their payloads until they are sent, and no other row does', async () => {
    const site = await migration(SEED);
    const notes = 'import_supplier,external_account_number,body';
    const file = site.csv('n.csv', notes, 'ACME,1001,rang about the meter', 'ACME,1003,has moved out');
    const push = ['push', 'notes', file, '--on-reject', 'skip'];
    expect((await site.cli(...push)).exitCode).toBe(6);
    const held = (): string => {
      const folder = dirname(onlyJournalOf(site.cwd));
      return readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('');
    };
    expect(held()).not.toContain('about the meter');
    expect(held()).toContain('has moved out');
    await site.reseed(IMPORTED);
    expect((await site.cli(...push)).exitCode).toBe(0);
    expect(held()).not.toContain('has moved out');
  });

  test.each<[string, (push: readonly string[]) => readonly string[]]>([
    ['the same command', (push) => push],
    ['a resume', () => ['resume']],
  ])('whose process was killed after the last answer are erased by %s', async (_, command) => {
    const site = await migration(IMPORTED);
    const notes = 'import_supplier,external_account_number,body';
    const file = site.csv('n.csv', notes, 'ACME,1003,has moved out', 'ACME,1003,rang about the meter');
    const push = ['push', 'notes', file, '--json'];
    await site.cli(...push);
    const path = onlyJournalOf(site.cwd);
    // As a process leaves them that dies before it erases them.
    const db = new Database(path);
    db.exec(`UPDATE record SET payload = '{"body":"has moved out"}'`);
    db.close();
    expect(readFileSync(path, 'latin1')).toContain('has moved out');
    await site.cli(...command(push));
    expect(readFileSync(path, 'latin1')).not.toMatch(/has moved out|rang about/);
    expect(existsSync(`${path}-wal`)).toBe(false);
  });
});
