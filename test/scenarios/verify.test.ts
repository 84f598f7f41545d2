import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { migration, type Migration } from '../support/migration.ts';
import { typed } from '../support/next-command.ts';
import { IMPORTED, SEED } from '../support/refused-account.ts';
import { verified } from '../support/verified.ts';

const HEADER =
  'import_supplier,external_account_number,transaction_id,transaction_date,type,amount,note,product_code,' +
  'line_items.0.start_date,line_items.0.end_date,line_items.0.number_of_units,line_items.0.net_amount';
const ROWS = [
  'ACME,1001,t-1,2026-02-01,CREDIT,10.10,,,,,,',
  'ACME,1003,t-2,2026-02-02,PAYMENT,20.20,rang,,,,,',
  'ACME,1001,t-3,2026-02-03,CREDIT,30.30,,,,,,',
  'ACME,1003,t-4,2026-02-04,SUPPLY_CHARGE,20.00,,STD,2026-01-01,2026-01-31,100,20.00',
] as const;
const FILE = ['transactions', 't.csv'] as const;

/** A platform that has the rows of a file. */
async function pushed(seed = IMPORTED): Promise<Migration> {
  const site = await migration(seed);
  site.csv('t.csv', HEADER, ...ROWS);
  expect((await site.cli('push', ...FILE)).exitCode).toBe(0);
  return site;
}

/** What is found of the files of one resource, with the differences as texts. */
async function found(site: Pick<Migration, 'cli'>, ...words: readonly string[]) {
  const { exitCode, stderr, found: document } = await verified(site, ...words);
  expect({ exitCode, stderr }).toEqual({ exitCode: document.exit.code, stderr: '' });
  const [part] = document.parts;
  const [side] = part!.comparisons;
  const differences = side?.differences.map(({ file, line, code, fields }) =>
    `${file === null ? '-' : basename(file)}:${line} ${code} ${fields.join()}`.trim(),
  );
  const steps = document.answer.to_do.map(({ what }) => what);
  return { ...part!, exit: exitCode, side, differences, steps, next: document.next };
}

/** The ledger of the platform as `admin ledger` prints it, changed and written to a file. */
async function ledgerFile(
  { url, cwd }: Migration,
  change: (lines: string[]) => readonly string[],
): Promise<readonly string[]> {
  const text = await (await fetch(`${url}/_local/ledger`)).text();
  writeFileSync(join(cwd, 'ledger.ndjson'), `${change(text.trimEnd().split('\n')).join('\n')}\n`);
  return ['--ledger', 'ledger.ndjson'];
}

describe('a file that arrived', () => {
  test('has the sums of its journal and of the ledger to the penny, with and without its name', async () => {
    const site = await pushed();
    const saved = await ledgerFile(site, (lines) => lines);
    for (const words of [[], FILE, [...FILE, '--ledger', site.url], [...FILE, ...saved]]) {
      const { exit, rows, control_totals: totals, side, differences } = await found(site, ...words);
      expect([exit, rows.read, rows.created]).toEqual([0, 4, 4]);
      const truth = [
        ['CREDIT', 2, '40.40'],
        ['PAYMENT', 1, '20.20'],
        ['SUPPLY_CHARGE', 1, '20.00'],
      ];
      for (const sum of ['read', 'accepted'] as const)
        expect(totals.map((total) => [total.type, total.count, total[sum]])).toEqual(truth);
      if (!side) continue;
      for (const list of ['source', 'found'] as const)
        expect(side.types.map((each) => [each.type, each[list].count, each[list].sum])).toEqual(truth);
      expect(differences).toEqual([]);
    }
  });

  test('can still be proven when its texts are erased', async () => {
    const site = await pushed();
    const { runs } = await found(site, ...FILE);
    await site.cli('runs', 'forget', runs[0]!.run);
    expect((await found(site, ...FILE)).exit).toBe(0);
  });
});

describe('rows are looked for', () => {
  test('in the journals of one platform alone, and what is left is sent there', async () => {
    const site = await pushed();
    const alias = site.url.replace('127.0.0.1', 'localhost');
    await site.cli('push', ...FILE, '--base-url', alias);
    expect(await found(site, ...FILE)).toMatchObject({ exit: 0, rows: { read: 4, created: 4 } });
    const other = await migration(IMPORTED);
    site.csv('u.csv', HEADER, ROWS[0]);
    await site.cli('push', 'transactions', 'u.csv', '--base-url', other.url);
    const { stderr } = await runCli(['verify', ...FILE], fakeIo({ cwd: site.cwd }));
    for (const said of [site.url, other.url, ': say which one with --base-url'])
      expect(stderr).toContain(said);
    expect((await found(site, ...FILE)).rows.created).toBe(4);
    const there = await found(site, ...FILE, '--base-url', other.url);
    expect(there).toMatchObject({ exit: 5, rows: { created: 1, not_sent: 3 } });
    expect(there.next).toContain(`--base-url ${other.url}`);
  });
});

describe('rows that did not arrive', () => {
  test('are those that an unfinished command has left, beside a difference, too, until it goes on', async () => {
    const site = await migration(IMPORTED);
    site.csv('t.csv', HEADER, ...ROWS);
    await site.faults('transactions accept status=503 account=1003');
    const push = ['push', ...FILE, '-j', '1', '--retry-for', '1ms'];
    expect((await site.cliIn({ chance: 0.99, maxWaits: 3 }, ...push)).exitCode).toBe(5);
    const part = await found(site, '--ledger', site.url, ...FILE);
    expect(part).toMatchObject({ exit: 5, rows: { created: 2, unknown: 2 }, differences: [] });
    const ledger = await ledgerFile(site, (lines) => lines.map((line) => line.replace('"10.10"', '"10.11"')));
    expect(await found(site, ...FILE, ...ledger)).toMatchObject({
      exit: 11,
      rows: { created: 2, unknown: 2 },
      differences: ['t.csv:2 record_differs amount'],
    });
    await site.faults();
    expect((await site.cli(...typed(part.next))).exitCode).toBe(0);
    expect(await found(site)).toMatchObject({ exit: 0, rows: { created: 4 } });
  });

  test('are the refused ones, although somebody else has brought them, until the same command sends them', async () => {
    const site = await migration(SEED);
    site.csv('t.csv', HEADER, ...ROWS);
    const push = ['push', ...FILE, '--on-reject', 'skip'];
    await site.cli(...push);
    const refused = { exit: 6, rows: { created: 2, rejected: 2 } };
    expect(await found(site)).toMatchObject(refused);
    await site.reseed(IMPORTED);
    await site.cli('push', ...FILE, '--run-dir', 'elsewhere');
    const brought = await found(site, ...FILE, '--ledger', site.url);
    expect(brought).toMatchObject({
      ...refused,
      differences: [],
    });
    await site.cli(...push);
    expect(await found(site)).toMatchObject({ exit: 0, rows: { created: 2, existing: 2 } });
  });
});

describe('a ledger', () => {
  test('may have a date that the platform moved into the open statement, also of a record of another file', async () => {
    const account = 'external_account_number: "1001", state: imported';
    const open = `${account}, open_statement: {from: 2026-02-02, to: 2026-12-31}`;
    const site = await pushed(IMPORTED.replace(account, open));
    const whole = await found(site, ...FILE, '--ledger', site.url);
    expect(whole).toMatchObject({ exit: 0, side: { dates_moved: 1 }, differences: [] });
    site.csv('part.csv', HEADER, ...ROWS.slice(1));
    expect(await found(site, 'transactions', 'part.csv', '--ledger', site.url)).toMatchObject({
      exit: 0,
      differences: [],
      side: { other_records: [{ kind: 'run', run: whole.runs[0]!.run, count: 1, sum: '10.10' }] },
    });
    // Type and amount are those of the record that was sent, and its date is not.
    const ledger = await ledgerFile(site, (lines) =>
      lines
        .filter((line) => !line.includes('"kind":"note"'))
        .map((line) => line.replace(/("t-1","transaction_date":")[\d-]+/, '$12026-03-01')),
    );
    expect(await found(site, 'transactions', 'part.csv', ...ledger)).toMatchObject({
      exit: 11,
      side: { by_code: { record_without_row: 1 } },
    });
  });

  test('keeps one of two equal notes and fills in times, and differs once one has lost its document', async () => {
    const site = await migration(IMPORTED);
    const header = 'import_supplier,external_account_number,body,created_at,document_paths.0.document_path';
    const document = 'letters/1.pdf';
    // Every second note has its own record beside an equal one without a time that came before it.
    const lines = ['a', 'b', 'c', 'd'].flatMap((body, day) => [
      `ACME,1003,${body},,`,
      `ACME,1003,${body},2026-02-0${day + 1}T10:00:00Z,`,
    ]);
    const first = [`ACME,1001,rang,2026-02-01T10:00:00Z,${document}`, `ACME,1001,rang,,${document}`];
    site.csv('n.csv', header, ...first, ...lines);
    await site.cli('push', 'notes', 'n.csv');
    const repeated = first.length + lines.length - (await site.ledger()).length;
    const { exit, side, differences } = await found(site, '--ledger', site.url);
    expect([exit, differences, side!.repeated_rows]).toEqual([0, [], repeated]);
    const ledger = await ledgerFile(site, (all) =>
      all.map((line) => line.replace(`"document_paths":[{"document_path":"${document}"}],`, '')),
    );
    // The row that repeats the other is judged, too.
    expect(await found(site, ...ledger)).toMatchObject({
      exit: 11,
      differences: [2, 3].map((line) => `n.csv:${line} record_differs document_paths`),
    });
    site.csv('n.csv', header, first[0]!.replace(document, ''), first[1]!, ...lines);
    const bare = await found(site);
    expect([bare.exit, bare.changed, bare.groups.find(({ severity }) => severity === 'error')]).toMatchObject(
      [6, 1, { code: 'record_changed', first_lines: [2] }],
    );
  });
});

test('the ledger of another database with the same records proves nothing', async () => {
  const [site, other] = [await pushed(), await pushed()];
  const verify = async (baseUrl: string, ledger: string): Promise<[number, string]> => {
    const words = ['verify', ...FILE, '--base-url', baseUrl, '--ledger', ledger];
    const { exitCode, stdout, stderr } = await site.cli(...words);
    return [exitCode, stdout + stderr];
  };
  const says = (text: string): string => expect.stringContaining(text) as string;
  expect(await verify(site.url, other.url)).toEqual([2, says(`Give --ledger ${site.url}; or`)]);
  expect(await verify(other.url, site.url)).toEqual([2, says('run_to_verify_missing')]);
  for (const { url } of [site, other])
    expect(await verify(url, `${url}/`)).toEqual([0, says('nothing differs in 4 rows')]);
  await site.cli('admin', 'reset');
  expect(await verify(site.url, site.url)).toEqual([2, says('Push again.\n')]);
});

test('a request for a ledger never carries the key of the platform', async () => {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    response.end(request.url === '/_local/health' ? '{"instance":"i"}' : '');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const site = await pushed();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await site.cli('verify', ...FILE, '--run-dir', 'none', '--base-url', url, '--ledger', url);
  expect(asked.length).toBeGreaterThan(1);
  expect(JSON.stringify(asked)).not.toContain('local-key');
  expect(asked.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
});
