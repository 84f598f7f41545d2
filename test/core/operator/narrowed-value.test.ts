import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import {
  choice,
  date,
  decimal,
  FIELD_FACTS,
  flag,
  minorUnits,
  text,
} from '../../../src/core/contract/field.ts';
import type { FieldRules } from '../../../src/core/operator/contract.ts';
import { optional, required, shapeUnder, type End } from '../../../src/core/operator/narrowed-value.ts';
import { Decimal } from '../../../src/core/values/decimal.ts';

type Rules = Omit<FieldRules, 'from'>;

/** The field `x` of the interface under rules, or a field that the rules add. */
function under(base: z.ZodMiniType | undefined, rules: Rules, end: End = 'file'): z.ZodMiniType {
  const shape: Record<string, z.ZodMiniType> = base ? { x: base } : {};
  return z.strictObject(shapeUnder(shape, { x: { from: '', ...rules } }, end));
}

/** The codes and facts of the problems of `x`; a field that no schema has is `unrecognized_keys`. */
function problems(schema: z.ZodMiniType, ...x: readonly unknown[]): readonly unknown[] {
  const { error } = schema.safeParse(x.length === 0 ? {} : { x: x[0] });
  return (error?.issues ?? []).map((issue) =>
    issue.code === 'custom' ? Object.values(issue.params ?? {}) : issue.code,
  );
}

const dec = (value: string): Decimal => Decimal.of(value);

describe('a field', () => {
  test('that the contract does not name stays as it is', () => {
    const own = text();
    expect(shapeUnder({ x: own }, {}, 'file')).toEqual({ x: own });
  });

  test('that the operator does not have is refused', () => {
    expect(problems(under(text(), { absent: true }), 'a')).toEqual(['unrecognized_keys']);
    expect(problems(under(text(), { absent: true }))).toEqual([]);
  });

  test('that is no field of the interface has to be added', () => {
    expect(problems(under(undefined, { max_length: 2 }), 'a')).toEqual(['unrecognized_keys']);
    expect(problems(under(undefined, { adds: 'text' }), 'a')).toEqual([]);
  });

  test('that is added comes last', () => {
    const added = { z: { from: '', adds: 'text' }, y: { from: '', max_length: 2 } } as const;
    expect(Object.keys(shapeUnder({ x: text(), y: text() }, added, 'file'))).toEqual(['x', 'y', 'z']);
  });

  test.each<[string, z.ZodMiniType | undefined, Rules, boolean, boolean]>([
    ['optional in the interface', z.optional(text()), { max_length: 5 }, false, false],
    ['required by the contract', z.optional(text()), { required: true }, true, false],
    ['required in the interface', text(), { max_length: 5 }, true, false],
    ['that may be null in the interface', z.optional(z.nullable(text())), { max_length: 5 }, false, true],
    ['that may not be null by the contract', z.optional(z.nullable(text())), { null: false }, false, false],
    ['that may be null and is required', z.optional(z.nullable(text())), { required: true }, true, true],
    ['added', undefined, { adds: 'text' }, false, false],
    ['added and required', undefined, { adds: 'text', required: true }, true, false],
    ['added, which may be null', undefined, { adds: 'text', null: true }, false, true],
    ['of another kind', text(), { adds: 'date' }, true, false],
    ['of another kind, optional', z.optional(text()), { adds: 'date' }, false, false],
    ['of another kind, required', z.optional(text()), { adds: 'date', required: true }, true, false],
  ])('%s', (_, base, rules, isRequired, isNullable) => {
    const schema = under(base, rules);
    expect(problems(schema).length > 0, 'left out').toBe(isRequired);
    expect(problems(schema, null).length === 0, 'null').toBe(isNullable);
  });

  test('becomes required or optional once', () => {
    const inner = text();
    expect(required(z.optional(inner))).toBe(inner);
    expect(required(inner)).toBe(inner);
    const outer = z.optional(inner);
    expect(optional(outer)).toBe(outer);
    expect(optional(inner).safeParse(undefined).success).toBe(true);
  });
});

describe('a text', () => {
  test.each<[Rules, string, readonly unknown[]]>([
    [{ max_length: 3 }, 'abc', []],
    [{ max_length: 3 }, 'abcd', [['max_length', { limit: '3 characters' }]]],
    // Three characters of two UTF-16 units each.
    [{ max_length: 3 }, '😀😀😀', []],
    [{ min_length: 3 }, 'abc', []],
    [{ min_length: 3 }, 'ab', [['min_length', { limit: '3 characters' }]]],
    [{ min_length: 3 }, '😀😀', [['min_length', { limit: '3 characters' }]]],
    [{ min_length: 3 }, '', [['blank']]],
    [{ values: ['A', 'B'] }, 'B', []],
    [{ values: ['A', 'B'] }, 'b', [['invalid_choice', { known: 'A, B' }]]],
    [{ patterns: ['^A', 'Z$'] }, 'AxZ', []],
    [{ patterns: ['^A', 'Z$'] }, 'Ax', [['invalid', { expected: 'a text that matches Z$' }]]],
    [{ max_length: 3, patterns: ['^A'] }, 'bcde', [['max_length', { limit: '3 characters' }]]],
  ])('under %j: %j', (rules, value, expected) => {
    expect(problems(under(undefined, { adds: 'text', ...rules }), value)).toEqual(expected);
    expect(problems(under(undefined, { adds: 'text', ...rules }, 'wire'), value)).toEqual(expected);
    expect(problems(under(text({ mayBeEmpty: true }), rules), value)).toEqual(expected);
  });

  test('shows twelve of its values', () => {
    const values = Array.from({ length: 13 }, (_, index) => `V${index}`);
    const [[, facts]] = problems(under(text(), { values }), 'x') as [[string, { known: string }]];
    expect(facts.known).toBe(`${values.slice(0, 12).join(', ')}, and 1 more`);
  });

  const factsOf = (base: z.ZodMiniType, rules: Rules) =>
    FIELD_FACTS.get(shapeUnder({ x: base }, { x: { from: '', ...rules } }, 'file')['x']!);

  test('has the narrower limit, and its values instead of those that the interface knows', () => {
    expect(factsOf(text({ max: 5, known: ['A'] }), { max_length: 9 })).toMatchObject({
      max: 5,
      known: ['A'],
    });
    expect(factsOf(text({ max: 5 }), { max_length: 3 })).toMatchObject({ max: 3 });
    expect(factsOf(text(), { max_length: 3 })).toMatchObject({ max: 3 });
    const listed = factsOf(text({ known: ['A'] }), { values: ['B'] });
    expect(listed).toMatchObject({ kind: 'text', values: ['B'] });
    expect(listed!.known).toBeUndefined();
  });

  test.each<[Rules, boolean]>([
    [{ max_length: 3 }, true],
    [{ min_length: 0 }, true],
    [{ min_length: 1 }, false],
    [{ values: ['A'] }, false],
    [{ values: ['A', ''] }, true],
  ])('under %j may be empty: %s', (rules, mayBeEmpty) => {
    expect(factsOf(text({ mayBeEmpty: true }), rules)!.mayBeEmpty).toBe(mayBeEmpty);
  });
});

describe('a decimal', () => {
  test.each<[Rules, string, readonly unknown[]]>([
    [{ digits: { whole: 2 } }, '99.999', []],
    [{ digits: { whole: 2 } }, '100', [['max_whole_digits', { limit: 2 }]]],
    [{ digits: { places: 1 } }, '100.5', []],
    [{ digits: { places: 1 } }, '1.25', [['max_decimal_places', { limit: 1 }]]],
    [{ minimum: '10' }, '10', []],
    [{ minimum: '10' }, '9.99', [['min_value', { limit: '10' }]]],
    [{ minimum: '-10' }, '-10', []],
    [{ minimum: '-10' }, '-10.01', [['min_value', { limit: '-10' }]]],
    [{ above: '0' }, '0.01', []],
    [{ above: '0' }, '0', [['invalid', { expected: 'greater than 0' }]]],
    [{ above: '0' }, '-5', [['invalid', { expected: 'greater than 0' }]]],
    [{ maximum: '10' }, '10', []],
    [{ maximum: '10' }, '10.01', [['max_value', { limit: '10' }]]],
    [{ maximum: '-10' }, '-9', [['max_value', { limit: '-10' }]]],
    [{ below: '10' }, '9.99', []],
    [{ below: '10' }, '10', [['invalid', { expected: 'less than 10' }]]],
    [{ below: '-1' }, '0', [['invalid', { expected: 'less than -1' }]]],
    [{ minimum: '1', maximum: '1000' }, '0', [['min_value', { limit: '1' }]]],
    [{ values: ['1', '2.5'] }, '2.50', []],
    [{ values: ['1', '2.5'] }, '2', [['invalid_choice', { known: '1, 2.5' }]]],
    [{ patterns: ['^\\d+$'] }, '12', []],
    [{ patterns: ['^\\d+$'] }, '1.2', [['invalid', { expected: 'a decimal that matches ^\\d+$' }]]],
  ])('under %j: %s', (rules, value, expected) => {
    expect(problems(under(undefined, { adds: 'decimal', ...rules }), value)).toEqual(expected);
    expect(problems(under(undefined, { adds: 'decimal', ...rules }, 'wire'), dec(value))).toEqual(expected);
  });

  test('of the interface keeps its bounds where the operator says nothing', () => {
    const amount = decimal({ whole: 3, places: 2, positive: true });
    expect(problems(under(amount, { digits: { whole: 2 } }), '1.234')).toEqual([
      ['max_decimal_places', { limit: 2 }],
    ]);
    expect(problems(under(amount, { digits: { places: 1 } }), '1000')).toEqual([
      ['max_whole_digits', { limit: 3 }],
    ]);
    expect(problems(under(amount, { digits: { places: 1 } }), '-1')).toEqual([
      ['min_value', { limit: '0.01' }],
    ]);
    expect(problems(under(minorUnits(), { digits: { whole: 3 } }), dec('1000'))).toEqual([
      ['max_whole_digits', { limit: 3 }],
    ]);
    expect(problems(under(minorUnits(), { maximum: '5' }), dec('1234567890123456'))).toEqual([
      ['max_whole_digits', { limit: 15 }],
    ]);
  });

  test('is sent as the operator says, and a platform takes no other form', () => {
    const rules = { adds: 'decimal', wire: 'string' } as const;
    expect(JSON.stringify(under(undefined, rules).parse({ x: '1.50' }))).toBe('{"x":"1.50"}');
    expect(problems(under(undefined, rules, 'wire'), dec('1.50'))).toHaveLength(1);
    expect(problems(under(undefined, rules, 'file'), dec('1.50'))).toEqual([]);
  });
});

describe('other kinds', () => {
  test.each<[Rules, unknown, boolean]>([
    [{ adds: 'date' }, '2026-01-31', true],
    [{ adds: 'date' }, '2026-01-32', false],
    [{ adds: 'date', patterns: ['-01$'] }, '2026-01-31', false],
    [{ adds: 'datetime' }, '2026-01-31T00:00:00Z', true],
    [{ adds: 'datetime' }, '2026-01-31', false],
    [{ adds: 'datetime', patterns: ['Z$'] }, '2026-01-31T00:00:00+01:00', false],
    [{ adds: 'boolean' }, true, true],
    [{ adds: 'boolean' }, 'true', false],
    [{ adds: 'json' }, [{ a: null }], true],
    [{ adds: 'list' }, ['a', 1], true],
    [{ adds: 'list' }, 'a', false],
    [{ adds: 'list', item: { from: '', adds: 'text' } }, ['a'], true],
    [{ adds: 'list', item: { from: '', adds: 'text' } }, [1], false],
    // An item that is left out would be a hole.
    [{ adds: 'list', item: { from: '', adds: 'text' } }, [undefined], false],
    [{ adds: 'object' }, {}, true],
    [{ adds: 'object' }, { a: 1 }, false],
    [{ adds: 'object', fields: { a: { from: '', adds: 'text' } } }, { a: 'x' }, true],
    [{ adds: 'object', fields: { a: { from: '', adds: 'text' } } }, { a: 'x', b: 'y' }, false],
    [{ adds: 'object', others: 'any' }, { b: [1] }, true],
    [{ adds: 'object', others: 'any' }, dec('1'), false],
    [{ adds: 'object', others: { from: '', adds: 'text', max_length: 2 } }, { b: 'xy' }, true],
    [{ adds: 'object', others: { from: '', adds: 'text', max_length: 2 } }, { b: 'xyz' }, false],
    [{ adds: 'text', or: { from: '', adds: 'decimal', maximum: '5' } }, 'x', true],
    [{ adds: 'text', or: { from: '', adds: 'decimal', maximum: '5' } }, dec('5'), true],
    [{ adds: 'text', or: { from: '', adds: 'decimal', maximum: '5' } }, dec('6'), false],
    [{ adds: 'text' }, dec('5'), false],
  ])('%j takes %j: %s', (rules, value, passes) => {
    expect(problems(under(undefined, rules), value).length === 0).toBe(passes);
  });

  const ofTypes: Rules = {
    adds: 'object',
    fields: { id: { from: '', adds: 'text', required: true } },
    types: {
      by: 'kind',
      of: { A: { from: '', fields: { a: { from: '', adds: 'text' } } }, B: { from: '' } },
    },
  };
  test.each<[object, boolean]>([
    [{ kind: 'A', id: '1', a: 'x' }, true],
    [{ kind: 'B', id: '1' }, true],
    [{ kind: 'B', id: '1', a: 'x' }, false],
    [{ kind: 'A' }, false],
    [{ kind: 'C', id: '1' }, false],
    [{ id: '1' }, false],
  ])('an object whose fields depend on its kind takes %j: %s', (value, passes) => {
    expect(problems(under(undefined, ofTypes), value).length === 0).toBe(passes);
  });

  test('a closed list keeps its values, or has those of the operator', () => {
    expect(problems(under(choice(['A', 'B']), {}), 'B')).toEqual([]);
    expect(problems(under(choice(['A', 'B']), { values: ['A'] }), 'B')).toEqual(['invalid_value']);
    expect(problems(under(flag(), {}), true)).toEqual([]);
    expect(problems(under(date(), { max_length: 3 }), '2026-01-31')).toHaveLength(1);
  });
});

describe('a list', () => {
  const list = (rules: Rules): z.ZodMiniType => under(undefined, { adds: 'list', ...rules });
  test.each<[Rules, number, readonly unknown[]]>([
    [{ max_items: 2 }, 2, []],
    [{ max_items: 2 }, 3, [['max_length', { limit: '2 items' }]]],
    [{ min_items: 2 }, 2, []],
    [{ min_items: 2 }, 1, [['min_length', { limit: '2 items' }]]],
    [{ min_items: 2 }, 0, [['empty']]],
    [{}, 0, []],
  ])('under %j with %i items', (rules, length, expected) => {
    expect(problems(list(rules), Array(length).fill('x'))).toEqual(expected);
  });

  test('of the interface that may not be empty stays so, unless the operator says how many', () => {
    const one = z.array(text()).check(z.minLength(1));
    expect(problems(under(one, { max_items: 2 }), [])).toEqual([['empty']]);
    expect(problems(under(one, { min_items: 0 }), [])).toEqual([]);
    expect(problems(under(z.array(text()), { max_items: 2 }), [])).toEqual([]);
  });

  test('of the interface has items under the rules of the operator', () => {
    const items = z.array(z.strictObject({ a: text() }));
    const rules = { item: { from: '', fields: { a: { from: '', max_length: 1 } } } };
    expect(problems(under(items, rules), [{ a: 'x' }])).toEqual([]);
    expect(problems(under(items, rules), [{ a: 'xy' }])).toEqual([['max_length', { limit: '1 characters' }]]);
    expect(problems(under(items, { max_items: 1 }), [{ a: 'xy' }])).toEqual([]);
    expect(problems(under(items, { max_items: 1 }), [{ b: 'xy' }])).not.toEqual([]);
  });
});
