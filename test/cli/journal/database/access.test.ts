import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import {
  diskObstacle,
  folderUnreadable,
  inaccessible,
  notWritable,
} from '../../../../src/cli/journal/database/access.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const sqlite = (code: string): Error => new Database.SqliteError('the disk', code);
const system = (code: string): Error => Object.assign(new Error(code), { code, syscall: 'open' });
const BROKEN = 'the disk cannot be read or written';

describe('an error of SQLite', () => {
  test.each([
    ['SQLITE_FULL', 'the disk is full', 'Free space'],
    ['SQLITE_IOERR_SHMSIZE', 'the disk is full', 'Free space'],
    ['SQLITE_IOERR_WRITE', BROKEN, 'Free space, or repair the disk or the way to it'],
    ['SQLITE_CANTOPEN', BROKEN, 'Repair the disk or the way to it'],
    ['SQLITE_READONLY_DBMOVED', 'the file can only be read', 'Make the file and its folder writable'],
  ])('%s is an obstacle on the disk, and no damage', (code, reason, remedy) => {
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

test('the rights to a journal say more than an error of SQLite', () => {
  // Nobody may enter a folder that is a file, or follow a link to itself.
  const folder = join(temporaryFolder(), 'folder');
  writeFileSync(folder, '');
  const link = join(temporaryFolder(), 'run.sqlite');
  symlinkSync(link, link);
  const facts = [join(folder, 'run.sqlite'), link].map(
    (file) => inaccessible(file, sqlite('SQLITE_CANTOPEN'))?.facts,
  );
  expect(facts).toMatchObject([
    {
      reason: 'its folder may not be written by this user (permission denied)',
      remedy: 'Make the folder writable for this user, or work as its owner',
    },
    {
      reason: 'the file may not be read by this user (ELOOP)',
      remedy: 'Make it readable and writable for this user, or work as its owner',
    },
  ]);
});

test.each([
  ['ENOENT', 'no such file', 'Make the folder writable for this user', 'Make it readable'],
  ['EACCES', 'permission denied', 'Make the folder writable for this user', 'Make it readable'],
  ['ENOSPC', 'the disk is full', 'Free space', 'Free space'],
  ['EMFILE', 'too many files are open', expect.stringMatching(/^Raise/), expect.stringMatching(/^Raise/)],
])('a folder in which %s ends a call gets its own next step', (code, reason, writing, listing) => {
  const error = system(code);
  expect(notWritable('/folder/run.sqlite', error)).toMatchObject({
    code: 'run_not_writable',
    facts: { folder: '/folder', reason, remedy: writing as string },
    cause: error,
  });
  expect(folderUnreadable('/folder', error).facts).toEqual({ folder: '/folder', reason, remedy: listing });
});
