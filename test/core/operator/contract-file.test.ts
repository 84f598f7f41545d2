import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { contractJsonSchema } from '../../../src/core/operator/contract.ts';
import { meaningOf, readContract } from '../../../src/core/operator/contract-file.ts';
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
      TEXT.replace('"version": 1', '"version": 2'),
      '2:14 is not a contract: version: this program reads version 1',
    ],
    [
      'a mistyped key',
      TEXT.replace('"max_length"', '"max_lenght"'),
      'there is no such key; did you mean max_length?',
    ],
    ['a wrong value', TEXT.replace(/"max_length": \d+/, '"max_length": "9"'), 'max_length: '],
    ['a pattern that is none', TEXT.replace(/"patterns": \[\s+"[^"]+"/, '"patterns": ["("'), 'patterns.0: '],
    [
      'a pattern that may take too long',
      TEXT.replace(/"patterns": \[\s+"[^"]+"/, '"patterns": ["^(a+)+$"'),
      'patterns.0: the pattern may take too long on some texts',
    ],
    ['a name that no field can have', TEXT.replace('"external_id"', '"__proto__"'), 'is not a contract'],
  ])('%s is reported with its position', (_, text, says) => {
    expect(text).not.toBe(TEXT);
    expect(refusal(text)).toContain(says);
    expect(refusal(text)).toMatch(/^\d+:\d+ /);
  });

  test('may be laid out differently', () => {
    const written = readContract('c.json', TEXT);
    const other = readContract('c.json', JSON.stringify(JSON.parse(TEXT)));
    expect(meaningOf(other)).toBe(meaningOf(written));
  });
});

test('the meaning of a contract leaves out names, dates and pointers, and nothing else', () => {
  const meaning = meaningOf(readContract('c.json', TEXT));
  expect(
    meaningOf(
      readContract('c.json', TEXT.replace('Halmere Data Import', 'Other').replaceAll('/components/', '/c/')),
    ),
  ).toBe(meaning);
  expect(meaningOf(readContract('c.json', TEXT.replace('"max_length": 64', '"max_length": 63')))).not.toBe(
    meaning,
  );
});

test.each(OPERATOR_DOCUMENTS)('the published schema accepts the contract of %s, %s', (folder, _, name) => {
  const validate = new Ajv2020({ strict: false }).compile(contractJsonSchema());
  expect(validate(JSON.parse(operatorFile(folder, name))), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...(JSON.parse(operatorFile(folder, name)) as object), more: 1 })).toBe(false);
});
