import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const TESTS = join(import.meta.dirname, '..');

/** The list of bad inputs numbers those of the client that are about files, rows and cells from C001 to C137. */
const IDS = Array.from({ length: 137 }, (_, index) => `C${String(index + 1).padStart(3, '0')}`);

test('every bad input about files, rows and cells has a test that names it', () => {
  const tests = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(TESTS, name), 'utf8'))
    .join('\n');
  expect(IDS.filter((id) => !tests.includes(`[${id}]`))).toEqual([]);
});
