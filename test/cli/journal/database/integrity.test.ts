import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  assertUnchanged,
  checksumOf,
  damagedBy,
  DamageError,
  guard,
  guarded,
  seal,
  unseal,
} from '../../../../src/cli/journal/database/integrity.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const account = { import_supplier: 'ACME', external_account_number: '1001' };
const record = { id: 't-1', type: 'CHARGE', amount: '1.00', payload: '{}', parts: null };

describe('the checksum of a record', () => {
  test('covers what decides what is sent', () => {
    expect(checksumOf(account, record)).toBe(crc32('ACME\x001001\0t-1\0CHARGE\x001.00\0null\0{}'));
    assertUnchanged(account, { ...record, line: 7, checksum: checksumOf(account, record) });
    for (const change of [
      { id: 't-2' },
      { type: null },
      { amount: '1.01' },
      { payload: '{} ' },
      { parts: '[]' },
    ])
      expect(() =>
        assertUnchanged(account, { ...record, ...change, line: 7, checksum: checksumOf(account, record) }),
      ).toThrow(new DamageError('the record of line 7 is not what was staged'));
  });
});

describe('a sealed text', () => {
  test('is read as it was written', () => {
    const value = { text: 'a b', list: [1, null] };
    expect(seal(value)).toBe(`${crc32(JSON.stringify(value))} ${JSON.stringify(value)}`);
    expect(unseal(seal(value))).toEqual(value);
  });

  test.each(['', '{}', '1 {}', `${crc32('{}')}  {}`, `${crc32('{}')} {} `])(
    'is not read from %j',
    (sealed) => {
      expect(() => unseal(sealed)).toThrow(new DamageError('a text in it is not what was written'));
    },
  );
});

const sqlite = (code: string, message = 'the file'): Error => new Database.SqliteError(message, code);

describe('an error', () => {
  test.each<readonly [Error, string | undefined]>([
    [new DamageError('it is odd'), 'it is odd'],
    [new SyntaxError('quotes "secret"'), 'a value in it cannot be read'],
    [new RangeError('quotes'), 'a value in it cannot be read'],
    [sqlite('SQLITE_CONSTRAINT_UNIQUE'), 'its tables contradict each other'],
    [sqlite('SQLITE_NOTADB'), 'it is not a database'],
    [sqlite('SQLITE_CORRUPT'), 'it is malformed'],
    [sqlite('SQLITE_ERROR', 'unsupported file format'), 'it is malformed'],
    [sqlite('SQLITE_ERROR'), undefined],
    [sqlite('OF_SQLITE_CORRUPT'), undefined],
    [new Error('odd'), undefined],
  ])('%s proves damage: %s', (error, reason) => {
    const found = damagedBy('/runs/a.sqlite', error);
    if (reason === undefined) expect(found).toBeUndefined();
    else
      expect(found).toMatchObject({
        code: 'run_damaged',
        facts: { file: '/runs/a.sqlite', reason },
        cause: error,
      });
  });
});

describe('an operation on a journal', () => {
  const opened = (file: string): Database.Database => {
    const db = new Database(file);
    onTestFinished(() => void db.close());
    return db;
  };
  const named = () => opened(`${temporaryFolder()}/run-1.sqlite`);
  const fail = (error: Error) => (): never => {
    throw error;
  };
  const full = sqlite('SQLITE_FULL');
  const thrownBy = (act: () => unknown): unknown => {
    try {
      return act();
    } catch (error) {
      return error;
    }
  };

  test('says how to go on when the disk is full', () => {
    const reason = 'the disk is full (SQLITE_FULL)';
    expect(thrownBy(() => guard(named(), fail(full)))).toMatchObject({
      code: 'run_write_failed',
      facts: { reason, remedy: 'Free space', resume: 'dataimport resume' },
      cause: full,
    });
    expect(thrownBy(() => guard(opened(''), fail(full)))).toMatchObject({
      code: 'temporary_file_not_written',
      facts: { reason, remedy: 'Free space' },
      cause: full,
    });
  });

  test('reads its rows to the end, or to its failure', () => {
    function* rows(): Generator<number> {
      yield 1;
      throw sqlite('SQLITE_CORRUPT');
    }
    const read: number[] = [];
    const all = thrownBy(() => {
      for (const each of guarded(named(), { rows }).rows()) read.push(each);
    });
    expect([read, all]).toMatchObject([[1], { code: 'run_damaged' }]);
    expect(guarded(named(), { list: () => [1, 2] }).list()).toEqual([1, 2]);
  });
});
