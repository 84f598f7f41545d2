import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migration, type Migration } from '../support/migration.ts';
import { HEADER, IMPORTED } from '../support/refused-account.ts';

const FIRST = [
  'ACME,1001,t-1,2026-02-01,CREDIT,10.10',
  'ACME,1003,t-2,2026-02-02,PAYMENT,20.20',
  'ACME,1001,t-3,2026-02-03,CREDIT,30.30',
] as const;
const NEW = 'ACME,1003,t-4,2026-02-04,CREDIT,40.40';

/** Pushes rows as a file, and returns the run. */
async function push(site: Migration, name: string, rows: readonly string[], ...flags: readonly string[]) {
  const file = site.csv(name, HEADER, ...rows);
  const { json } = await site.cli('push', 'transactions', file, '--json', ...flags);
  return { run: String(json()['run']) };
}

/** A finished run of the first version of a file. */
async function first() {
  const site = await migration(IMPORTED);
  return { site, ...(await push(site, 'v1.csv', FIRST)) };
}

describe('runs diff', () => {
  test('lists what a second version changed, added and lost', async () => {
    const { site, run } = await first();
    const rows = [NEW, FIRST[0], FIRST[1].replace('20.20', '20.21')];
    const second = await push(site, 'v1.csv', rows, '--skip-invalid');
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

  test('finds no difference between a run and a run of the same values', async () => {
    const { site, run } = await first();
    const again = await push(
      site,
      'v1.csv',
      FIRST.map((row) => row.replace(/0$/, '')),
    );
    expect(again.run).not.toBe(run);
    const { exitCode, stdout } = await site.cli('runs', 'diff', run, again.run!);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringContaining('3 unchanged') as unknown,
    });
  });

  test('says that a record has moved to another account', async () => {
    const { site, run } = await first();
    const rows = FIRST.map((row) => row.replace('1003,t-2', '1001,t-2'));
    const second = await push(site, 'v1.csv', rows);
    const { json } = await site.cli('runs', 'diff', run, second.run!, '--json');
    expect(json()).toMatchObject({ records: { unchanged: 2, moved: 1, new: 0, vanished: 0 } });
  });

  test('compares versions that have both sent nothing of their own twice', async () => {
    const { site } = await first();
    const second = await push(site, 'v1.csv', [...FIRST, NEW]);
    const third = await push(site, 'v1.csv', [...FIRST.slice(1), NEW, NEW.replace('t-4', 't-5')]);
    const { json } = await site.cli('runs', 'diff', second.run, third.run, '--json');
    expect(json()).toMatchObject({
      records: { earlier: 4, later: 4, unchanged: 3, changed: 0, moved: 0, new: 1, vanished: 1 },
    });
  });
});
