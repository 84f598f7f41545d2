import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migration, type Migration } from '../support/migration.ts';
import { IMPORTED } from '../support/refused-account.ts';

const HEADER = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
const FIRST = [
  'ACME,1001,t-1,2026-02-01,CREDIT,10.10',
  'ACME,1003,t-2,2026-02-02,PAYMENT,20.20',
  'ACME,1001,t-3,2026-02-03,CREDIT,30.30',
] as const;
const NEW = 'ACME,1003,t-4,2026-02-04,CREDIT,40.40';

interface Document {
  readonly run: string | null;
  readonly exit: { readonly code: number };
  readonly rows: Readonly<Record<string, number>>;
  readonly left_out: readonly object[];
  readonly problems: readonly {
    readonly code: string;
    readonly line: number | null;
    readonly detail: string;
  }[];
}

async function push(site: Migration, name: string, rows: readonly string[], ...flags: readonly string[]) {
  const file = site.csv(name, HEADER, ...rows);
  const { json, exitCode, stderr } = await site.cli('push', 'transactions', file, '--json', ...flags);
  const document = json() as unknown as Document;
  expect({ stderr, exitCode }).toMatchObject({ exitCode: document.exit.code });
  return { ...document, file };
}

/** A finished run of the first version of a file. */
async function first() {
  const site = await migration(IMPORTED);
  const { run } = await push(site, 'v1.csv', FIRST);
  return { site, since: ['--only-new', '--since', run!], run: run! };
}

async function ledgerIds(site: Migration): Promise<readonly string[]> {
  const text = await (await fetch(`${site.url}/_local/ledger`)).text();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { data: { transaction_id: string } }).data.transaction_id);
}

describe('push --only-new', () => {
  test('sends the new record of a second version and no other', async () => {
    const { site, since } = await first();
    const { exit, rows, left_out } = await push(site, 'v2.csv', [NEW, ...FIRST], ...since);
    expect({ exit, rows, left_out }).toMatchObject({
      exit: { code: 0 },
      rows: { read: 4, created: 1, existing: 0, filtered: 3 },
      left_out: [{ reason: 'unchanged', place: null, count: 3 }],
    });
    expect(await ledgerIds(site)).toHaveLength(4);
  });

  test('sends nothing while a record has changed, and names both lines', async () => {
    const { site, since, run } = await first();
    const changed = FIRST.map((row) => row.replace('20.20', '20.21'));
    const { exit, problems } = await push(site, 'v2.csv', [NEW, ...changed], ...since);
    expect(exit.code).toBe(3);
    expect(problems).toMatchObject([{ code: 'record_changed', line: 4 }]);
    expect(problems[0]!.detail).toContain(`v1.csv:3 of the run ${run}`);
    expect(await ledgerIds(site)).toHaveLength(3);
  });

  test('without the check for changes the platform would keep the old amount', async () => {
    const { site } = await first();
    const changed = FIRST.map((row) => row.replace('20.20', '20.21'));
    const { rows, exit } = await push(site, 'v2.csv', [NEW, ...changed]);
    expect({ rows, code: exit.code }).toMatchObject({ rows: { created: 1 }, code: 6 });
  });

  test('sends the new records beside changed ones with --skip-invalid, and says so in its exit code', async () => {
    const { site, since } = await first();
    const changed = FIRST.map((row) => row.replace('20.20', '20.21'));
    const { exit, rows } = await push(site, 'v2.csv', [NEW, ...changed], ...since, '--skip-invalid');
    expect({ exit, rows }).toMatchObject({
      exit: { code: 6 },
      rows: { read: 4, created: 1, invalid: 1, filtered: 2 },
    });
  });

  test('refuses a record that has moved to another account', async () => {
    const { site, since } = await first();
    const moved = FIRST.map((row) => row.replace('1003,t-2', '1001,t-2'));
    const { exit, problems } = await push(site, 'v2.csv', moved, ...since);
    expect({ exit, problems }).toMatchObject({
      exit: { code: 3 },
      problems: [{ code: 'record_moved', line: 3 }],
    });
    expect(await ledgerIds(site)).toHaveLength(3);
  });

  test('refuses a record that has moved to an account of another shard', async () => {
    const { site, since } = await first();
    const moved = FIRST.map((row) => row.replace('1003,t-2', '1001,t-2'));
    // The account 1001 belongs to the second shard, and 1003 to the first.
    const { exit, problems } = await push(site, 'v2.csv', moved, ...since, '--shard', '2/2');
    expect({ exit, problems }).toMatchObject({
      exit: { code: 3 },
      problems: [{ code: 'record_moved', line: 3 }],
    });
    expect(await ledgerIds(site)).toHaveLength(3);
    const other = await push(site, 'v2.csv', moved, ...since, '--shard', '1/2');
    expect(other).toMatchObject({ exit: { code: 0 }, problems: [{ code: 'record_vanished' }] });
  });

  test('warns of each record that the second version has no more', async () => {
    const { site, since, run } = await first();
    const { exit, problems } = await push(site, 'v2.csv', [FIRST[0], NEW], ...since);
    expect(exit.code).toBe(0);
    expect(problems.map(({ code, detail }) => [code, /\S+:\d+ of the run \S+/.exec(detail)![0]])).toEqual([
      ['record_vanished', expect.stringContaining(`v1.csv:4 of the run ${run}`)],
      ['record_vanished', expect.stringContaining(`v1.csv:3 of the run ${run}`)],
    ]);
  });

  test('compares a third version with the second, which left the first one out', async () => {
    const { site, since } = await first();
    const second = await push(site, 'v2.csv', [...FIRST, NEW], ...since);
    const third = [...FIRST, NEW, 'ACME,1001,t-5,2026-02-05,CREDIT,50.50'];
    const { rows, problems } = await push(site, 'v3.csv', third, '--only-new', '--since', second.run!);
    expect({ rows, problems }).toMatchObject({ rows: { created: 1, filtered: 4 }, problems: [] });
  });

  test('sends a record that the earlier run did not bring to the platform', async () => {
    const site = await migration(IMPORTED);
    const refused = await push(
      site,
      'v1.csv',
      ['ACME,9999,t-9,2026-02-01,CREDIT,1.00', ...FIRST],
      '--on-reject',
      'skip',
    );
    expect(refused.rows).toMatchObject({ created: 3, rejected: 1 });
    const corrected = ['ACME,1001,t-9,2026-02-01,CREDIT,1.00', ...FIRST];
    const { exit, rows } = await push(site, 'v2.csv', corrected, '--only-new', '--since', refused.run!);
    expect({ exit, rows }).toMatchObject({ exit: { code: 0 }, rows: { created: 1, filtered: 3 } });
  });

  test('is proven by verify, as the run of the whole second version', async () => {
    const { site, since } = await first();
    const { file, run } = await push(site, 'v2.csv', [NEW, ...FIRST], ...since);
    const { exitCode } = await site.cli('verify', 'transactions', file, '--run', run!, '--ledger', site.url);
    expect(exitCode).toBe(0);
  });

  test('begins once as a line of --continue', async () => {
    const { site, since } = await first();
    const begun = await push(site, 'v2.csv', [NEW, ...FIRST], '--continue', ...since);
    const again = await push(site, 'v2.csv', [NEW, ...FIRST], '--continue', ...since);
    expect(again).toMatchObject({ run: begun.run, exit: { code: 0 }, rows: { created: 1, filtered: 3 } });
  });

  test.each([
    [['--only-new'], 'need each other'],
    [['--since', 'x'], 'need each other'],
    [['--only-new', '--since', 'x', '--max-records', '2'], 'whole files'],
  ])('refuses %j', async (flags, reason) => {
    const site = await migration(IMPORTED);
    const file = site.csv('v.csv', HEADER, ...FIRST);
    const { exitCode, stderr } = await site.cli('push', 'transactions', file, ...flags);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(reason) as unknown });
  });

  test('refuses a run of another resource, and leaves no run behind', async () => {
    const { site, run } = await first();
    const file = site.csv('n.csv', 'import_supplier,external_account_number,body', 'ACME,1001,called');
    const { exitCode, stderr } = await site.cli('push', 'notes', file, '--only-new', '--since', run);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('not notes') as unknown,
    });
    const { json } = await site.cli('runs', '--json');
    expect((json() as unknown as { runs: readonly { run: string }[] }).runs.map((each) => each.run)).toEqual([
      run,
    ]);
  });
});

describe('runs diff', () => {
  test('lists what a second version changed, added and lost', async () => {
    const { site, run } = await first();
    const rows = [NEW, FIRST[0], FIRST[1].replace('20.20', '20.21')];
    const second = await push(site, 'v2.csv', rows);
    const { json, exitCode } = await site.cli('runs', 'diff', run, second.run!, '--json');
    const document = json() as unknown as {
      readonly records: object;
      readonly differences: readonly {
        kind: string;
        earlier: { file: string; line: number } | null;
        later: { line: number } | null;
        fields: readonly string[];
      }[];
    };
    expect(exitCode).toBe(6);
    expect(document.records).toEqual({
      earlier: 3,
      later: 3,
      unchanged: 1,
      changed: 1,
      moved: 0,
      new: 1,
      vanished: 1,
    });
    const found = document.differences.map(({ kind, earlier, later, fields }) => [
      kind,
      earlier && `${basename(earlier.file)}:${earlier.line}`,
      later?.line ?? null,
      fields,
    ]);
    expect(found).toEqual(
      expect.arrayContaining([
        ['changed', 'v1.csv:3', 4, ['amount', 'content']],
        ['new', null, 2, []],
        ['vanished', 'v1.csv:4', null, []],
      ]),
    );
  });

  test('finds no difference between a run and a run of the same content', async () => {
    const { site, run } = await first();
    const again = await push(site, 'v2.csv', FIRST);
    const { exitCode, stdout } = await site.cli('runs', 'diff', run, again.run!);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringContaining('3 unchanged') as unknown,
    });
  });

  test('says that a record has moved to another account', async () => {
    const { site, run } = await first();
    const rows = FIRST.map((row) => row.replace('1003,t-2', '1001,t-2'));
    const second = await push(site, 'v2.csv', rows);
    const { json } = await site.cli('runs', 'diff', run, second.run!, '--json');
    expect(json()).toMatchObject({ records: { unchanged: 2, moved: 1, new: 0, vanished: 0 } });
  });
});
