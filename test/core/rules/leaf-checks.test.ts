import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { date, objectOnly, text } from '../../../src/core/contract/field.ts';
import { leafChecks, pathOf } from '../../../src/core/rules/leaf-checks.ts';

/** Reports each text as `path value`, with what the caller gives. */
const texts = leafChecks<string, string>(({ kind }) =>
  kind === 'text' ? (value, place, given) => [`${pathOf(place).join('.')} ${String(value)}${given}`] : null,
);

test('every leaf of a kind is checked, at any depth, in the order of the schema', () => {
  const schema = z.object({
    name: text(),
    day: date(),
    list: z.optional(z.array(z.object({ day: date(), name: z.optional(z.nullable(text())) }))),
    inner: z.optional(objectOnly(z.object({ name: text() }))),
    free: z.optional(z.unknown()),
  });
  const record = {
    inner: { name: 'd' },
    list: [{ day: '2026-01-01', name: 'b' }, { day: '2026-01-01' }, { day: '2026-01-01', name: 'c' }],
    name: 'a',
    day: '2026-01-01',
    free: 'x',
  };
  expect(texts(schema, record, '!')).toEqual([
    'name a!',
    'list.0.name b!',
    'list.2.name c!',
    'inner.name d!',
  ]);
});

test('a leaf that is missing or null is not checked', () => {
  const schema = z.object({ one: z.optional(text()), two: z.nullable(text()) });
  expect(texts(schema, { two: null }, '')).toEqual([]);
  expect(texts(schema, { one: 'x', two: null }, '')).toEqual(['one x']);
});

test('a schema without such a leaf has nothing to check', () => {
  expect(
    texts(z.object({ day: date(), days: z.array(z.object({ day: date() })) }), { day: 'x', days: [] }, ''),
  ).toEqual([]);
});

test('a value by itself is checked with an empty path', () => {
  expect(texts(text(), 'x', '')).toEqual([' x']);
});
