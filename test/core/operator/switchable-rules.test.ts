import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../src/core/contract/resources.ts';
import type { FieldRules, OperatorContract } from '../../../src/core/operator/contract.ts';
import { appliesTo, isSwitchable, rulesByCode } from '../../../src/core/operator/rules-by-code.ts';

type Described = Partial<Record<Resource, Omit<FieldRules, 'from'>>>;

const contractOf = (resources: Described, ...codes: readonly string[]): OperatorContract =>
  ({
    resources,
    rules: codes.map((code) => ({ code, title: '', from: '' })),
  }) as unknown as OperatorContract;

const text = { from: '', adds: 'text' } as const;
const TIMES = { from_time: text, to_time: text };
const code = 'from_time_not_after_to_time';

describe('a rule applies to a contract whose records have the field that it is about', () => {
  test.each<[string, string, Described, boolean]>([
    ['times of a record', code, { notes: { fields: TIMES } }, true],
    [
      'times with names around them',
      code,
      { notes: { fields: { a_from_time_b: text, a_to_time_b: text } } },
      true,
    ],
    ['other names', code, { notes: { fields: { from_timeline: text, to_timeline: text } } }, false],
    ['one time', code, { notes: { fields: { from_time: text } } }, false],
    ['the end alone', code, { notes: { fields: { to_time: text } } }, false],
    ['times in an object', code, { notes: { fields: { a: { ...text, fields: TIMES } } } }, true],
    [
      'times in items',
      code,
      { notes: { fields: { a: { ...text, item: { from: '', fields: TIMES } } } } },
      true,
    ],
    [
      'times of one type',
      code,
      { notes: { types: { by: 'k', of: { A: { from: '', fields: TIMES } } } } },
      true,
    ],
    [
      'one time of every type, and the other of one type',
      code,
      {
        notes: {
          fields: { from_time: text },
          types: { by: 'k', of: { A: { from: '', fields: { to_time: text } } } },
        },
      },
      true,
    ],
    ['nothing', code, {}, false],
    [
      'both ways to name a document',
      'received_statement_path_and_pdf_context',
      { statements: { fields: { pdf_context: text } } },
      true,
    ],
    [
      'the other way, which is no field here',
      'received_statement_path_and_pdf_context',
      { statements: { fields: { pdf_context: { from: '', absent: true } } } },
      false,
    ],
    [
      'the field on other records',
      'received_statement_path_and_pdf_context',
      { notes: { fields: { pdf_context: text } } },
      false,
    ],
    ['a code that no rule has', 'own_code', { notes: { fields: TIMES } }, false],
    ['records that are described', 'missing_statement_path_or_pdf_context', { statements: {} }, true],
    ['records that are not described', 'missing_statement_path_or_pdf_context', { notes: {} }, false],
  ])('%s', (_, rule, resources, applies) => {
    expect(appliesTo(rule, contractOf(resources))).toBe(applies);
  });
});

test('rules of other resources, and of records that are not described, are none', () => {
  const contract = contractOf({ statements: {}, notes: {} }, 'missing_statement_path_or_pdf_context');
  expect(rulesByCode('statements', contract)).toHaveLength(1);
  expect(rulesByCode('notes', contract)).toEqual([]);
  expect(rulesByCode('transactions', contract)).toEqual([]);
});

test('a rule of its own code can be turned on', () => {
  expect([code, 'transaction_in_future', 'own_code'].map(isSwitchable)).toEqual([true, false, false]);
});

/** The paths of the problems of a record. */
function paths(resource: Resource, rule: string, described: Omit<FieldRules, 'from'>, record: object) {
  const rules = rulesByCode(resource, contractOf({ [resource]: described }, rule));
  expect(rules).toHaveLength(1);
  return rules.flatMap((each) =>
    each(record as never, { today: '2026-11-22' } as never).map((problem) => problem.path.join('.')),
  );
}

test.each<[object, readonly string[]]>([
  [{ from_time: '08:00', to_time: '07:59' }, ['from_time']],
  [{ from_time: '08:00', to_time: '08:00:00' }, []],
  [{ from_time: '2026-01-02', to_time: '08:00' }, []],
  [{ from_time: '2026-01-02', to_time: '2026-01-01T00:00:00Z' }, []],
  [{ from_time: '2026-01-02T00:00:00Z', to_time: '2026-01-01' }, []],
  [{ from_time: 9, to_time: 8 }, []],
  [{ a: [{ from_time: '09:00', to_time: '08:00' }, 'x', { to_time: '08:00' }] }, ['a.0.from_time']],
  [{ a: { day_from_time: '09:00', day_to_time: '08:00' }, from_time: null }, ['a.day_from_time']],
])('%j has periods that end before they begin: %j', (record, expected) => {
  expect(paths('notes', code, { fields: TIMES }, record)).toEqual(expected);
});

describe('a charge target', () => {
  const rule = 'invalid_charge_target_type';
  const items = (params: Omit<FieldRules, 'from'>): Omit<FieldRules, 'from'> => ({
    fields: { line_items: { from: '', item: { from: '', fields: { params: { from: '', ...params } } } } },
  });
  const transaction = (...types: readonly unknown[]) => ({
    line_items: types.map((charge_target_type) => ({ params: { charge_target_type } })),
  });

  test('is of a known type where the operator lists none', () => {
    expect(
      paths('transactions', rule, items({}), transaction('REGISTER', 'METER', 'SUPPLY_POINT', null)),
    ).toEqual(['line_items.1.params.charge_target_type']);
    expect(paths('transactions', rule, items({}), { line_items: [5, { params: 'x' }, {}] })).toEqual([]);
    expect(paths('transactions', rule, items({}), { line_items: 'none' })).toEqual([]);
  });

  test('is of a type that the operator lists, as values or as types', () => {
    const values = items({ fields: { charge_target_type: { ...text, values: ['METER'] } } });
    expect(paths('transactions', rule, values, transaction('METER', 'REGISTER'))).toEqual([
      'line_items.1.params.charge_target_type',
    ]);
    const types = items({ types: { by: 'charge_target_type', of: { SITE: { from: '' } } } });
    expect(paths('transactions', rule, types, transaction('SITE', 'REGISTER'))).toEqual([
      'line_items.1.params.charge_target_type',
    ]);
    const others = items({ types: { by: 'kind', of: { SITE: { from: '' } } } });
    expect(paths('transactions', rule, others, transaction('SITE', 'REGISTER'))).toEqual([
      'line_items.0.params.charge_target_type',
    ]);
  });
});
