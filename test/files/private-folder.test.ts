import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePrivateFolder } from '../../src/files/private-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('only the owner may enter a new folder', () => {
  const top = temporaryFolder();
  makePrivateFolder(join(top, 'a', 'b'));
  makePrivateFolder(join(top, 'a', 'b'));
  expect(['a', 'a/b'].map((path) => statSync(join(top, path)).mode & 0o777)).toEqual([0o700, 0o700]);
});

test('a folder that cannot be made is an error, not an endless loop', () => {
  expect(() => makePrivateFolder('/proc/no-such-process/runs')).toThrow(/ENOENT|EACCES|EPERM|EROFS/);
});
