import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { folderWith } from '../support/mapping-files.ts';

const BODY = 'Rief an; die Zählerstände (漢字) fehlen.\n'.repeat(100);

/** More than 4 MB with all kinds of rows. */
const ROWS = Array.from({ length: 1_200 }, (_, row) => {
  const account = row % 100 === 7 ? '' : row % 50;
  const at = row % 90 === 3 ? 'never' : `2025-01-01T00:00:${String(row % 60).padStart(2, '0')}Z`;
  return `ACME,${account},${at},"${row} ""${BODY}"""${row % 200 === 9 ? ',one more' : ''}\n`;
});
const fileOf = (rows: readonly string[]): string =>
  `import_supplier,external_account_number,created_at,body\n${rows.join('')}`;

async function check(csv: string, threads: number): Promise<Readonly<Record<string, unknown>>> {
  const folder = folderWith({ 'n.csv': csv });
  const argv = ['check', 'notes', 'n.csv', '--shard', '1/2', '--rejects', 'r.csv', '--left-out', 'l.csv'];
  const { exitCode, json } = await runCli(
    [...argv, '--threads', String(threads), '--json'],
    fakeIo({ cwd: folder }),
  );
  const { duration_ms: _, ...document } = json();
  const [rejects, leftOut] = ['r.csv', 'l.csv'].map((name) => readFileSync(join(folder, name), 'utf8'));
  return { exitCode, document, rejects, leftOut };
}

test('the answer of a check is the same with one thread and with two', async () => {
  let threads = 0;
  const count = (): void => void threads++;
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  const one = await check(fileOf(ROWS), 1);
  expect([one['exitCode'], threads]).toEqual([3, 0]);
  expect(await check(fileOf(ROWS), 2)).toEqual(one);
  expect(threads).toBeGreaterThan(0);
});

test('a small file is read without a second thread', async () => {
  const count = (): void => expect.fail('a thread was started');
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  await check(fileOf(ROWS.slice(0, 200)), 2);
});
