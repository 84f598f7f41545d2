import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const TESTS = join(import.meta.dirname, '..');

/** bad-inputs.md numbers the bad inputs of the client from C001 to C152. */
const IDS = Array.from({ length: 152 }, (_, index) => `C${String(index + 1).padStart(3, '0')}`);

test('every bad input of the client has a test that names it', () => {
  const tests = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(TESTS, name), 'utf8'))
    .join('\n');
  expect(IDS.filter((id) => !tests.includes(`[${id}]`))).toEqual([]);
});
