import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { VerifiedPart } from '../../src/cli/verify/verification-schema.ts';
import { chained } from '../support/chained-run.ts';
import { chainChecker, chainProblems, flip, FLIPPED, type ChainedRun } from '../support/flipped-run.ts';
import { journalsIn } from '../support/journals.ts';
import { migration, type Migration } from '../support/migration.ts';
import { IMPORTED } from '../support/refused-account.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { verified } from '../support/verified.ts';

const HEADER = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
const ROWS = ['ACME,1001,t-1,2026-02-01,CREDIT,10.10', 'ACME,1003,t-2,2026-02-02,PAYMENT,20.20'] as const;
const UNKNOWN = 'ACME,9999,t-9,2026-02-03,CREDIT,1.00';

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

interface Link {
  readonly state: string;
  readonly outcomes: number;
  readonly request: Buffer | null;
  readonly answer: Buffer | null;
}

function links(site: Migration): readonly Link[] {
  const db = new Database(journalOf(site), { readonly: true });
  const rows = db.prepare<[], Link>('SELECT * FROM link ORDER BY id').all();
  db.close();
  return rows;
}

/** Values that columns with a constraint accept, and that the first row does not have. */
const OTHER: Readonly<Record<string, string>> = { state: 'staging', options: '{}', id: '7', reading_id: '2' };

const headOf = ({ chain: { head, links } }: Report): object => ({ head, links });

/** The exit of `verify`, and the head that it has computed. */
async function verifiedHead(site: Migration): Promise<readonly [number, object]> {
  const { exitCode, found } = await verified(site);
  const [{ chain_head: head, chain_links: links }] = found.parts[0]!.journals as [
    VerifiedPart['journals'][0],
  ];
  return [exitCode, { head, links }];
}

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

  test('seals an attempt without an answer, and the retry as another link', async () => {
    const site = await migration(IMPORTED);
    await site.faults('transactions accept status=503 times=1');
    const file = site.csv('t.csv', HEADER, ROWS[0]);
    const push = ['push', 'transactions', file, '--json'];
    const { json } = await site.cliIn({ chance: 0.5, maxWaits: 10 }, ...push);
    const pushed = json() as unknown as Report;
    expect(pushed.chain.links).toBe(3);
    const [, failed, settled] = links(site);
    expect(failed).toMatchObject({ state: 'none', outcomes: 0 });
    expect(settled).toMatchObject({ state: 'done', outcomes: 1, request: failed!.request });
    expect(settled!.answer).not.toEqual(failed!.answer);
    expect(await checked(site, file, pushed)).toContain('the chain holds');
  });

  test('seals what a repeated command plans again', async () => {
    const site = await migration(IMPORTED);
    const file = site.csv('t.csv', HEADER, ...ROWS, UNKNOWN);
    const push = ['push', 'transactions', file, '--on-reject', 'skip'];
    const pushed = await report(site, ...push);
    expect(pushed).toMatchObject({ exit: { code: 6 }, chain: { links: 4 } });
    const seed = IMPORTED.replace(
      'accounts:',
      `accounts:\n  - {import_supplier: ACME, external_account_number: "9999", state: imported}`,
    );
    await site.reseed(seed);
    const again = await report(site, ...push);
    expect(again).toMatchObject({ run: pushed.run, exit: { code: 0 }, chain: { links: 6 } });
    expect(links(site).map(({ state, outcomes }) => [state, outcomes])).toEqual([
      ['none', 0],
      ['done', 1],
      ['done', 1],
      ['done', 1],
      ['none', 1],
      ['done', 1],
    ]);
    expect(await checked(site, file, again)).toContain('the chain holds');
    expect(await verifiedHead(site)).toEqual([0, headOf(again)]);
    // Whoever takes the refusal away takes the chain away.
    tamper(site, 'DELETE FROM past_outcome');
    expect(await checked(site, file, again)).toContain('the records of link 4 are not those that it sealed');
  });

  test('seals each reading of the files, also when a later one has read its rows again', async () => {
    const site = await migration(IMPORTED);
    await report(site, 'push', 'transactions', site.csv('t.csv', HEADER, ...ROWS));
    const file = site.csv('t.csv', HEADER, ...ROWS, ROWS[0].replace('t-1', 't-3'));
    const second = await report(site, 'push', 'transactions', file);
    expect(second).toMatchObject({ exit: { code: 0 }, chain: { links: 5 } });
    expect(await checked(site, file, second)).toContain('the chain holds');
    expect(await verifiedHead(site)).toEqual([0, headOf(second)]);
    tamper(site, `UPDATE reading SET header = json_set(header, '$.sources[0].bytes', 7) WHERE id = 1`);
    expect(await checked(site, file, second)).toBe('the reading 1 is not what was read');
  });

  test('seals the records that another journal has brought, and its name', async () => {
    const site = await migration(IMPORTED);
    const file = site.csv('t.csv', HEADER, ...ROWS);
    for (const shard of ['1/2', '2/2']) await report(site, 'push', 'transactions', file, '--shard', shard);
    const pushed = await report(site, 'push', 'transactions', file);
    expect(pushed).toMatchObject({ rows: { read: 2, sent_before: 2 }, chain: { links: 2 } });
    expect(await checked(site, file, pushed)).toBe('the chain holds');
    tamper(site, "UPDATE outcome SET origin = 'other'");
    expect(await checked(site, file, pushed)).toContain('the records of link 1 are not those that it sealed');
  });

  test('seals rows that repeat another row, and rows that wait for the answer about another content', async () => {
    const site = await migration(IMPORTED);
    const header = 'import_supplier,external_account_number,body,created_at';
    const note = 'ACME,1001,hello,2026-02-01T10:00:00Z';
    const notes = site.csv('n.csv', header, note, note);
    expect(await checked(site, notes, await report(site, 'push', 'notes', notes))).toBe('the chain holds');
    await site.faults('transactions after-commit reset times=9');
    const file = site.csv('t.csv', HEADER, ...ROWS);
    const push = ['push', 'transactions', file, '--retry-for', '1ms', '--skip-invalid', '--json'] as const;
    const timing = { chance: 0.5, maxWaits: 10 };
    await site.cliIn(timing, ...push);
    site.csv('t.csv', HEADER, ...ROWS.map((row) => row.replace(/\.\d0$/, '.99')));
    const { json } = await site.cliIn(timing, ...push);
    const waiting = json() as unknown as Report;
    expect(waiting).toMatchObject({ rows: { read: 2, unknown: 2 } });
    expect(await checked(site, file, waiting)).toBe('the chain holds');
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
