import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { extend, jsonSchemaOf, publish } from '../../../../src/cli/mapping/language/published-schema.ts';
import {
  filledList,
  filledText,
  oneCharacter,
  oneOrMore,
  pattern,
  text,
  timeOfDay,
  wholeNumber,
  withOneOf,
  yesNo,
} from '../../../../src/cli/mapping/language/schemas.ts';
import type { Problem } from '../../../../src/core/problem.ts';
import { described } from '../../../../src/core/schema.ts';

/** The value that a schema makes of an input, or what is expected instead. */
function read(schema: z.ZodMiniType, input: unknown): unknown {
  const result = schema.safeParse(input);
  if (result.success) return { is: result.data };
  return result.error.issues.map((issue) => {
    if (issue.code !== 'custom') return issue.code;
    const { code, facts, path } = (issue.params as { problem: Problem }).problem;
    expect(path).toEqual([]);
    return String(facts['expected'] ?? `${code} ${String(facts['needed'])}`);
  });
}

/** The JSON Schema of a key, without the address of the draft. */
function published(schema: z.ZodMiniType): unknown {
  return (jsonSchemaOf(z.strictObject({ key: schema }))['properties'] as { key: unknown }).key;
}

/** Makes a schema, in the test that looks at it. */
type Make = () => z.ZodMiniType;

const QUICK = expect.stringMatching(/^a regular expression that ends soon for every text: /);

test.each<readonly [string, unknown, Make, unknown]>([
  ['a text', '01', text, { is: '01' }],
  ['a text', '', text, { is: '' }],
  ['a text', 1, text, ['invalid_type']],
  ['a filled text', ' ', filledText, { is: ' ' }],
  ['a filled text', '', filledText, ['a text that is not empty']],
  ['yes or no', 'true', yesNo, { is: true }],
  ['yes or no', 'false', yesNo, { is: false }],
  ['yes or no', 'yes', yesNo, ['invalid_value']],
  ['a whole number', '2', () => wholeNumber(2, 12), { is: 2 }],
  ['a whole number', '12', () => wholeNumber(2, 12), { is: 12 }],
  ['a whole number', '1', () => wholeNumber(2, 12), ['a whole number from 2 to 12']],
  ['a whole number', '13', () => wholeNumber(2, 12), ['a whole number from 2 to 12']],
  ['a whole number', '0', () => wholeNumber(0, 12), { is: 0 }],
  ['a whole number', '07', () => wholeNumber(0, 12), ['a whole number from 0 to 12']],
  ['a whole number', '7.0', () => wholeNumber(0, 12), ['a whole number from 0 to 12']],
  ['a whole number', ' 7', () => wholeNumber(0, 12), ['a whole number from 0 to 12']],
  ['a whole number', '1x', () => wholeNumber(0, 12), ['a whole number from 0 to 12']],
  ['a whole number', '-0', () => wholeNumber(0, 12), ['a whole number from 0 to 12']],
  ['a whole number', '999999999', () => wholeNumber(0, 2_000_000_000), { is: 999_999_999 }],
  [
    'a whole number',
    '1000000000',
    () => wholeNumber(0, 2_000_000_000),
    ['a whole number from 0 to 2000000000'],
  ],
  ['a character', ';', oneCharacter, { is: ';' }],
  ['a character', '😀', oneCharacter, { is: '😀' }],
  ['a character', '', oneCharacter, ['one character']],
  ['a character', ';;', oneCharacter, ['one character']],
  ['a pattern', '^a{2}$', pattern, { is: '^a{2}$' }],
  ['a pattern', String.raw`\p{L}`, pattern, { is: String.raw`\p{L}` }],
  ['a pattern', '(', pattern, ['a regular expression: Unterminated group']],
  ['a pattern', String.raw`\-`, pattern, ['a regular expression: Invalid escape']],
  ['a pattern', '(a+)+$', pattern, [QUICK]],
  ['a time', '23:59:59', timeOfDay, { is: '23:59:59' }],
  ['a time', '09:30', timeOfDay, { is: '09:30:00' }],
  ['a time', '19:00', timeOfDay, { is: '19:00:00' }],
  ...['24:00', '9:30', '12:60', '12:30:60', '12:30:1', '12:30:000', 'x12:30', '12:30 ', '12', '2a:30'].map(
    (given) => ['a time', given, timeOfDay, ['a time of day such as 12:00:00']] as const,
  ),
  ['a list', ['a'], () => filledList(text()), { is: ['a'] }],
  ['a list', [], () => filledList(text()), ['too_small']],
  ['one or more', 'a', () => oneOrMore(text()), { is: ['a'] }],
  ['one or more', ['a', 'b'], () => oneOrMore(text()), { is: ['a', 'b'] }],
  ['one or more', [], () => oneOrMore(text()), ['too_small']],
])('%s is read of %j', (_, input, make, expected) => {
  expect(read(make(), input)).toEqual(expected);
});

describe('an object that needs one of several groups of keys', () => {
  const keys = ['a', 'b', 'c'].map((name) => [name, z.optional(z.string())]);
  const schema = () =>
    withOneOf(z.strictObject(Object.fromEntries(keys) as z.core.$ZodShape), [['a'], ['b', 'c']]);

  test.each<readonly [string, boolean]>([
    ['a', true],
    ['bc', true],
    ['', false],
    ['b', false],
    ['c', false],
    ['ab', false],
    ['abc', false],
  ])('with the keys %j: %j', (given, isFine) => {
    const value = Object.fromEntries(Array.from(given, (key) => [key, 'x']));
    expect(read(schema(), value)).toEqual(
      isFine ? { is: value } : ['mapping_needs exactly one of `a`, `b` with `c`'],
    );
  });

  test('says so in what is published, each time that it is demanded', () => {
    const first = {
      oneOf: [
        { required: ['a'], not: { anyOf: [{ required: ['b'] }, { required: ['c'] }] } },
        { required: ['b', 'c'], not: { anyOf: [{ required: ['a'] }] } },
      ],
    };
    expect(published(schema())).toMatchObject({ type: 'object', allOf: [first] });
    const second = {
      oneOf: [
        { required: ['a', 'b'], not: { anyOf: [] } },
        // The key of both groups does not decide.
        { required: ['a'], not: { anyOf: [{ required: ['b'] }] } },
      ],
    };
    expect(published(withOneOf(schema(), [['a', 'b'], ['a']]))).toMatchObject({ allOf: [first, second] });
  });

  test('goes on, so that all problems of the object are reported', () => {
    const both = withOneOf(schema(), [['c']]);
    expect(read(both, {})).toEqual([
      'mapping_needs exactly one of `a`, `b` with `c`',
      'mapping_needs exactly one of `c`',
    ]);
  });
});

describe('what is published of', () => {
  const anyOf = [{ type: 'string', minLength: 1 }, { type: ['number', 'boolean'] }];
  test.each<readonly [string, Make, unknown]>([
    ['a text', text, { type: ['string', 'number', 'boolean', 'null'] }],
    ['a text with a shape of its own', () => text(undefined, { type: 'string' }), { type: 'string' }],
    ['a filled text', filledText, { anyOf }],
    ['yes or no', yesNo, { type: 'boolean' }],
    ['a whole number', () => wholeNumber(2, 12), { type: 'integer', minimum: 2, maximum: 12 }],
    [
      'a character',
      oneCharacter,
      {
        anyOf: [
          { type: 'string', minLength: 1, maxLength: 1 },
          { type: 'integer', minimum: 0, maximum: 9 },
        ],
      },
    ],
    ['a list', () => filledList(yesNo()), { type: 'array', minItems: 1, items: { type: 'boolean' } }],
    [
      'one or more',
      () => oneOrMore(yesNo()),
      { anyOf: [{ type: 'boolean' }, { type: 'array', minItems: 1, items: { type: 'boolean' } }] },
    ],
    [
      'a key with a description',
      () => described(wholeNumber(0, 1), 'How many.'),
      { description: 'How many.', type: 'integer', minimum: 0, maximum: 1 },
    ],
    ['what nothing is said of', () => z.number(), { type: 'number' }],
  ])('%s', (_, make, expected) => {
    expect(published(make())).toEqual(expected);
  });

  test('a time is what is read as one', () => {
    const { type, pattern: shape } = published(timeOfDay()) as { type: string; pattern: string };
    expect(type).toBe('string');
    expect(['09:30', '09:30:00', '9:30', '24:00'].map((time) => new RegExp(shape, 'u').test(time))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('a schema may not change by what its reader does with it', () => {
    const shape = { enum: ['a'] };
    const schema = publish(z.string(), shape);
    (published(schema) as typeof shape).enum.push('b');
    expect(published(schema)).toEqual({ enum: ['a'] });
  });

  test('a schema of one that replaces what is published demands more', () => {
    const from = publish(z.string(), { type: 'string' });
    const schema = extend(from.check(z.minLength(2)), from, { format: 'x' });
    expect(published(schema)).toEqual({ type: 'string', minLength: 2, allOf: [{ format: 'x' }] });
  });

  test('the whole is a schema of the draft 2020-12', () => {
    expect(jsonSchemaOf(z.strictObject({}))).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {},
      additionalProperties: false,
    });
  });
});
