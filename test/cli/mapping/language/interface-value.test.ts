import { expect, test } from 'vitest';
import {
  interfaceValue,
  jsonValue,
  lostKeyProblem,
} from '../../../../src/cli/mapping/language/interface-value.ts';
import { StepProblem } from '../../../../src/cli/mapping/language/step-problem.ts';
import type { FieldKind } from '../../../../src/core/contract/field.ts';
import { Decimal } from '../../../../src/core/values/decimal.ts';
import { UnreadableNumber } from '../../../../src/core/values/exact-json.ts';

test.each<readonly [string, FieldKind, unknown]>([
  ['0.230', 'decimal', Decimal.parse('0.230')],
  ['0,23', 'decimal', '0,23'],
  ['true', 'boolean', true],
  ['false', 'boolean', false],
  ['yes', 'boolean', 'yes'],
  ['2026-01-31T09:30:00Z', 'datetime', '2026-01-31T09:30:00Z'],
  ['2026-01-31T09:30:00.5+02:00', 'datetime', '2026-01-31T07:30:00.5Z'],
  ['31.01.2026', 'datetime', '31.01.2026'],
  ['["a"]', 'json', ['a']],
  ['["a"', 'json', '["a"'],
  ['true', 'text', 'true'],
  ['1', 'text', '1'],
  ['["a"]', 'date', '["a"]'],
])('the text %s of a %s is %j', (text, kind, value) => {
  expect(interfaceValue(text, kind)).toEqual(value);
});

test('a cell with JSON keeps its numbers, or says where it stops being JSON and how it could look', () => {
  expect(jsonValue('{"a": [1.50, 1e999999]}')).toEqual({
    a: [Decimal.parse('1.50'), expect.any(UnreadableNumber)],
  });
  const problem = (cell: string, field?: string | number) => {
    const found = jsonValue(cell, field);
    return found instanceof StepProblem && [found.problem.code, found.problem.path, found.problem.facts];
  };
  const facts = (example: string) => [
    'json_cell_invalid',
    [],
    { reason: 'it stops being JSON at character 3', example },
  ];
  expect(problem('[1')).toEqual(facts('[{"amount": 9.24}]'));
  expect(problem('[1', 'tax_items')).toEqual(facts('[{"amount": 9.24}]'));
  expect(problem('[1', 0)).toEqual(facts('[{"amount": 9.24}]'));
  expect(problem('[1', 'units')).toEqual(facts('[10234.5, 10382.1]'));
  expect(problem('[1', 'document_paths')).toEqual(facts('[{"document_path": "letters/1.pdf"}]'));
});

test('a key with a point in it is said to be lost, with an example of key paths', () => {
  expect(lostKeyProblem('meter')).toMatchObject({
    code: 'json_cell_invalid',
    path: [],
    facts: { reason: 'a key of `meter` has a point in it', example: '{"a": {"b": 1}}' },
  });
});
