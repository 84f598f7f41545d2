import { expect, test } from 'vitest';
import {
  assertUnchanged,
  checksumOf,
  DamageError,
  seal,
  unseal,
} from '../../../../src/cli/journal/database/integrity.ts';

test('the checksum of a record covers its account and what is sent', () => {
  const account = { import_supplier: 'ACME', external_account_number: '1001' };
  const record = { id: 't-1', type: 'CHARGE', amount: '1.00', payload: '{}', parts: null };
  const stored = { ...record, line: 7, checksum: checksumOf(account, record) };
  assertUnchanged(account, stored);
  const changed = new DamageError('the record of line 7 is not what was staged');
  for (const change of [
    { id: 't-2' },
    { type: null },
    { amount: '1.01' },
    { payload: '{} ' },
    { parts: '[]' },
  ])
    expect(() => assertUnchanged(account, { ...stored, ...change })).toThrow(changed);
  for (const change of [{ import_supplier: 'ACM' }, { external_account_number: '1002' }])
    expect(() => assertUnchanged({ ...account, ...change }, stored)).toThrow(changed);
});

test('a sealed text is read as it was written, and not otherwise', () => {
  const value = { text: 'a b', list: [1, null] };
  expect(unseal(seal(value))).toEqual(value);
  for (const text of ['', '{}', '1 {}', seal(value).replace('a b', 'a c'), `${seal(value)} `])
    expect(() => unseal(text)).toThrow(new DamageError('a text in it is not what was written'));
});
