import { renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stateOf } from '../../../../src/cli/run-file/database/file-state.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test('the state of a file differs after every change of the file or its journal', () => {
  const file = join(temporaryFolder(), 'run.sqlite');
  const states = [stateOf(file)];
  expect(states).toEqual(['- -']);
  const after = (change: () => void): void => {
    change();
    states.push(stateOf(file));
    expect(new Set(states).size).toBe(states.length);
    expect(stateOf(file)).toBe(states.at(-1));
  };
  after(() => writeFileSync(file, 'a'));
  const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
  expect(states.at(-1)).toBe(`${ino}:${size}:${mtimeNs}:${ctimeNs} -`);
  after(() => writeFileSync(file, 'ab'));
  after(() => utimesSync(file, 1, 1));
  after(() => {
    writeFileSync(`${file}-2`, 'ab');
    renameSync(`${file}-2`, file);
  });
  after(() => writeFileSync(`${file}-wal`, 'a'));
  // SQLite makes an empty journal to read, and removes it afterwards.
  rmSync(`${file}-wal`);
  const before = stateOf(file);
  writeFileSync(`${file}-wal`, '');
  expect(stateOf(file)).toBe(before);
});
