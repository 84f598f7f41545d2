import { describe, expect, test } from 'vitest';
import { differenceOf, isTighter } from '../../../src/core/operator/difference.ts';
import { readContract } from '../../../src/core/operator/contract-file.ts';
import { nameOf } from '../../../src/core/operator/finding.ts';
import type { OperatorContract } from '../../../src/core/operator/contract.ts';
import { imported, operatorFile, type DocumentParts } from '../../support/operator-document.ts';

function difference(before: OperatorContract, after: OperatorContract): readonly string[] {
  return differenceOf(before, after).map((change) => `${change.kind} ${nameOf(change)}: ${change.says}`);
}

const between = (before: DocumentParts, after: DocumentParts): readonly string[] =>
  difference(imported(before).contract, imported(after).contract);

const note = (schema: object): DocumentParts => ({ note: { extra: schema } });

test('a dry_run that becomes true by default has to be in every request', () => {
  const [optional, saying] = [false, true].map((byDefault) => ({
    body: { dry_run: { type: 'boolean', default: byDefault } },
  }));
  expect(between(optional!, saying!)).toEqual(['tightened transactions.dry_run: has to be in every request']);
  expect(between(saying!, optional!)).toEqual(['loosened transactions.dry_run: may be left out']);
  expect(imported(saying!).contract.resources.transactions!.dry_run!.required).toBe(true);
});

describe('a change and its reverse', () => {
  test.each<[string, object, object, readonly string[], readonly string[]]>([
    [
      'a closed list',
      { type: 'string' },
      { type: 'string', enum: ['A'] },
      ['tightened notes.extra: is only A'],
      ['loosened notes.extra: may have any value'],
    ],
    [
      'values of a list',
      { enum: ['A', 'B'] },
      { enum: ['B', 'C'] },
      ['tightened notes.extra: no longer takes A', 'loosened notes.extra: takes C, too'],
      ['tightened notes.extra: no longer takes C', 'loosened notes.extra: takes A, too'],
    ],
    [
      'a length',
      { type: 'string', maxLength: 9 },
      { type: 'string', maxLength: 8 },
      ['tightened notes.extra: is at most 8 characters'],
      ['loosened notes.extra: is at most 9 characters'],
    ],
    [
      'a least value',
      { type: 'number' },
      { type: 'number', minimum: 1 },
      ['tightened notes.extra: is at least 1'],
      ['loosened notes.extra: is no longer at least 1'],
    ],
    [
      'decimals',
      { type: 'number', multipleOf: 0.01 },
      { type: 'integer' },
      ['tightened notes.extra: has no decimals'],
      ['loosened notes.extra: has at most 2 decimals'],
    ],
    [
      'a pattern',
      { type: 'string' },
      { type: 'string', pattern: '^A' },
      ['tightened notes.extra: matches `^A`'],
      ['loosened notes.extra: need not match `^A`'],
    ],
    [
      'null',
      { type: 'string', nullable: true },
      { type: 'string' },
      ['tightened notes.extra: is never null'],
      ['loosened notes.extra: may be null'],
    ],
    [
      'the form of decimals',
      { type: 'number' },
      { type: 'string', format: 'decimal' },
      ['changed notes.extra: is sent as a string'],
      ['changed notes.extra: is sent as a number'],
    ],
    [
      'the kind',
      { type: 'string' },
      { type: 'boolean' },
      ['tightened notes.extra: is now boolean, and was text'],
      ['tightened notes.extra: is now text, and was boolean'],
    ],
    [
      'deprecation',
      { type: 'string' },
      { type: 'string', deprecated: true },
      ['changed notes.extra: is deprecated'],
      ['changed notes.extra: is not deprecated any more'],
    ],
    [
      'a field of an object',
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
      ['added notes.extra.b: is added: text'],
      ['removed notes.extra.b: is not a field any more'],
    ],
    [
      'items of a list',
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { type: 'string', maxLength: 2 } },
      ['tightened notes.extra[]: is at most 2 characters'],
      ['loosened notes.extra[]: is no longer at most 2 characters'],
    ],
  ])('of %s', (_, before, after, there, back) => {
    expect(between(note(before), note(after))).toEqual(there);
    expect(between(note(after), note(before))).toEqual(back);
  });
});

test('a required field that is added is tighter than an optional one', () => {
  const added = (required: readonly string[]): DocumentParts => ({
    noteSchema: {
      type: 'object',
      additionalProperties: true,
      required,
      properties: { extra: { type: 'string' } },
    },
  });
  const without = { noteSchema: { type: 'object', additionalProperties: true } };
  expect(between(without, added([]))).toEqual(['added notes.extra: is added: text']);
  expect(between(without, added(['extra']))).toEqual(['tightened notes.extra: is added: text, required']);
});

test('equal contracts do not differ, whatever the date of their import', () => {
  const { contract } = imported(note({ type: 'string' }));
  const later = { ...contract, document: { ...contract.document, imported: '2027-01-01' } };
  expect(difference(contract, later)).toEqual([]);
});

test('the next version of a made-up operator is tighter', () => {
  const [before, after] = ['contract.json', 'contract-3.1.json'].map((name) =>
    readContract(name, operatorFile('ostrelle', name)),
  ) as [OperatorContract, OperatorContract];
  expect(difference(before, after)).toContain('tightened transactions.PAYMENT.payment_type: is required');
  expect(differenceOf(before, after).filter(isTighter)).toHaveLength(1);
});
