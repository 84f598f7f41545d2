import { expect, test } from 'vitest';
import { runContractOf, type AppliedContract } from '../../../src/cli/sources/applied-contract.ts';
import type { Resource } from '../../../src/core/contract/resources.ts';
import { DESCRIPTORS } from '../../../src/core/contract/resources.ts';

const REFUSES = { code: 'historical_statement_already_exists', resources: ['statements'] };
const OTHER = { code: 'missing_statement_path_or_pdf_context', resources: ['statements'] };
const OF_NOTES = { code: 'note_body_or_document_path_not_found', resources: ['notes'] };

/** Whether records of a resource are not sent again under a contract with these rules. */
function keepsSecond(rules: readonly object[], resource: Resource = 'statements'): boolean {
  const facts = { name: 'Operator', sha256: '', fileSha256: '', descriptors: DESCRIPTORS };
  const applied = { ...facts, contract: { resources: {}, rules } } as unknown as AppliedContract;
  return runContractOf(applied, resource).keepsSecond ?? false;
}

test('a platform keeps a second statement when the rules of its contract refuse none', () => {
  expect(keepsSecond([OTHER])).toBe(true);
  expect(keepsSecond([{ ...REFUSES, off: true }])).toBe(true);
});

test('a contract that refuses a second statement, or has no rules of statements, changes nothing', () => {
  expect(keepsSecond([OTHER, REFUSES])).toBe(false);
  expect(keepsSecond([OF_NOTES])).toBe(false);
  expect(keepsSecond([])).toBe(false);
});

test('the interface itself says what becomes of a second note', () => {
  expect(keepsSecond([OF_NOTES], 'notes')).toBe(false);
});
