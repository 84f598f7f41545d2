import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { narrowedDescriptors } from '../../../src/core/operator/narrow.ts';
import { checkRecord } from '../../../src/core/rules/record.ts';
import { compareDecimals, Decimal } from '../../../src/core/values/decimal.ts';
import { parseExactJson } from '../../../src/core/values/exact-json.ts';
import { imported } from '../../support/operator-document.ts';
import '../../support/property-seed.ts';

/** Fields of an operator in every form of an object, and of values that may contain one. */
const ADDED = {
  free: { type: 'object' },
  free_list: { type: 'array', items: { type: 'object' } },
  known: { type: 'object', properties: { text: { type: 'string' }, places: {} } },
  texts: { type: 'object', additionalProperties: { type: 'string' } },
  anything: {},
  list: { type: 'array' },
} as const;
const { contract } = imported({ note: ADDED });

describe.each(['file', 'wire'] as const)('a value of an added field, checked for the end `%s`,', (end) => {
  const descriptors = narrowedDescriptors(contract, end);
  const check = (note: string) =>
    checkRecord('notes', parseExactJson(note), { today: '2026-11-22', descriptors });

  test('is refused at its field when it is a number in the place of an object', () => {
    const { record, problems } = check('{"body": "a", "free": 12.50, "known": 1, "free_list": [{}, 2]}');
    expect(record).toBeUndefined();
    expect(problems.map(({ code, path }) => `${code} ${path.join('.')}`).toSorted()).toEqual([
      'invalid free.non_field_errors',
      'invalid free_list.1.non_field_errors',
      'invalid known.non_field_errors',
    ]);
  });

  test('leaves as it came, or is refused, whatever JSON it is', () => {
    const numbers = fc.oneof(fc.integer(), fc.constantFrom(0.5, 12.5, 1e21, 5e-324));
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        numbers,
        fc.string(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(fc.constantFrom('text', 'places', 'expected'), fc.string()), tie('value'), {
          maxKeys: 3,
        }),
      ),
    })).value;
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(ADDED) as (keyof typeof ADDED)[])),
        json,
        (field, value) => {
          const sent = JSON.stringify({ body: 'a', [field]: value });
          const { record } = check(sent);
          if (record) expect(same(parseExactJson(JSON.stringify(record)), parseExactJson(sent))).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

function same(a: unknown, b: unknown): boolean {
  if (a instanceof Decimal && b instanceof Decimal) return compareDecimals(a, b) === 0;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    left.length === right.length &&
    left.every(([name, value]) => Object.hasOwn(b, name) && same(value, (b as Record<string, unknown>)[name]))
  );
}
