import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../support/cli-io.ts';
import { migration, type Migration } from '../../support/migration.ts';
import { HEADER, IMPORTED } from '../../support/refused-account.ts';

const ROWS = Array.from({ length: 2_000 }, (_, index) => `ACME,1001,t-${index},2026-02-01,CREDIT,1.00`);
const PUSH = ['push', 'transactions', 't.csv'] as const;

/** A run of which everything has arrived, so that its texts are erased. */
async function finished(): Promise<Migration> {
  const site = await migration(IMPORTED);
  site.csv('t.csv', HEADER, ...ROWS);
  expect((await site.cli(...PUSH)).exitCode).toBe(0);
  return site;
}

test('a finished run gets its texts from the files, and every record is sent once more', async () => {
  const site = await finished();
  const { exitCode, stdout } = await site.cli(...PUSH, '--again');
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('2000 rows read: 2000 already there')]);
});

test('a finished run stays finished when reading its files again is interrupted', async () => {
  const site = await finished();
  const [run] = readdirSync(join(site.cwd, '.dataimport', 'runs'))
    .filter((name) => name.endsWith('.sqlite'))
    .map((name) => name.replace('.sqlite', ''));
  const before = await site.cli('runs', 'show', run!, '--json');
  const io = site.io();
  // First the wait for the platform begins, and then the progress of reading.
  let begun = 0;
  const every: typeof io.every = (ms, act) => {
    if (++begun === 2) io.raise('SIGINT');
    return io.every(ms, act);
  };
  const stopped = await runCli([...PUSH, '--again'], { ...io, every });
  expect(stopped.exitCode).toBe(130);
  expect(stopped.stdout).toContain('2000 rows read: 2000 created\n');
  expect(stopped.stdout).not.toContain('incomplete');
  expect(stopped.stdout).toContain('next: dataimport push transactions t.csv --again\n');
  expect((await site.cli('runs', 'show', run!, '--json')).stdout).toBe(before.stdout);
  const { exitCode, stdout } = await site.cli('resume');
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('2000 rows read: 2000 created')]);
});
