import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const TESTS = join(import.meta.dirname, '..');

/** The list of bad inputs numbers the inputs of the server in three groups. */
const GROUPS = [
  ['HTTP', 'H', 68],
  ['JSON', 'J', 34],
  ['meaning', 'S', 60],
] as const;

test.each(GROUPS)('every bad input of the server, %s, has a test with its id', (_, letter, count) => {
  const ids = Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`);
  const tests = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(TESTS, name), 'utf8'))
    .join('\n');
  expect(ids.filter((id) => !tests.includes(`[${id}]`))).toEqual([]);
});
