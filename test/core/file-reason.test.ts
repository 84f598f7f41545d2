import { expect, test } from 'vitest';
import { nextStepOf } from '../../src/core/error-codes/sentence.ts';
import { fileReason, isOutOfHandles, temporaryFailure } from '../../src/core/file-reason.ts';

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

test('a folder for temporary files that cannot be written is named with a remedy', () => {
  const cause = { code: 'ENOSPC' };
  const error = temporaryFailure(`/t: ${fileReason(cause)}`, cause);
  expect([error.code, error.message, error.cause]).toEqual([
    'run_not_writable',
    'the temporary file of the command cannot be written: /t: no space is left',
    cause,
  ]);
  expect(nextStepOf(error.code, error.facts)).toBe(
    'Make the folder for temporary files writable for this user, or set TMPDIR to another folder, then type the command again.',
  );
});
