import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { HistoryIndex } from '../../../../src/cli/run-file/history/history-index.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test('a disk that does not take a write of the index is named, and is no bug', () => {
  const index = HistoryIndex.open(join(temporaryFolder(), 'history.index'));
  onTestFinished(() => index.close());
  // SQLite refuses a write as it does on a disk that can only be read.
  (Reflect.get(index, 'db') as Database.Database).pragma('query_only = 1');
  for (const write of [
    () => index.see('run', { links: 1, head: 'a' }),
    () => index.touch('run', 'b'),
    () => index.forget('run'),
  ])
    expect(write).toThrow(expect.objectContaining({ code: 'run_not_writable' }));
});
