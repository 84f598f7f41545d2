import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { problemsOfIssues, valueAt } from '../../../src/core/rules/schema-problems.ts';
import { candidate } from '../../support/push-records.ts';

const item = z.strictObject({ name: z.string(), day: z.optional(z.string()) });
const schema = z.strictObject({
  text: z.string().check(z.minLength(2)),
  flag: z.optional(z.boolean()),
  count: z.optional(z.number()),
  kind: z.optional(z.enum(['A', 'B'])),
  item: z.optional(item),
  items: z.optional(z.array(item).check(z.minLength(1))),
  typed: z.optional(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('X') }),
      z.strictObject({ type: z.literal('Y') }),
    ]),
  ),
});

/** The problems of a document, as the server reads it: its numbers are exact. */
function problemsOf(body: object): readonly unknown[] {
  const input = candidate({ text: 'long', ...body });
  const parsed = schema.safeParse(input);
  if (parsed.success) return [];
  return problemsOfIssues(parsed.error.issues, input).map(({ severity, code, path, facts }) => {
    expect(severity).toBe('error');
    return [code, path.join('.'), ...(Object.keys(facts).length === 0 ? [] : [facts])];
  });
}

test('a record without a fault has no problem', () => {
  expect(problemsOf({ item: { name: 'n' }, items: [{ name: 'n' }], typed: { type: 'X' } })).toEqual([]);
});

describe('the fault of a value has the code and the facts of the platform', () => {
  test.each([
    ['a text that is missing', { text: undefined }, ['required', 'text']],
    ['null', { text: null }, ['null', 'text']],
    ['null for an object', { item: null }, ['null', 'item']],
    ['a text that is too short', { text: 'x' }, ['empty', 'text']],
    ['a text that is true', { text: true }, ['invalid', 'text', { expected: 'text' }]],
    ['a flag that is a text', { flag: 'yes' }, ['invalid', 'flag', { expected: 'true or false' }]],
    ['a value of another type', { count: 'x' }, ['invalid', 'count', { expected: 'valid' }]],
    ['a value beside a choice', { kind: 'C' }, ['invalid_choice', 'kind', { known: 'A, B' }]],
    [
      'an object of an unknown type',
      { typed: { type: 'Z' } },
      ['invalid_choice', 'typed.type', { known: 'the types of the object' }],
    ],
    ['a list that is a text', { items: 'x' }, ['not_a_list', 'items']],
    ['an empty list', { items: [] }, ['empty', 'items']],
    ['a text for an object', { item: 'x' }, ['invalid', 'item.non_field_errors', { expected: 'an object' }]],
    [
      'a text among objects',
      { items: [{ name: 'n' }, 'x'] },
      ['invalid', 'items.1.non_field_errors', { expected: 'an object' }],
    ],
    ['a field that nobody knows', { colour: 'x' }, ['unexpected_field', 'colour']],
    [
      'a field of an item that nobody knows',
      { items: [{ name: 'n', colour: 'x' }] },
      ['unexpected_field', 'items.0.colour'],
    ],
  ])('%s', (_, body, expected) => {
    expect(problemsOf(body)).toEqual([expected]);
  });

  test.each([
    ['an object', { item: 5 }, 'item'],
    ['an object in a list', { items: [{ name: 'n' }, 5] }, 'items.1'],
  ])('a number for %s is one fault, whatever fields are missing in it', (_, body, path) => {
    expect(problemsOf(body)).toEqual([['invalid', `${path}.non_field_errors`, { expected: 'an object' }]]);
  });

  test('two numbers for objects are two', () => {
    expect(problemsOf({ items: [5, 6] })).toEqual([
      ['invalid', 'items.0.non_field_errors', { expected: 'an object' }],
      ['invalid', 'items.1.non_field_errors', { expected: 'an object' }],
    ]);
  });
});

test('every field that nobody knows is a fault of its own', () => {
  expect(problemsOf({ a: 1, b: 2 })).toEqual([
    ['unexpected_field', 'a'],
    ['unexpected_field', 'b'],
  ]);
});

test('a path leads to its value, or nowhere', () => {
  const body = { list: [{ name: 'n' }], none: null };
  expect(valueAt(body, ['list', 0, 'name'])).toBe('n');
  expect(valueAt(body, ['list', 1, 'name'])).toBeUndefined();
  expect(valueAt(body, ['none', 'name'])).toBeUndefined();
  expect(valueAt(body, [])).toBe(body);
});
