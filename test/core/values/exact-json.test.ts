import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/core/values/decimal.ts';
import {
  exactJson,
  isSameJson,
  JsonSyntaxError,
  parseExactJson,
  UnreadableNumber,
} from '../../../src/core/values/exact-json.ts';

describe('numbers', () => {
  test.each(['10.10', '-1234.50', '0', '0.00', '12345678901234567.89', '9007199254740993'])(
    '%s keeps its digits',
    (digits) => {
      expect(parseExactJson(digits)).toEqual(Decimal.of(digits));
    },
  );

  test('-0 is zero', () => {
    expect(parseExactJson('-0.00')).toMatchObject({ text: '0.00' });
  });

  test.each(['1e5', '1E-3', '1e400', '1e-400', '9'.repeat(65)])('%s is kept as unreadable', (digits) => {
    const read = parseExactJson(`[${digits}]`) as unknown[];
    expect(read[0]).toBeInstanceOf(UnreadableNumber);
    expect(JSON.stringify(read)).toBe(`[${digits}]`);
  });
});

describe('a text that is no JSON', () => {
  test('a good document that is cut anywhere is rejected', () => {
    const text = '{"a":[{"b":"c"},true,null],"d":"e"}';
    for (let length = 0; length < text.length; length++) {
      expect(() => parseExactJson(text.slice(0, length))).toThrow(JsonSyntaxError);
    }
  });

  test.each([
    ['{"body": oops}', 9],
    ['{"body": ', 9],
    ['["secret" "word"]', 10],
  ])('the message for %s says where the text stops being JSON and quotes nothing', (text, position) => {
    const message = `it stops being JSON at character ${position + 1}`;
    expect(() => parseExactJson(text)).toThrow(expect.objectContaining({ message, position }));
  });

  test('nesting without end is rejected and does not crash', () => {
    expect(() => parseExactJson('['.repeat(1_000_000))).toThrow(JsonSyntaxError);
  });
});

describe('limits', () => {
  const limits = { depth: 3, keys: 2, floats: true };

  test.each([
    ['deeper', '[[[[]]]]', 'it is nested deeper than 3 at character 4'],
    ['wider', '{"a":1,"b":{"c":1},"d":2}', 'an object has more than 2 keys at character 20'],
  ])(
    'a document that is %s is refused where it passes the limit, and read without limits',
    (_, text, message) => {
      expect(() => parseExactJson(text, limits)).toThrow(expect.objectContaining({ message }));
      expect(parseExactJson(text)).toBeDefined();
    },
  );

  test('a document at its limits is accepted', () => {
    expect(parseExactJson('[[{"a":1,"b":2},{"c":1,"d":2}]]', limits)).toHaveLength(1);
  });

  test('a number that a float would change is unreadable, and any other is not', () => {
    const [tooPrecise, held] = parseExactJson('[12345678901234567.89,1234567890.12345]', limits) as unknown[];
    expect(tooPrecise).toBeInstanceOf(UnreadableNumber);
    expect(tooPrecise).toHaveProperty('expected', expect.stringContaining('text with the same digits'));
    expect(held).toEqual(Decimal.of('1234567890.12345'));
  });
});

describe('keys', () => {
  test.each([
    ['as it is', '{"amount":1,"amount":2}'],
    ['in escapes', String.raw`{"amount":1,"am\u006funt":2}`],
    ['with digits that differ only in trailing zeros', '{"amount":1.0,"amount":1.00}'],
    ['inside a list', '[{"a":1,"a":2}]'],
    ['with the same value', '{"a":"x","a":"x"}'],
  ])('that occur twice are rejected, written %s', (_, text) => {
    expect(() => parseExactJson(text)).toThrow('a key comes a second time at character');
  });

  test.each([
    ['__proto__', '{"__proto__":{"polluted":true}}'],
    ['__proto__, nested', '{"a":{"__proto__":{"polluted":true}}}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"polluted":true}}}'],
  ])('%s is a key like any other', (_, text) => {
    const read = parseExactJson(text) as Record<string, unknown>;
    expect(JSON.stringify(read)).toBe(text);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });
});

test('a document without numbers is parsed as JSON.parse does', () => {
  const values = fc.jsonValue().map(withoutNumbers);
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify(value);
      expect(parseExactJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('any text that JSON.parse accepts is accepted, except for repeated keys', () => {
  const pieces = [
    '"',
    ' ',
    '\n',
    '\t',
    '\u00a0',
    '\\"',
    ...'{ } [ ] , : \\ u00 a 0 - 1.5 e9 null true "k": "k" //'.split(' '),
  ];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((chosen) => chosen.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      const message = messageOf(() => parseExactJson(text));
      // The text ends here for our reader, so what follows the repeated key may be anything.
      if (message?.startsWith('a key comes a second time')) return true;
      return (message === undefined) === (messageOf(() => JSON.parse(text)) === undefined);
    }),
    { numRuns: 20_000 },
  );
});

function messageOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function withoutNumbers(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(withoutNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutNumbers(part)]));
}

test.each([
  ['{}', '[]', false],
  ['{"a":[{}]}', '{"a":[[]]}', false],
  ['["b"]', '{"0":"b"}', false],
  ['{"a":1}', '{"a":1,"b":2}', false],
  ['{"a":1}', '{"b":1}', false],
  ['null', '{}', false],
  ['1e5', '"1e5"', false],
  ['1e5', '{"text":"1e5"}', false],
  ['12345678901234567890', '12345678901234567891', false],
  ['1e5', '100000.0', true],
  ['{"a":1,"b":[]}', '{"b":[],"a":1.0}', true],
])('%s and %s are equal: %s', (a, b, isSame) => {
  expect(isSameJson(parseExactJson(a), parseExactJson(b))).toBe(isSame);
});

describe('a text that may be no JSON', () => {
  test('has its value with every digit', () => {
    expect(JSON.stringify(exactJson('{"a":[1.50,"x",null,true]}'))).toBe('{"a":[1.50,"x",null,true]}');
  });
});
