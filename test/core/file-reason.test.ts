import { expect, test } from 'vitest';
import { fileReason, isOutOfHandles } from '../../src/core/file-reason.ts';

test.each([
  [{ code: 'ENOENT', message: "ENOENT: no such file or directory, open 'x'" }, 'no such file'],
  [{ code: 'EISDIR' }, 'it is a folder'],
  [{ code: 'EMFILE', message: 'too many' }, 'too many files are open'],
  [{ code: 'EXDEV', message: 'cross-device' }, 'EXDEV'],
  [new Error('not a regular file'), 'not a regular file'],
  [{}, 'unknown reason'],
])('%j is reported as %s', (error, reason) => {
  expect(fileReason(error)).toBe(reason);
});

test.each([
  [Object.assign(new Error('open'), { code: 'EMFILE' }), true],
  [Object.assign(new Error('open'), { code: 'ENFILE' }), true],
  [Object.assign(new Error('open'), { code: 'ENOENT' }), false],
  [new Error('EMFILE'), false],
  [undefined, false],
])('%s says that too many files are open: %s', (error, isOut) => {
  expect(isOutOfHandles(error)).toBe(isOut);
});
