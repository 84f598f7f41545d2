import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { command } from '../../../src/cli/commands/schema.ts';
import { AppError } from '../../../src/core/app-error.ts';
import { contractJsonSchema } from '../../../src/core/operator/contract.ts';
import { contractName, meaningOf, readContract } from '../../../src/core/operator/contract-file.ts';
import { OPERATOR_DOCUMENTS, operatorFile } from '../../support/operator-document.ts';

const TEXT = operatorFile('halmere', 'contract.json');

function refusal(text: string): string {
  try {
    readContract('c.json', text);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.facts['line']}:${error.facts['column']} ${error.message}`;
  }
  throw new Error('the contract was accepted');
}

describe('a contract that was edited by hand', () => {
  test.each([
    ['no JSON', '{', 'is not a contract: it is not readable JSON'],
    ['a document of an operator', '{"openapi": "3.0.3"}', 'type `dataimport contract import`'],
    [
      'another version',
      TEXT.replace('"version": 2', '"version": 1'),
      '2:14 is not a contract: version: this program reads version 2',
    ],
    [
      'a mistyped key',
      TEXT.replace('"max_length"', '"max_lenght"'),
      'there is no such key; did you mean max_length?',
    ],
    ['a wrong value', TEXT.replace(/"max_length": \d+/, '"max_length": "9"'), 'max_length: '],
    ['a pattern that is none', TEXT.replace(/"patterns": \[\s+"[^"]+"/, '"patterns": ["("'), 'patterns.0: '],
    [
      'a pattern that looks ahead',
      TEXT.replace(/"patterns": \[\s+"[^"]+"/, '"patterns": ["^(?=a)"'),
      'patterns.0: this is no pattern of RE2: import the document again',
    ],
    ['a name that no field can have', TEXT.replace('"external_id"', '"__proto__"'), 'is not a contract'],
  ])('%s is reported with its position', (_, text, says) => {
    expect(text).not.toBe(TEXT);
    expect(refusal(text)).toContain(says);
    expect(refusal(text)).toMatch(/^\d+:\d+ /);
  });

  test.each([
    [
      'transactions',
      'fields',
      'amount',
      '"adds": "object", "fields": {}',
      'adds: the field is always a decimal',
    ],
    ['transactions', 'fields', 'transaction_id', '"adds": "list"', 'adds: the field is always a text'],
    ['transactions', 'fields', 'transaction_date', '"adds": "json"', 'adds: the field is always a date'],
    ['transactions', 'fields', 'amount', '"absent": true', 'absent: the field is always sent'],
    ['statements', 'fields', 'gross_amount', '"adds": "text"', 'adds: the field is always a decimal'],
    ['payment-instructions', 'fields', 'type', '"adds": "object"', 'adds: the field is always a text'],
    ['notes', 'fields', 'created_at', '"adds": "list"', 'adds: the field is always a datetime'],
    ['notes', 'account', 'external_account_number', '"adds": "object"', 'adds: the field is always a text'],
  ])('cannot change %s.%s.%s to %s', (resource, part, field, rule, says) => {
    const { resources: _, ...around } = JSON.parse(TEXT) as Record<string, unknown>;
    const text = `${JSON.stringify({ ...around }).slice(0, -1)},\n"resources": {"${resource}": {"from": "",\n"${part}": {"${field}": {"from": "",\n${rule}}}}}}`;
    expect(refusal(text)).toContain(`resources.${resource}.${part}.${field}.${says}`);
    expect(refusal(text)).toMatch(/^4:\d+ /);
  });

  test('cannot change a vital field of one type', () => {
    const { resources: _, ...around } = JSON.parse(TEXT) as Record<string, unknown>;
    const of = { PAYMENT: { from: '', fields: { amount: { from: '', adds: 'object' } } } };
    const resources = { transactions: { from: '', types: { by: 'type', of } } };
    expect(refusal(JSON.stringify({ ...around, resources }))).toContain(
      'resources.transactions.types.of.PAYMENT.fields.amount.adds: the field is always a decimal',
    );
  });

  test('may name its schema for editors, as the help of `schema` says', () => {
    const schema = /begin with `(\{ "\$schema": "contract\.schema\.json",)`/.exec(
      String(command.description),
    );
    expect(meaningOf(readContract('c.json', TEXT.replace('{', schema![1]!)))).toBe(
      meaningOf(readContract('c.json', TEXT)),
    );
  });

  test('may be laid out differently', () => {
    const written = readContract('c.json', TEXT);
    const other = readContract('c.json', JSON.stringify(JSON.parse(TEXT)));
    expect(meaningOf(other)).toBe(meaningOf(written));
  });
});

/** The shortest contract. */
const SHORT = `{"version":2,"document":{"title":"T","version":"2","openapi":"3.0.3","file":"f","sha256":"${'0'.repeat(64)}","imported":"2026-01-01"},"accepted":[],"account_number":{},"resources":{},"rules":[]}`;

test('a contract is named by its title and version', () => {
  expect(contractName(readContract('c.json', SHORT))).toBe('T 2');
});

test('the meaning of a contract is one text, in whatever order and with whatever titles', () => {
  const meaning = (text: string): string => meaningOf(readContract('c.json', text));
  expect(meaning(SHORT)).toBe('{"account_number":{},"resources":{},"rules":[]}');
  const rules = '"rules":[{"code":"c","title":"T","from":"/c","off":true}],"trims":true';
  const resources =
    '"resources":{"notes":{"max_records":5,"from":"/n","fields":{"body":{"from":"/b","values":["b","a"]}}}}';
  const expected =
    '{"account_number":{},"resources":{"notes":{"fields":{"body":{"values":["b","a"]}},"max_records":5}},"rules":[{"code":"c","off":true}],"trims":true}';
  expect(meaning(SHORT.replace('"rules":[]', rules).replace('"resources":{}', resources))).toBe(expected);
  const turned = resources
    .replace('"max_records":5,"from":"/n",', '"from":"/m",')
    .replace('}}}}', '}},"max_records":5}}');
  expect(
    meaning(SHORT.replace('"rules":[]', rules.replace('"T"', '"U"')).replace('"resources":{}', turned)),
  ).toBe(expected);
});

test('the meaning of a contract leaves out names, dates and pointers, and nothing else', () => {
  const meaning = meaningOf(readContract('c.json', TEXT));
  expect(
    meaningOf(
      readContract('c.json', TEXT.replace('Halmere Data Import', 'Other').replaceAll('/components/', '/c/')),
    ),
  ).toBe(meaning);
  // A contract of an earlier version does not say which resources a rule is of.
  const older = TEXT.replaceAll(/,\s*"resources": \[[^\]]*\]/g, '');
  expect(older).not.toBe(TEXT);
  expect(meaningOf(readContract('c.json', older))).toBe(meaning);
  expect(meaningOf(readContract('c.json', TEXT.replace('"max_length": 64', '"max_length": 63')))).not.toBe(
    meaning,
  );
});

test.each(OPERATOR_DOCUMENTS)('the published schema accepts the contract of %s, %s', (folder, _, name) => {
  const validate = new Ajv2020({ strict: false }).compile(contractJsonSchema());
  expect(validate(JSON.parse(operatorFile(folder, name))), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...(JSON.parse(operatorFile(folder, name)) as object), more: 1 })).toBe(false);
});
