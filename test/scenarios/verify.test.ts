import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import Database from 'better-sqlite3';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { verificationDocument } from '../../src/cli/verify/verification-schema.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { migration, type Migration } from '../support/migration.ts';
import { journalOf, journalsIn, readingsOf } from '../support/journals.ts';
import { nextOf, typed } from '../support/next-command.ts';
import { IMPORTED, SEED } from '../support/refused-account.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HEADER =
  'import_supplier,external_account_number,transaction_id,transaction_date,type,amount,note,product_code,' +
  'line_items.0.start_date,line_items.0.end_date,line_items.0.number_of_units,line_items.0.net_amount';
const ROWS = [
  'ACME,1001,t-1,2026-02-01,CREDIT,10.10,,,,,,',
  'ACME,1003,t-2,2026-02-02,PAYMENT,20.20,rang,,,,,',
  'ACME,1001,t-3,2026-02-03,CREDIT,30.30,,,,,,',
  'ACME,1003,t-4,2026-02-04,SUPPLY_CHARGE,20.00,,STD,2026-01-01,2026-01-31,100,20.00',
] as const;

const STATEMENT_HEADER =
  'import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date';
const STATEMENTS = ['ACME,1001,s-1,2025-01-01,2025-03-31', 'ACME,1001,s-2,2025-04-01,2025-06-30'] as const;

/** Rows that were pushed, and the id of their run. */
async function pushed(rows: readonly string[] = ROWS, ...flags: readonly string[]) {
  const site = await migration(IMPORTED);
  const file = site.csv('t.csv', HEADER, ...rows);
  const { json, exitCode, stderr } = await site.cli('push', 'transactions', file, '--json', ...flags);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return { site, file, run: String(json()['run']) };
}

/** What is left of a run once its platform has ended. */
interface Ended {
  readonly url: string;
  readonly run: string;
  readonly ledger: string;
  readonly files: ReadonlyMap<string, Buffer>;
}
let ended: Promise<Ended> | undefined;

async function endedRun(): Promise<Ended> {
  const { site, run } = await pushed();
  const names = readdirSync(site.cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(site.cwd, join(entry.parentPath, entry.name)));
  const files = new Map(names.map((name) => [name, readFileSync(join(site.cwd, name))]));
  return { url: site.url, run, ledger: await (await fetch(`${site.url}/_local/ledger`)).text(), files };
}

/** A copy of the folder in which ROWS were pushed, which is done once. Its platform has ended: `ledger` is what it had. */
async function pushedBefore() {
  ended ??= endedRun();
  const { url, run, ledger, files } = await ended;
  const cwd = temporaryFolder();
  for (const [name, content] of files) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(cwd, name), content, { mode: 0o600 });
  }
  const env = { DATAIMPORT_BASE_URL: url, DATAIMPORT_API_KEY: 'local-key' };
  const site = {
    cwd,
    ledgerText: ledger,
    cli: (...argv: readonly string[]) => runCli(argv, fakeIo({ cwd, env, nowMs: Date.UTC(2026, 10, 21) })),
    csv(name: string, ...lines: readonly string[]): string {
      writeFileSync(join(cwd, name), lines.map((line) => `${line}\n`).join(''));
      return join(cwd, name);
    },
  };
  return { site, file: join(cwd, 't.csv'), run };
}

/** A folder with files, and the commands that run in it. The commands may have no platform. */
type Folder = Pick<Migration, 'cwd' | 'cli' | 'csv'>;

type Verified = z.infer<typeof verificationDocument>;

async function verified(site: Folder, ...argv: readonly string[]): Promise<Verified> {
  const { json, exitCode, stderr } = await site.cli('verify', ...argv, '--json');
  const document = verificationDocument.parse(json());
  expect({ stderr, code: document.exit.code }).toMatchObject({ code: exitCode });
  return document;
}

/** The differences of a comparison: place, code and fields. */
function found({ comparisons }: Verified, side = 'run'): readonly string[] {
  return comparisons
    .find((comparison) => comparison.with === side)!
    .differences.map(({ code, file, line, fields }) =>
      `${file === null ? '-' : basename(file)}:${line} ${code} ${fields.join()}`.trim(),
    );
}

/** The ledger of the platform as `admin ledger` prints it, changed and written to a file. */
async function ledgerFile(
  site: Pick<Migration, 'cwd'> & ({ readonly url: string } | { readonly ledgerText: string }),
  change: (lines: string[]) => readonly string[],
): Promise<string> {
  const text = 'url' in site ? await (await fetch(`${site.url}/_local/ledger`)).text() : site.ledgerText;
  const file = join(site.cwd, 'ledger.ndjson');
  writeFileSync(
    file,
    change(text.trimEnd().split('\n'))
      .map((line) => `${line}\n`)
      .join(''),
  );
  return file;
}

/** Changes a journal behind the back of the program. */
function tamper(site: Folder, run: string, ...statements: readonly string[]): void {
  const db = new Database(journalOf(site.cwd, run));
  for (const statement of statements) db.exec(statement);
  db.close();
}

describe('a run that sent everything', () => {
  test('is equal to its files by account and type, to the penny', async () => {
    const { site, file, run } = await pushedBefore();
    const { exit, rows, comparisons } = await verified(site, 'transactions', file);
    expect(exit.code).toBe(0);
    expect(rows).toEqual({ read: 4, valid: 4, invalid: 0, filtered: 0 });
    expect(comparisons).toMatchObject([
      { with: 'run', names: [run], equal: true, accounts: { total: 2, equal: 2 }, differences: [] },
    ]);
    const sums = comparisons[0]!.types as readonly {
      type: string;
      source: { count: number; sum: string };
      found: object;
    }[];
    expect(sums.map(({ type, source }) => [type, source.count, source.sum])).toEqual([
      ['CREDIT', 2, '40.40'],
      ['PAYMENT', 1, '20.20'],
      ['SUPPLY_CHARGE', 1, '20.00'],
    ]);
    for (const { source, found } of sums) expect(found).toEqual(source);
  });

  test('is equal to the ledger of the platform, read from its address and from a file', async () => {
    const { site, file } = await pushed();
    const saved = await ledgerFile(site, (lines) => lines);
    for (const ledger of [site.url, saved]) {
      const { exit, comparisons } = await verified(site, 'transactions', file, '--ledger', ledger);
      expect({ exit, comparisons }).toMatchObject({
        exit: { code: 0 },
        comparisons: [{ with: 'run' }, { with: 'ledger', names: [ledger], equal: true }],
      });
    }
  });
});

describe('a file beside a run', () => {
  test('names run, request and answer beside the line', async () => {
    const { site, run } = await pushedBefore();
    const file = site.csv('t.csv', HEADER, ROWS[0].replace('10.10', '10.11'), ...ROWS.slice(1));
    const { stdout, exitCode } = await site.cli('verify', 'transactions', file, '--run', run);
    expect(exitCode).toBe(11);
    expect(stdout).toContain(`t.csv:2 error record_differs`);
    expect(stdout).toContain(`(run ${run}, batch 1, status 201)`);
    expect(stdout).toContain('next: dataimport explain record_differs');
    expect(stdout).not.toContain('10.11 ');
  });

  test('is compared with no run that has a record twice', async () => {
    const { site, file, run } = await pushedBefore();
    tamper(
      site,
      run,
      'DROP INDEX record_by_identity',
      `INSERT INTO record SELECT 99, state, reading_id, 99, source_id, first_line, last_line, byte_start, byte_end, account_id,
         identity_key, identity_variant, id, type, amount, payload, payload_sha256, content, parts, checksum, cause, cause_place, there
       FROM record WHERE seq = 1`,
      'UPDATE reading SET last_seq = 99',
      `INSERT INTO outcome SELECT 99, outcome, amount, link_id, origin FROM outcome WHERE seq = 1`,
    );
    const { exitCode, stdout } = await site.cli('verify', 'transactions', file);
    expect([exitCode, stdout]).toEqual([8, expect.stringMatching(/record_doubled[^]*chain_broken/)]);
  });

  test('is compared with the newest finished run of its content, or with none', async () => {
    const { site } = await pushedBefore();
    const other = site.csv('other.csv', HEADER, ROWS[0]);
    const { exitCode, json } = await site.cli('verify', 'transactions', other, '--json');
    expect(exitCode).toBe(2);
    expect(json()).toMatchObject({ problems: [{ code: 'run_to_verify_missing' }] });
  });

  test('is compared with a run to the platform of the command line, and not with a rehearsal', async () => {
    const { site, file, run } = await pushed();
    const elsewhere = site.url.replace('127.0.0.1', 'localhost');
    const rehearsal = await site.cli('push', 'transactions', file, '--base-url', elsewhere, '--json');
    expect(rehearsal.exitCode).toBe(0);
    const { comparisons } = await verified(site, 'transactions', file);
    expect(comparisons.map(({ names }) => names)).toEqual([[run]]);
    const live = ['--base-url', 'https://live.example', '--json'];
    const { exitCode, json } = await site.cli('verify', 'transactions', file, ...live);
    expect(exitCode).toBe(2);
    expect(json()).toMatchObject({ problems: [{ code: 'run_to_verify_missing' }] });
  });

  test('is compared with what an unfinished run has sent, and the rest is no difference', async () => {
    const site = await migration(IMPORTED);
    const file = site.csv('t.csv', HEADER, ...ROWS);
    await site.faults('transactions accept status=503 account=1003');
    const push = ['push', 'transactions', file, '-j', '1'];
    const stopped = await site.cliIn({ chance: 0.99, maxWaits: 3 }, ...push, '--retry-for', '1ms');
    expect(stopped.exitCode).toBe(5);
    const part = await verified(site, 'transactions', file);
    expect(part.exit.code).toBe(5);
    expect(part.comparisons).toMatchObject([
      { equal: true, proves: null, rows_apart: { left: 2 }, differences: [] },
    ]);
    // The rest is named beside a difference, too.
    const ledger = await ledgerFile(site, (lines) => lines.map((line) => line.replace('"10.10"', '"10.11"')));
    const differing = await site.cli('verify', 'transactions', file, '--ledger', ledger);
    expect([differing.exitCode, differing.stdout]).toEqual([
      11,
      expect.stringContaining(
        '\n1 difference: this does not prove that everything arrived, 2 rows were not sent yet\n',
      ),
    ]);
    await site.faults();
    // Typed as it is printed.
    expect((await site.cli(...typed(nextOf(stopped.stdout)))).exitCode).toBe(0);
    expect((await verified(site, 'transactions', file)).comparisons).toMatchObject([
      { rows_apart: { left: 0 } },
    ]);
  });

  test('counts the records apart that were refused, and asks for none again, until the same command has sent them', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, ...ROWS);
    const push = ['push', 'transactions', file, '--on-reject', 'skip', '--json'];
    const run = String((await site.cli(...push)).json()['run']);
    const refused = await verified(site, 'transactions', file);
    expect(refused.exit.code).toBe(6);
    expect(refused.comparisons).toMatchObject([{ rows_apart: { refused: 2 }, differences: [] }]);
    await site.reseed(IMPORTED);
    // Asking for the records again would send them.
    const before = await site.ledger();
    const asked = await site.cli('verify', 'transactions', file, '--ask-again');
    expect([asked.exitCode, await site.ledger()]).toEqual([6, before]);
    expect(asked.stdout).toContain('\nthe platform was not asked again, because asking would send the rows');
    // The run misses its rows, although somebody else has brought them to the ledger.
    await site.cli('push', 'transactions', file, '--run-dir', 'elsewhere');
    const brought = await verified(site, 'transactions', file, '--ledger', site.url);
    expect(brought.comparisons.map(({ rows_apart: apart }) => apart.refused)).toEqual([2, 0]);
    expect(brought.exit.name).toBe('PARTIAL');
    await site.cli(...push);
    const { exit, comparisons } = await verified(site, 'transactions', file);
    expect(exit.code).toBe(0);
    expect(comparisons[0]!.names).toEqual([run]);
  });

  test('ends as the report does, with and without a ledger, when the platform has refused a row', async () => {
    const site = await migration(SEED);
    const file = site.csv('t.csv', HEADER, ...ROWS);
    const stopped = await site.cli('push', 'transactions', file, '--json', '-j', '1');
    const ends = [await site.cli('report', String(stopped.json()['run']), '--json')];
    for (const ledger of [[], ['--ledger', site.url]])
      ends.push(await site.cli('verify', 'transactions', file, ...ledger, '--json'));
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([4, 4, 4]);
    expect(ends.at(-1)!.json()).toMatchObject({
      next: stopped.json()['next'],
      comparisons: [{ rows_apart: { refused: 2 } }, { rows_apart: { refused: 2 }, errors_total: 0 }],
    });
  });

  test('counts the rows apart that were accepted as there without having been compared', async () => {
    const site = await migration(IMPORTED);
    const file = site.csv('t.csv', STATEMENT_HEADER, STATEMENTS[0]);
    expect((await site.cli('push', 'statements', file)).exitCode).toBe(0);
    // Without the folder nothing proves that the statement is ours.
    rmSync(join(site.cwd, '.dataimport'), { recursive: true });
    site.csv('t.csv', STATEMENT_HEADER, ...STATEMENTS);
    const push = await site.cli('push', 'statements', file, '--on-existing', 'accept', '--json');
    expect(push.json()).toMatchObject({ exit: { code: 0 }, rows: { created: 1, uncompared: 1 } });
    const { exit, comparisons } = await verified(site, 'statements', file);
    expect(exit.code).toBe(0);
    expect(comparisons).toMatchObject([{ equal: true, rows_apart: { uncompared: 1 } }]);
    const { stdout } = await site.cli('verify', 'statements', file);
    expect(stdout).toContain(
      'nothing differs in the rows that were compared, 1 row is there already, and nobody has compared it\n',
    );
  });

  test('is compared with the runs of its shards as a whole, and shows a shard that is missing', async () => {
    const site = await migration(IMPORTED);
    const file = site.csv('t.csv', HEADER, ...ROWS);
    const ids: string[] = [];
    for (const shard of ['1/2', '2/2']) {
      const { json } = await site.cli('push', 'transactions', file, '--shard', shard, '--json');
      const { run, rows } = json() as { run: string; rows: { created: number } };
      if (rows.created > 0) ids.push(run);
    }
    expect(ids).toHaveLength(2);
    const whole = await verified(site, 'transactions', file, '--run', ids[0]!, '--run', ids[1]!);
    expect(whole.exit.code).toBe(0);
    const part = await verified(site, 'transactions', file, '--run', ids[0]!);
    expect(part.exit.code).toBe(11);
    expect(part.comparisons[0]!.by_code).toEqual({ record_missing: 2 });
  });
});

describe('a journal with one changed byte', () => {
  const CHANGES: readonly (readonly [string, string])[] = [
    ['an amount', `UPDATE record SET amount = '10.11' WHERE seq = 1`],
    ['a type', `UPDATE record SET type = 'CREDIS' WHERE seq = 1`],
    ['an id', `UPDATE record SET id = 't-7', identity_key = 't-7' WHERE seq = 1`],
    ['a line', `UPDATE record SET first_line = 3 WHERE seq = 1`],
    ['a byte position', `UPDATE record SET byte_end = byte_end + 1 WHERE seq = 1`],
    ['a checksum', `UPDATE record SET checksum = checksum + 1 WHERE seq = 1`],
    ['the hash of a content', `UPDATE record SET payload_sha256 = x'00' WHERE seq = 1`],
    ['the number of rows', 'UPDATE reading SET rows = 5'],
    ['a row that is gone', 'DELETE FROM outcome WHERE seq = 4; DELETE FROM record WHERE seq = 4'],
    ['an account', `UPDATE account SET external_account_number = '1002' WHERE id = 1`],
    ['an outcome', `UPDATE outcome SET outcome = 'verify' WHERE seq = 1`],
    ['an answered amount', `UPDATE outcome SET amount = '10.11' WHERE seq = 1`],
    ['the record of an outcome', `PRAGMA foreign_keys = 0; UPDATE outcome SET seq = 9 WHERE seq = 1`],
    ['the attempts of a request', `UPDATE batch SET attempts = 2 WHERE id = 1`],
    ['the request of an attempt', `UPDATE attempt SET batch_id = 2 WHERE batch_id = 1`],
  ];
  test.each(CHANGES)('in %s proves nothing', async (_, change) => {
    const { site, file, run } = await pushedBefore();
    tamper(site, run, change);
    const { exitCode } = await site.cli('verify', 'transactions', file);
    expect([8, 11]).toContain(exitCode);
  });
});

describe('a file beside a ledger', () => {
  test('is equal although the platform moved a date into the open statement, also of a record of another file of ours', async () => {
    const open = IMPORTED.replace(
      'external_account_number: "1001", state: imported',
      'external_account_number: "1001", state: imported, open_statement: {from: 2026-02-02, to: 2026-12-31}',
    );
    const site = await migration(open);
    const file = site.csv('t.csv', HEADER, ...ROWS);
    const run = (await site.cli('push', 'transactions', file, '--json')).json()['run'];
    const whole = await verified(site, 'transactions', file, '--ledger', site.url);
    expect(whole.exit.code).toBe(0);
    expect(whole.comparisons[1]).toMatchObject({ dates_moved: 1, equal: true });
    const part = site.csv('part.csv', HEADER, ...ROWS.slice(1));
    const document = await verified(site, 'transactions', part, '--ledger', site.url);
    expect(document.exit.code).toBe(0);
    expect(document.comparisons.at(-1)).toMatchObject({
      differences: [],
      other_records: [{ kind: 'run', run, count: 1, sum: '10.10' }],
    });
  });

  test('takes a record for that of another file only with the same content', async () => {
    const { site } = await pushedBefore();
    const part = site.csv('part.csv', HEADER, ...ROWS.slice(1));
    // Type and amount are those of the record that was sent, and its date is not.
    const ledger = await ledgerFile(site, (lines) =>
      lines.map((line) => line.replace('"transaction_date":"2026-02-01"', '"transaction_date":"2026-03-01"')),
    );
    const document = await verified(site, 'transactions', part, '--ledger', ledger);
    expect(document.exit.code).toBe(11);
    expect(document.comparisons.at(-1)!.by_code).toEqual({ record_without_row: 1 });
  });

  test('to whose accounts somebody else has added every row under another id differs by them, unless --others allowed says what they are', async () => {
    const { site, file } = await pushed();
    const again = site.csv('again.csv', HEADER, ...ROWS.map((row) => row.replace(',t-', ',other-')));
    // The history of this folder does not know what was sent from another one.
    await site.cli('push', 'transactions', again, '--run-dir', 'elsewhere');
    const document = await verified(site, 'transactions', file, '--ledger', site.url);
    expect(document.exit.code).toBe(11);
    const { by_code, types, accounts } = document.comparisons.at(-1)!;
    expect(by_code).toEqual({ record_without_row: 4 });
    expect(types.find(({ type }) => type === 'CREDIT')).toMatchObject({
      source: { count: 2, sum: '40.40' },
      found: { count: 4, sum: '80.80' },
    });
    expect(accounts.equal).toBe(0);
    const line = ['verify', 'transactions', file, '--ledger', site.url, '--others', 'allowed'];
    const { exitCode, stdout } = await site.cli(...line);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      '2 CREDIT records that no row explains, together 40.40: nobody here has sent them, and --others allowed says',
    );
  });

  test('that was added twice without the check shows every doubled record', async () => {
    const { site, file } = await pushed();
    await site.cli('push', 'transactions', file, '--no-check-previously-added', '--run-dir', 'elsewhere');
    const document = await verified(site, 'transactions', file, '--ledger', site.url);
    expect(document.exit.code).toBe(11);
    expect(document.comparisons[1]!.by_code).toEqual({ record_doubled: 4 });
  });

  test('says which line is no line of a ledger', async () => {
    const { site, file } = await pushedBefore();
    const ledger = await ledgerFile(site, (lines) => [...lines, '{"version":1}']);
    const { exitCode, stderr } = await site.cli('verify', 'transactions', file, '--ledger', ledger);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('line 5 of');
    expect(stderr).toContain('ledger_unreadable');
  });
});

describe('notes', () => {
  const NOTES = 'import_supplier,external_account_number,body,created_at,document_paths.0.document_path';
  const LINES = [
    'ACME,1001,rang,2026-02-01T10:00:00Z,letters/1.pdf',
    'ACME,1001,rang,,letters/1.pdf',
    'ACME,1003,wrote,,',
  ] as const;

  test('are equal although the platform keeps one of two equal notes and fills in times, until one has lost its document', async () => {
    const site = await migration(IMPORTED);
    const file = site.csv('n.csv', NOTES, ...LINES);
    expect((await site.cli('push', 'notes', file)).exitCode).toBe(0);
    const { exit, comparisons } = await verified(site, 'notes', file, '--ledger', site.url);
    expect(exit.code).toBe(0);
    expect(comparisons[1]).toMatchObject({ repeated_rows: 1, equal: true });
    const ledger = await ledgerFile(site, (lines) =>
      lines.map((line) => line.replace('"document_paths":[{"document_path":"letters/1.pdf"}],', '')),
    );
    const document = await verified(site, 'notes', file, '--ledger', ledger);
    expect(document.exit.code).toBe(11);
    expect(new Set(found(document, 'ledger').map((line) => line.replace(/^\S+ /, '')))).toEqual(
      new Set(['record_differs document_paths']),
    );
    const bare = site.csv('n.csv', NOTES, LINES[0].replace('letters/1.pdf', ''), ...LINES.slice(1));
    const run = onlyRun(site);
    const beside = await verified(site, 'notes', bare, '--run', run);
    expect(beside.exit.code).toBe(11);
    expect(found(beside)).toEqual(['n.csv:2 record_differs content']);
  });

  test('keep their own record beside an equal note without a time that came before them', async () => {
    const site = await migration(IMPORTED);
    const bodies = ['a', 'b', 'c', 'd', 'e', 'f'];
    const lines = bodies.flatMap((body, day) => [
      `ACME,1001,${body},,`,
      `ACME,1001,${body},2026-02-0${day + 1}T10:00:00Z,`,
    ]);
    const file = site.csv('n.csv', NOTES, ...lines);
    expect((await site.cli('push', 'notes', file)).exitCode).toBe(0);
    const document = await verified(site, 'notes', file, '--ledger', site.url);
    const stored = (await site.ledger()).length;
    expect(found(document, 'ledger')).toEqual([]);
    expect(document.comparisons[1]).toMatchObject({ equal: true, repeated_rows: lines.length - stored });
  });
});

/** The only run of a site. */
function onlyRun(site: Migration): string {
  const [reading] = readingsOf(journalsIn(site.cwd));
  return reading!.header.id;
}

describe('asking again', () => {
  test('expects that the platform has every record, and ends as a push does when it cannot ask for all', async () => {
    const { site, file } = await pushed();
    const { exit, comparisons } = await verified(site, 'transactions', file, '--ask-again');
    expect(exit.code).toBe(0);
    expect(comparisons.map(({ with: side, equal }) => [side, equal])).toEqual([
      ['run', true],
      ['asking', true],
    ]);
    expect(comparisons[1]).toMatchObject({
      accounts: { total: 2, equal: 2 },
      differences: [],
      confirmed_by: [],
      chains: [{ broken: null }],
    });
    expect(Object.values(comparisons[1]!.rows_apart)).toEqual(
      Object.values(comparisons[1]!.rows_apart).map(() => 0),
    );
    expect(await site.ledger()).toHaveLength(4);
    // A push ends alike when it cannot ask for all records, and that proves nothing.
    await site.faults('transactions accept status=503 account=1003');
    const words = ['verify', 'transactions', file, '--ask-again', '--retry-for', '1ms', '--json'];
    const { exitCode, json } = await site.cliIn({ chance: 0.99, maxWaits: 3 }, ...words);
    expect([exitCode, json()['comparisons']]).toEqual([5, undefined]);
    expect(json()).toMatchObject({
      run: null,
      exit: { code: 5, resumable: true },
      rows: { read: 4, existing: 2, unknown: 2 },
      problems: [{ code: 'request_fails_alone', file }],
      next: ['dataimport', ...words].join(' '),
    });
  });

  test('shows records that the platform refuses now or did not have, although the run had an answer', async () => {
    const { site, file } = await pushed();
    await site.reseed(SEED);
    const refused = await verified(site, 'transactions', file, '--ask-again');
    expect(refused.exit.code).toBe(11);
    expect(refused.comparisons[0]!.equal).toBe(true);
    expect(found(refused, 'asking')).toContain('t.csv:3 record_not_arrived');
    await site.reseed(IMPORTED);
    await emptied(site);
    const document = await verified(site, 'transactions', file, '--ask-again');
    expect(document.exit.code).toBe(11);
    expect(document.comparisons[0]!.equal).toBe(true);
    expect(document.comparisons[1]!.by_code).toEqual({ record_added_by_asking: 4 });
  });

  test('is refused for records that the platform cannot call already there', async () => {
    const { site, file } = await pushedBefore();
    const { exitCode, stderr } = await site.cli('verify', 'statements', file, '--ask-again');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('cannot say that statements are already there');
  });
});

async function emptied(site: Migration): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { ok } = await fetch(`${site.url}/_local/reset`, { method: 'POST', headers, body: '{}' });
  expect(ok).toBe(true);
}

test('what a run has erased can still be proven', async () => {
  const { site, file, run } = await pushedBefore();
  await site.cli('runs', 'forget', run);
  expect((await verified(site, 'transactions', file)).exit.code).toBe(0);
});

test('whole numbers of statements are compared with a ledger, which has them as texts', async () => {
  const site = await migration(IMPORTED);
  const header =
    'import_supplier,external_account_number,statement_id,number,bill_period_from_date,bill_period_to_date,issued_date,gross_amount,statement_path';
  const rows = [1, 2].map(
    (n) => `ACME,1001,s-${n},N${n},2026-01-01,2026-01-31,2026-02-0${n},12${n}45,s/${n}.pdf`,
  );
  const file = site.csv('s.csv', header, ...rows);
  const push = await site.cli('push', 'statements', file);
  expect(push).toMatchObject({ exitCode: 0 });
  expect((await verified(site, 'statements', file, '--ledger', site.url)).exit.code).toBe(0);
  const ledger = await ledgerFile(site, (lines) => lines.map((line) => line.replace('12145', '12146')));
  const differing = await verified(site, 'statements', file, '--ledger', ledger);
  expect(found(differing, 'ledger')).toEqual(['s.csv:2 record_differs gross_amount']);
});

test('the schema of verify describes the documents, and refuses one with a missing or another key', async () => {
  const { site, file } = await pushedBefore();
  const validate = new Ajv2020({ strict: false }).compile((await site.cli('schema', 'verify')).json());
  const document = (await site.cli('verify', 'transactions', file, '--json')).json();
  expect(validate(document) ? [] : validate.errors).toEqual([]);
  const { comparisons: _, ...without } = document;
  expect([validate(without), validate({ ...document, more: 1 })]).toEqual([false, false]);
});
