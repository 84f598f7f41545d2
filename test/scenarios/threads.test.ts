import { availableParallelism } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { folderWith } from '../support/mapping-files.ts';

const BODY = 'Rief an; die Zählerstände (漢字) fehlen.\n'.repeat(100);

/** More than 4 MB. */
const ROWS = Array.from(
  { length: 1_200 },
  (_, row) => `ACME,${row % 50},2025-01-01T00:00:00Z,"${row} ""${BODY}"""\n`,
);

/** How many threads a check of these rows starts. */
async function threadsOfCheck(rows: readonly string[]): Promise<number> {
  let threads = 0;
  const count = (): void => void threads++;
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  const csv = `import_supplier,external_account_number,created_at,body\n${rows.join('')}`;
  const { exitCode } = await runCli(
    ['check', 'notes', 'n.csv'],
    fakeIo({ cwd: folderWith({ 'n.csv': csv }) }),
  );
  expect(exitCode).toBe(0);
  return threads;
}

test('a second thread reads a large file where the machine runs two at the same time', async () => {
  expect((await threadsOfCheck(ROWS)) > 0).toBe(availableParallelism() > 1);
});

test('a small file is read without a second thread', async () => {
  expect(await threadsOfCheck(ROWS.slice(0, 200))).toBe(0);
});
