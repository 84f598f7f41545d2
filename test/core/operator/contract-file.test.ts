import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { contractJsonSchema } from '../../../src/core/operator/contract.ts';
import { narrowedDescriptors } from '../../../src/core/operator/narrow.ts';
import { meaningOf } from '../../../src/cli/sources/contract-file.ts';
import { readContract } from '../../../src/core/operator/contract-file.ts';
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
    ['no JSON', '{', 'the contract cannot be used: it is not readable JSON'],
    ['a document of an operator', '{"openapi": "3.0.3"}', 'type `dataimport contract import`'],
    [
      'another version',
      TEXT.replace('"version": 7', '"version": 3'),
      '2:14 the contract cannot be used: version: this program reads version 7 of the format: type `dataimport contract import`',
    ],
    [
      'a mistyped key',
      TEXT.replace('"max_records"', '"max_recods"'),
      'there is no such key; did you mean max_records?',
    ],
    ['a wrong value', TEXT.replace(/"max_records": \d+/, '"max_records": "9"'), 'max_records: '],
  ])('%s is reported with its position', (_, text, says) => {
    expect(text).not.toBe(TEXT);
    expect(refusal(text)).toContain(says);
    expect(refusal(text)).toMatch(/^\d+:\d+ /);
  });

  test.each([
    [/"pattern": "[^"]+"/, '"pattern": "^(?=a)"'],
    [/"\$ref": "[^"]+"/, '"$ref": "#/nothing"'],
  ])('is refused when its schemas are none: %s', (found, instead) => {
    const contract = readContract('c.json', TEXT.replace(found, instead));
    expect(() => narrowedDescriptors(contract, 'file')).toThrow(
      'the contract cannot be used: its schemas cannot be read: ',
    );
  });

  test('cannot change the kind of a field that runs and control totals depend on', () => {
    const contract = JSON.parse(TEXT) as { schemas: { components: { schemas: Record<string, unknown> } } };
    contract.schemas.components.schemas['TransactionBase'] = {
      properties: { transaction_id: { type: 'object' } },
    };
    const { transactions } = narrowedDescriptors(readContract('c.json', JSON.stringify(contract)), 'file');
    expect(transactions.schemaFor!({ type: 'CHARGE' })).toHaveProperty(
      'shape.transaction_id.def.type',
      'string',
    );
    expect(transactions.schemaFor!({ type: 'CHARGE' })).toHaveProperty(
      'shape.transaction_date.def.type',
      'string',
    );
  });
});

/** The shortest contract. */
const SHORT = `{"version":7,"document":{"title":"T","version":"2","openapi":"3.0.3","file":"f","sha256":"${'0'.repeat(64)}","imported":"2026-01-01"},"account_number":{},"resources":{},"schemas":{},"authorization":[],"statements":[],"rules":[]}`;

test('the meaning of a contract is the same whatever its document is called', () => {
  const meaning = (text: string): string => meaningOf(readContract('c.json', text));
  expect(meaning(SHORT.replace('"title":"T"', '"title":"U"'))).toBe(meaning(SHORT));
  expect(meaning(SHORT.replace('"schemas":{}', '"schemas":{"a":{}}'))).not.toBe(meaning(SHORT));
});

test.each(OPERATOR_DOCUMENTS)('the published schema accepts the contract of %s, %s', (folder, _, name) => {
  const validate = new Ajv2020({ strict: false }).compile(contractJsonSchema());
  expect(validate(JSON.parse(operatorFile(folder, name))), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...(JSON.parse(operatorFile(folder, name)) as object), more: 1 })).toBe(false);
});
