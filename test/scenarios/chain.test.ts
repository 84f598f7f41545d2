import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { chained } from '../support/chained-run.ts';
import { chainChecker, chainProblems, flip, FLIPPED, type ChainedRun } from '../support/flipped-run.ts';
import { journalsIn } from '../support/journals.ts';
import { migration, type Migration } from '../support/migration.ts';
import { IMPORTED } from '../support/refused-account.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HEADER = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
const ROWS = ['ACME,1001,t-1,2026-02-01,CREDIT,10.10', 'ACME,1003,t-2,2026-02-02,PAYMENT,20.20'] as const;

interface Report {
  readonly run: string;
  readonly exit: { readonly code: number };
  readonly chain: { readonly head: string; readonly links: number };
}

/** The journal of all accounts of a site, or its only one. It may be damaged. */
const journalOf = (site: Migration): string => journalsIn(site.cwd).files().at(-1)!;

/** What the checker of the examples says. */
async function checked(site: Migration, file: string, report: Report): Promise<string> {
  const { problemsOf } = await chainChecker();
  const files = { sources: [file], inputs: [], contract: undefined };
  const found = problemsOf({ journal: journalOf(site), report, ...files });
  return found.join('\n') || 'the chain holds';
}

/** What it prints, typed as a stranger would type it. */
function printed(site: Migration, file: string, report: Report): string {
  const document = join(site.cwd, 'report.json');
  writeFileSync(document, JSON.stringify(report));
  const checker = join(projectRoot, 'examples', 'verify-chain.mjs');
  const args = ['--journal', journalOf(site), '--report', document, '--source', file];
  const { stdout, stderr, status } = spawnSync(process.execPath, [checker, ...args], { encoding: 'utf8' });
  expect({ stderr, status }).toMatchObject({ status: stdout.startsWith('the chain holds') ? 0 : 1 });
  return stdout;
}

/** Changes the journal behind the back of the program. */
function tamper(site: Migration, statement: string): void {
  const db = new Database(journalOf(site));
  db.exec(statement);
  db.close();
}

async function report(site: Migration, ...argv: readonly string[]): Promise<Report> {
  const { json } = await site.cli(...argv, '--json');
  return json() as unknown as Report;
}

/** Values that columns with a constraint accept, and that the first row does not have. */
const OTHER: Readonly<Record<string, string>> = { state: 'staging', options: '{}', id: '7', reading_id: '2' };

/** The options with another value for each key, one after the other, and with a shard. */
function changedOptions(text: string): readonly string[] {
  const options = JSON.parse(text) as Record<string, unknown>;
  const contract = options['contract'] as object;
  return [
    ...Object.keys(options).map((key) => JSON.stringify({ ...options, [key]: 'other' })),
    ...Object.keys(contract).map((key) =>
      JSON.stringify({ ...options, contract: { ...contract, [key]: 'other' } }),
    ),
    JSON.stringify({ ...options, selection: { shard: { index: 1, count: 2 } } }),
  ];
}

const CHAINED = ['journal', 'source', 'mapping', 'contract'] as const;
let kept: Promise<{ readonly run: ChainedRun; readonly files: readonly Buffer[] }> | undefined;

/** A copy of a journal with six requests of its newest reading, which are sent once. */
async function chainedRun(): Promise<ChainedRun> {
  kept ??= chained(temporaryFolder(), 6).then((run) => ({
    run,
    files: CHAINED.map((name) => readFileSync(run[name])),
  }));
  const { run, files } = await kept;
  const folder = temporaryFolder();
  const copies = CHAINED.map((name, index) => {
    const copy = join(folder, name);
    writeFileSync(copy, files[index]!);
    return [name, copy] as const;
  });
  return { ...run, ...Object.fromEntries(copies) };
}

describe('the chain of a journal', () => {
  test('has one link for each reading and request, and the same head in the push and in runs show', async () => {
    const site = await migration(IMPORTED);
    const file = site.csv('t.csv', HEADER, ...ROWS);
    const pushed = await report(site, 'push', 'transactions', file);
    expect(pushed.chain).toEqual({
      head: expect.stringMatching(/^[\da-f]{64}$/) as unknown,
      links: 3,
      proven: true,
    });
    const shown = ['runs', 'show', pushed.run] as const;
    expect((await report(site, ...shown)).chain).toEqual(pushed.chain);
    // The same command reads the links of the first one as they are.
    const again = await report(site, 'push', 'transactions', file);
    expect(again.chain).toEqual({ ...pushed.chain, proven: false });
    expect(printed(site, file, pushed)).toBe(`the chain holds, its head is ${pushed.chain.head}\n`);
  });

  test('seals the word of a person, with the name', async () => {
    const site = await migration(IMPORTED);
    await report(site, 'push', 'transactions', site.csv('t.csv', HEADER, ...ROWS));
    const file = site.csv('t.csv', HEADER, ROWS[0], ROWS[1].replace('20.20', '20.21'));
    const { run } = await report(site, 'push', 'transactions', file);
    await site.cli('runs', 'show', run, '--unresolved', '--csv', 'unresolved.csv');
    const confirm = ['--rows', 'unresolved.csv', '--arrived', '--by', 'A. Lead'];
    expect((await site.cli('runs', 'confirm', run, ...confirm)).exitCode).toBe(0);
    const confirmed = await report(site, 'runs', 'show', run);
    expect(await checked(site, file, confirmed)).toContain('the chain holds');
    tamper(site, `UPDATE event SET by = 'B. Lead' WHERE by IS NOT NULL`);
    expect(await checked(site, file, confirmed)).toContain('is not the hash of what it seals');
  });

  test('grows with a reading, with what a ledger proves and with the word of a person, and an older copy is refused after each', async () => {
    const site = await migration(IMPORTED);
    const [older, newer] = [join(site.cwd, 'older'), join(site.cwd, 'newer')];
    const header =
      'import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date';
    const push = ['push', 'statements', site.csv('s.csv', header, 'ACME,1001,s-1,2025-01-01,2025-03-31')];
    await site.cli(...push, '--run-dir', 'elsewhere');
    await site.cli(...push, '--on-existing', 'accept');
    const later: readonly [exit: number, line: readonly string[]][] = [
      [0, ['verify', 'statements', 's.csv', '--ledger', site.url]],
      [3, push],
      [6, ['runs', 'show', '--unresolved', '--csv', 'u.csv']],
      [0, ['runs', 'confirm', '--rows', 'u.csv', '--arrived', '--by', 'A. Lead']],
    ];
    for (const [exit, line] of later) {
      copyFileSync(journalOf(site), older);
      expect((await site.cli(...line)).exitCode, line.join(' ')).toBe(exit);
      copyFileSync(journalOf(site), newer);
      copyFileSync(older, journalOf(site));
      const shown = await site.cli('runs', 'show');
      expect(shown.stderr.includes('run_rolled_back'), line.join(' ')).toBe(line[1] !== 'show');
      copyFileSync(newer, journalOf(site));
      site.csv('s.csv', header, 'ACME,1001,s-1,2025-01-01,2025-03-30');
    }
  });

  test('notices that the last links are gone, by the head in the report', async () => {
    const site = await migration(IMPORTED);
    const file = site.csv('t.csv', HEADER, ...ROWS);
    const pushed = await report(site, 'push', 'transactions', file);
    const db = new Database(journalOf(site));
    db.exec(`DELETE FROM outcome WHERE link_id = 3; DELETE FROM link WHERE id = 3;
             UPDATE attempt SET ended_at = NULL WHERE id = 2`);
    db.close();
    expect(await checked(site, file, pushed)).toContain('the report has the head');
    expect(printed(site, file, pushed)).toContain('the report has the head');
  });

  test('seals every column of the header, and every option', async () => {
    const run = await chainedRun();
    const problemsWith = (statement: string, ...values: readonly unknown[]): readonly string[] => {
      const copy = join(temporaryFolder(), 'copy.sqlite');
      copyFileSync(run.journal, copy);
      const db = new Database(copy);
      db.pragma('foreign_keys = OFF');
      db.prepare(statement).run(...values);
      db.close();
      return chainProblems({ ...run, journal: copy });
    };
    const db = new Database(run.journal, { readonly: true });
    const options = db
      .prepare<[], string>("SELECT header ->> '$.options' FROM reading WHERE id = 2")
      .pluck()
      .get()!;
    const columns = ['journal', 'reading', 'source'].flatMap((table) =>
      db
        .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
        .pluck()
        .all(table)
        .map((column) => [table, column] as const),
    );
    db.close();
    const unsealed = columns
      .filter(
        ([table, column]) =>
          problemsWith(`UPDATE ${table} SET ${column} = ? WHERE rowid = 1`, OTHER[column] ?? '1').length ===
          0,
      )
      .map((column) => column.join('.'));
    // `reading.choice` is what a later command may choose.
    expect(unsealed).toEqual([
      'journal.checksum',
      'reading.checksum',
      'reading.first_seq',
      'reading.last_seq',
      'reading.choice',
      'reading.ended',
      'source.columns',
      'source.rows_from',
    ]);
    const unsealedOptions = changedOptions(options).filter(
      (changed) =>
        problemsWith(
          `UPDATE reading SET header = json_set(header, '$.options', json(?)) WHERE id = 2`,
          changed,
        ).length === 0,
    );
    expect(unsealedOptions).toEqual([]);
  });

  test('notices every flipped byte of source, mapping, contract, sealed rows and head', async () => {
    const run = await chainedRun();
    expect(chainProblems(run)).toEqual([]);
    const folder = temporaryFolder();
    let state = 7;
    const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const missed = FLIPPED.flatMap((part) =>
      Array.from({ length: 15 }, () => flip(run, part, folder, random)).filter(
        ({ isNoticed, isHarmless }) => !isNoticed && !isHarmless,
      ),
    );
    expect(missed).toEqual([]);
  });
});

test('the checker of the examples has at most 200 lines and imports nothing of ours', () => {
  const lines = readFileSync(join(projectRoot, 'examples', 'verify-chain.mjs'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines.length).toBeLessThanOrEqual(200);
  const imports = lines.filter((line) => line.startsWith('import '));
  for (const line of imports) expect(line).toMatch(/from 'node:[\w/]+';$/);
});
