import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataimport } from '../support/built-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HEADER = 'import_supplier,external_account_number,created_at,body';
const BODY = 'Asked for a meter reading; will call back. '.repeat(1_000);
const ROWS_PER_PART = 50;

/** A heap smaller than the file. */
const HEAP_MB = 20;

describe('a file of 24 MB', () => {
  test('[C011] is checked in a heap that is smaller than the file', async () => {
    const cwd = temporaryFolder();
    writeNotes(join(cwd, 'n.csv'), 24 * 1024 * 1024);
    const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` };
    const { exitCode, stdout } = await dataimport(['check', 'notes', 'n.csv', '--json'], { cwd, env });
    expect({ exitCode, rows: (JSON.parse(stdout) as { rows: unknown }).rows }).toMatchObject({
      exitCode: 0,
      rows: { invalid: 0 },
    });
  });
});

describe('[C126] the zone of the machine', () => {
  test('does not change the sent bytes', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'n.csv'), `${HEADER}\nACME,1001,2026-03-29T01:30:00+01:00,Moved out\n`);
    const argv = ['check', 'notes', 'n.csv', '--line', '2', '--json'];
    const printed = new Set<string>();
    for (const TZ of ['UTC', 'Asia/Tokyo', 'America/New_York']) {
      const { exitCode, stdout } = await dataimport(argv, { cwd, env: { TZ } });
      expect(exitCode).toBe(0);
      printed.add(stdout);
    }
    expect(printed.size).toBe(1);
  });
});

/** Writes notes until the file has so many bytes, one account for each part. */
function writeNotes(path: string, bytes: number): void {
  writeFileSync(path, `${HEADER}\n`);
  for (let part = 0, written = 0; written < bytes; part++) {
    const rows = Array.from(
      { length: ROWS_PER_PART },
      (_, index) => `ACME,${part},2025-01-01T00:00:00Z,${index} ${BODY}\n`,
    ).join('');
    appendFileSync(path, rows);
    written += rows.length;
  }
}
