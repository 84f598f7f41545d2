import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import {
  anyJson,
  choice,
  date,
  datetime,
  decimal,
  demandedDecimal,
  demandedText,
  FIELD_FACTS,
  flag,
  minorUnits,
  objectOnly,
  schemaBelow,
  text,
  textOrDecimal,
  unwrapped,
  type CheckFailure,
  type DecimalDemands,
} from '../../../src/core/contract/field.ts';
import { Decimal } from '../../../src/core/values/decimal.ts';
import { UnreadableNumber } from '../../../src/core/values/exact-json.ts';

/** The reason why a schema refuses a value: what the first issue carries. Undefined where it takes the value. */
function refusal(schema: z.ZodMiniType, value: unknown): unknown {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue && 'params' in issue ? issue.params : issue?.code;
}

const dec = (value: string): Decimal => Decimal.of(value);
const invalid = (expected: string): CheckFailure => ({ code: 'invalid', facts: { expected } });
const PLAIN = invalid('a plain decimal such as -1234.50');

describe('a text', () => {
  test.each<[unknown, unknown]>([
    ['abcde', undefined],
    // Five characters of two UTF-16 units each.
    ['😀😀😀😀😀', undefined],
    ['abcdef', { code: 'max_length', facts: { limit: '5 characters' } }],
    ['', { code: 'blank' }],
    [' \t', { code: 'blank' }],
    ['a\0', { code: 'null_characters_not_allowed' }],
    ['\ud800', invalid('well-formed Unicode text')],
  ])('of at most five characters: %j', (value, failure) => {
    expect(refusal(text({ max: 5 }), value)).toEqual(failure);
  });

  test('may be empty, but not blank, where it says so', () => {
    const schema = text({ mayBeEmpty: true });
    expect(refusal(schema, '')).toBeUndefined();
    expect(refusal(schema, ' ')).toEqual({ code: 'blank' });
  });
});

describe('a decimal', () => {
  const schema = decimal({ whole: 3, places: 2, positive: true });
  test.each<[unknown, unknown]>([
    [dec('999.99'), undefined],
    ['0.01', undefined],
    ['1000', { code: 'max_whole_digits', facts: { limit: 3 } }],
    ['1.001', { code: 'max_decimal_places', facts: { limit: 2 } }],
    ['0.00', { code: 'min_value', facts: { limit: '0.01' } }],
    ['-1', { code: 'min_value', facts: { limit: '0.01' } }],
    ['1,5', PLAIN],
    [true, PLAIN],
    [undefined, { code: 'required' }],
    [null, { code: 'null' }],
    [new UnreadableNumber('1e2'), PLAIN],
    [new UnreadableNumber('1e2', '100 without an exponent'), invalid('100 without an exponent')],
  ])('of three digits and two decimals, greater than 0: %s', (value, failure) => {
    expect(refusal(schema, value)).toEqual(failure);
  });

  test('may be 0 or less where it need not be positive', () => {
    expect(refusal(decimal({ whole: 3, places: 2 }), '-1')).toBeUndefined();
    expect(refusal(decimal({ whole: 3, places: 2 }), '0')).toBeUndefined();
  });
});

test.each<[unknown, unknown]>([
  [dec('123456789012345'), undefined],
  [dec('1234567890123456'), { code: 'max_whole_digits', facts: { limit: 15 } }],
  [dec('-5324'), undefined],
  [
    dec('53.24'),
    {
      code: 'invalid',
      facts: {
        expected: 'a whole number of minor units, such as 5324 for 53.24',
        remedy:
          'Say `unit: major` in a mapping file when the file has major units, such as 53.24; or correct the cell.',
      },
    },
  ],
  ['5324', invalid('a whole number of minor units, such as 5324 for 53.24')],
  [new UnreadableNumber('1e2', '100'), invalid('a whole number of minor units, such as 5324 for 53.24')],
  [undefined, { code: 'required' }],
  [null, { code: 'null' }],
])('an amount in minor units: %s', (value, failure) => {
  expect(refusal(minorUnits(), value)).toEqual(failure);
});

describe('a decimal under the contract of an operator', () => {
  const passes = (): undefined => undefined;
  const demanded = (demands: Partial<DecimalDemands>): z.ZodMiniType<Decimal> =>
    demandedDecimal({ facts: { kind: 'decimal' }, isWire: false, check: passes, ...demands });
  const asNumber = { kind: 'decimal', wire: 'number' } as const;
  const asString = { kind: 'decimal', wire: 'string' } as const;
  const LONG = '12345678901234567.89';

  test('is taken from a file in either form, and sent as the operator says', () => {
    for (const value of ['1.50', dec('1.50')]) {
      expect(JSON.stringify(demanded({ facts: asString }).parse(value))).toBe('"1.50"');
      expect(JSON.stringify(demanded({ facts: asNumber }).parse(value))).toBe('1.50');
    }
  });

  test('is refused in the other form by a platform', () => {
    const [number, string] = [asNumber, asString].map((facts) => demanded({ facts, isWire: true }));
    expect(refusal(number!, '1.50')).toEqual(invalid('a number'));
    expect(refusal(number!, dec('1.50'))).toBeUndefined();
    expect(refusal(string!, dec('1.50'))).toEqual(invalid('a decimal as text, such as "12.50"'));
    expect(refusal(string!, '1.50')).toBeUndefined();
    expect(refusal(demanded({ isWire: true }), '1.50')).toBeUndefined();
    expect(refusal(demanded({ isWire: true }), dec('1.50'))).toBeUndefined();
  });

  test('that floats do not keep is refused where the operator takes numbers only', () => {
    expect(refusal(demanded({ facts: asNumber }), LONG)).toEqual(
      invalid('a number that floats keep, as the operator takes numbers only'),
    );
    expect(refusal(demanded({ facts: asString }), LONG)).toBeUndefined();
    expect(refusal(demanded({}), LONG)).toBeUndefined();
  });

  test('has the limits of its facts, and those of the check after them', () => {
    const bounds = { whole: 2, places: 1 };
    const check = (value: Decimal): CheckFailure | undefined =>
      value.isNegative ? { code: 'min_value', facts: { limit: '0' } } : undefined;
    const schema = demanded({ facts: { kind: 'decimal', bounds }, check });
    expect(refusal(schema, '99.9')).toBeUndefined();
    expect(refusal(schema, '-100')).toEqual({ code: 'max_whole_digits', facts: { limit: 2 } });
    expect(refusal(schema, '1.25')).toEqual({ code: 'max_decimal_places', facts: { limit: 1 } });
    expect(refusal(schema, '-1')).toEqual({ code: 'min_value', facts: { limit: '0' } });
    expect(refusal(schema, 'x')).toEqual(PLAIN);
    expect(refusal(schema, undefined)).toEqual({ code: 'required' });
  });

  test('in minor units has no decimals, and is no text unless the operator sends texts', () => {
    const minor = { kind: 'decimal', unit: 'minor' } as const;
    expect(refusal(demanded({ facts: minor }), dec('5324'))).toBeUndefined();
    expect(refusal(demanded({ facts: minor }), '5324')).toEqual(PLAIN);
    expect(refusal(demanded({ facts: { ...minor, wire: 'number' } }), '5324')).toEqual(PLAIN);
    expect(refusal(demanded({ facts: { ...minor, wire: 'string' } }), '5324')).toBeUndefined();
    expect(refusal(demanded({ facts: minor }), dec('53.24'))).toMatchObject({
      code: 'invalid',
      facts: { expected: 'a whole number of minor units, such as 5324 for 53.24' },
    });
    expect(refusal(demanded({ facts: minor }), dec('1234567890123456'))).toEqual({
      code: 'max_whole_digits',
      facts: { limit: 15 },
    });
    expect(refusal(demanded({}), dec('1234567890123456'))).toBeUndefined();
    expect(refusal(demanded({}), dec('53.24'))).toBeUndefined();
  });
});

describe('a text under the contract of an operator', () => {
  const check = (value: string): CheckFailure | undefined =>
    value.startsWith('A') ? undefined : { code: 'invalid', facts: { expected: 'a text with A' } };
  const schema = demandedText(text({ max: 3 }), { kind: 'text' }, check);

  test('has one problem at a time, the one of the interface first', () => {
    expect(schema.safeParse('xyzz').error!.issues.map((issue) => 'params' in issue && issue.params)).toEqual([
      { code: 'max_length', facts: { limit: '3 characters' } },
    ]);
    expect(refusal(schema, 'xyz')).toEqual(invalid('a text with A'));
    expect(refusal(schema, 'Abc')).toBeUndefined();
  });

  test('has the facts of the operator beside those of the interface', () => {
    const listed = demandedText(text({ max: 3 }), { kind: 'text', values: ['Abc'] }, check);
    expect(FIELD_FACTS.get(listed)).toEqual({ kind: 'text', max: 3, values: ['Abc'] });
  });
});

describe('a text, or else a decimal', () => {
  const schema = textOrDecimal(text({ max: 3 }), decimal({ whole: 2, places: 0 }));
  test.each<[unknown, unknown]>([
    ['abc', undefined],
    [dec('12'), undefined],
    // A text is refused for what is wrong with it as a text.
    ['abcd', { code: 'max_length', facts: { limit: '3 characters' } }],
    [dec('123'), { code: 'max_whole_digits', facts: { limit: 2 } }],
    [true, PLAIN],
    [null, { code: 'null' }],
    [undefined, { code: 'required' }],
  ])('%s', (value, failure) => {
    expect(refusal(schema, value)).toEqual(failure);
  });

  test('is a text by its facts', () => {
    expect(FIELD_FACTS.get(schema)).toEqual({ kind: 'text', max: 3 });
  });
});

describe('any JSON value', () => {
  test('has to be there', () => {
    expect(refusal(z.object({ extra: anyJson() }), {})).toEqual({ code: 'required' });
    expect(refusal(anyJson(), null)).toBeUndefined();
  });

  test('keeps a number and a text with the same digits apart', () => {
    expect(JSON.stringify(anyJson().parse({ a: dec('1.50'), b: '1.50' }))).toBe('{"a":1.50,"b":"1.50"}');
  });
});

test('every field says its kind', () => {
  const fields = [
    text(),
    choice(['A']),
    decimal({ whole: 3, places: 2 }),
    flag(),
    date(),
    datetime(),
    anyJson(),
  ];
  expect(fields.map((field) => FIELD_FACTS.get(field)?.kind)).toEqual([
    'text',
    'text',
    'decimal',
    'boolean',
    'date',
    'datetime',
    'json',
  ]);
});

test('a date and a time say how they have to be written', () => {
  expect(refusal(date(), '2026-02-29')).toEqual(invalid('a calendar date YYYY-MM-DD'));
  expect(refusal(date(), '2028-02-29')).toBeUndefined();
  expect(refusal(datetime(), '2026-02-28T12:00:00')).toEqual(invalid('a date-time YYYY-MM-DDTHH:MM:SSZ'));
  expect(refusal(datetime(), '2026-02-28T12:00:00Z')).toBeUndefined();
});

describe('an object that may have any field', () => {
  const schema = objectOnly(z.looseObject({}));

  test('is no number', () => {
    expect(refusal(schema, { text: '1' })).toBeUndefined();
    expect(refusal(schema, dec('1'))).toBe('invalid_type');
    expect(refusal(schema, new UnreadableNumber('1e2'))).toBe('invalid_type');
    // Without the guard an exact number is such an object.
    expect(refusal(z.looseObject({}), dec('1'))).toBeUndefined();
  });

  test('is found under what makes it optional, nullable or guarded', () => {
    const inner = z.strictObject({ name: text(), list: z.array(text()) });
    const schema = z.optional(z.nullable(objectOnly(inner)));
    expect(unwrapped(schema)).toBe(inner);
    expect(schemaBelow(schema, 'name')).toBe(inner.shape.name);
    expect(schemaBelow(schemaBelow(schema, 'list'), 0)).toBe(inner.shape.list.def.element);
    expect(schemaBelow(schema, 'other')).toBeUndefined();
    expect(schemaBelow(inner.shape.name, 0)).toBeUndefined();
    expect(schemaBelow(undefined, 'name')).toBeUndefined();
  });
});
