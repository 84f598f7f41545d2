import { chownSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import {
  diskObstacle,
  folderUnreadable,
  inaccessible,
  notWritable,
} from '../../../../src/cli/journal/database/access.ts';
import { openRunDatabase, type RunDatabase } from '../../../../src/cli/journal/database/run-database.ts';
import { Journal } from '../../../../src/cli/journal/journal.ts';
import { emptyJournal, journalIn } from '../../../support/push-staged-run.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test.each([
  ['EACCES', 'permission denied', 'Make the folder writable for this user, or work as its owner'],
  ['EPERM', 'permission denied', 'Make the folder writable for this user, or work as its owner'],
  ['ENOSPC', 'the disk is full', 'Free space'],
])('the folder of a run that cannot be made because of %s gets its own next step', (code, reason, remedy) => {
  const error = Object.assign(new Error(code), { code, syscall: 'mkdir' });
  expect(notWritable('/nowhere/at/all/run.sqlite', error).facts).toMatchObject({ reason, remedy });
});

describe('a disk that cannot open a journal', () => {
  /** The error of opening a run whose disk fails with this code. */
  const failure = (code: string): unknown => {
    const folder = emptyJournal();
    const failing = (path: string, run: string): RunDatabase =>
      new Proxy(openRunDatabase(path, run), {
        get(db, name) {
          if (name === 'close') return () => db.close();
          throw new Database.SqliteError('the disk', code);
        },
      });
    try {
      return Journal.open(journalIn(folder), undefined, failing);
    } catch (error) {
      return error;
    }
  };

  test.each([
    ['SQLITE_FULL', 'the disk is full (SQLITE_FULL)', 'Free space'],
    ['SQLITE_IOERR_SHMSIZE', 'the disk is full (SQLITE_IOERR_SHMSIZE)', 'Free space'],
    ['SQLITE_IOERR_READ', 'the disk cannot be read or written (SQLITE_IOERR_READ)', 'Repair the disk'],
    ['SQLITE_CANTOPEN', 'the disk cannot be read or written (SQLITE_CANTOPEN)', 'Repair the disk'],
    ['SQLITE_READONLY_DBMOVED', 'the file can only be read (SQLITE_READONLY_DBMOVED)', 'Make'],
  ])('%s is no damage', (code, reason, remedy) => {
    expect(failure(code)).toMatchObject({
      code: 'run_inaccessible',
      facts: { reason, remedy: expect.stringContaining(remedy) as unknown },
    });
  });

  test.each(['SQLITE_CORRUPT', 'SQLITE_NOTADB'])('%s is damage', (code) => {
    expect(failure(code)).toMatchObject({ code: 'run_damaged' });
  });
});

const sqlite = (code: string): Error => new Database.SqliteError('the disk', code);
const system = (code: string): Error => Object.assign(new Error(code), { code, syscall: 'open' });
const BROKEN = 'the disk cannot be read or written';

describe('an error of SQLite', () => {
  test.each([
    ['SQLITE_FULL', 'the disk is full', 'Free space'],
    ['SQLITE_IOERR_WRITE', BROKEN, 'Free space, or repair the disk or the way to it'],
    ['SQLITE_IOERR_FSYNC', BROKEN, 'Repair the disk or the way to it'],
    ['SQLITE_CANTOPEN', BROKEN, 'Repair the disk or the way to it'],
    ['SQLITE_READONLY', 'the file can only be read', 'Make the file and its folder writable'],
    ['SQLITE_PERM', 'the file can only be read', 'Make the file and its folder writable'],
  ])('%s is an obstacle on the disk', (code, reason, remedy) => {
    expect(diskObstacle(sqlite(code))).toEqual({ reason: `${reason} (${code})`, remedy });
    const file = join(temporaryFolder(), 'run.sqlite');
    expect(inaccessible(file, sqlite(code))).toMatchObject({
      code: 'run_inaccessible',
      facts: { file, reason: `${reason} (${code})`, remedy },
    });
  });

  test.each(['SQLITE_CORRUPT', 'SQLITE_BUSY', 'NOT_SQLITE_FULL'])('%s is none', (code) => {
    expect(diskObstacle(sqlite(code))).toBeUndefined();
    expect(inaccessible('/nowhere/run.sqlite', sqlite(code))).toBeUndefined();
  });

  test('is no other error with its code', () => {
    expect(diskObstacle(system('SQLITE_FULL'))).toBeUndefined();
    expect(inaccessible('/nowhere/run.sqlite', new Error('no system call'))).toBeUndefined();
  });
});

describe('the rights to a journal', () => {
  const besideFile = (): { folder: string; file: string } => {
    const folder = join(temporaryFolder(), 'folder');
    writeFileSync(folder, '');
    return { folder, file: join(folder, 'run.sqlite') };
  };

  test('say more than an error of SQLite', () => {
    // Nobody may enter a folder that is a file.
    expect(inaccessible(besideFile().file, sqlite('SQLITE_CANTOPEN'))).toMatchObject({
      facts: {
        reason: 'its folder may not be written by this user',
        remedy: 'Make the folder writable for this user, or work as its owner',
      },
    });
  });

  test('say that the file itself may not be read', () => {
    const file = join(temporaryFolder(), 'run.sqlite');
    // Nobody can follow a link to itself.
    symlinkSync(file, file);
    expect(inaccessible(file, sqlite('SQLITE_CANTOPEN'))).toMatchObject({
      facts: {
        reason: 'the file may not be read by this user',
        remedy: 'Make it readable and writable for this user, or work as its owner',
      },
    });
  });

  test.runIf(process.getuid?.() === 0)('name the owner', () => {
    const { folder, file } = besideFile();
    chownSync(folder, 65_533, 65_533);
    expect(inaccessible(file, sqlite('SQLITE_CANTOPEN'))).toMatchObject({
      facts: { reason: 'its folder may not be written by this user, because it belongs to user 65533' },
    });
  });
});

describe('a file that was not written', () => {
  test.each<readonly [string, Error, reason: string, remedy: string]>([
    ['ENOENT', system('ENOENT'), 'it cannot be made', 'Make the folder writable'],
    ['EIO', system('EIO'), expect.any(String) as string, 'Repair that'],
    [
      'EMFILE',
      system('EMFILE'),
      'too many files are open',
      'Raise the limit (`ulimit -n`), or end other programs',
    ],
    ['no error of the system', new Error('odd'), expect.any(String) as string, 'Make the folder writable'],
  ])('says what to do after %s', (_, error, reason, remedy) => {
    const folder = temporaryFolder();
    expect(notWritable(join(folder, 'run.sqlite'), error)).toMatchObject({
      code: 'run_not_writable',
      facts: { folder, reason, remedy },
      cause: error,
    });
  });
});

test.each([
  ['EACCES', 'Make it readable'],
  ['EMFILE', 'Raise the limit (`ulimit -n`), or end other programs'],
])('a folder whose names cannot be listed because of %s gets its own next step', (code, remedy) => {
  expect(folderUnreadable('/folder', system(code))).toMatchObject({
    code: 'run_folder_unreadable',
    facts: { folder: '/folder', remedy },
  });
});
