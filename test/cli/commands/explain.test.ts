import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../../src/core/error-codes/table.ts';
import { runCli } from '../../support/cli-io.ts';

test('one code is explained with every entry of the table', async () => {
  expect(await runCli(['explain', 'throttled'])).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: [
      'throttled: too many requests',
      '',
      '  comes from   published descriptions of deployments',
      '  HTTP status  429',
      '  sent again   yes, unchanged, after a wait',
      '  exit         5 UNFINISHED: the platform could not be reached, kept failing, or time ran out; resume continues',
      '  next         Wait; the client does so by itself.',
      '',
    ].join('\n'),
  });
});

test('facts of a sentence are gaps, and no full stop follows a gap at its end', async () => {
  expect((await runCli(['explain', 'port_taken'])).stdout).toContain('port_taken: port … on … is taken');
  expect((await runCli(['explain', 'invalid_choice'])).stdout).toContain('next         Use one of: …\n');
});

test('without a code all codes are listed, one line each', async () => {
  const { stdout } = await runCli(['explain']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => line.split(':')[0])).toEqual(Object.keys(ERROR_CODES));
});

test('no text shows a placeholder', async () => {
  expect((await runCli(['explain', '--json'])).stdout).not.toMatch(/[{<]\w+[}>](?!`)/);
});

test('with --json the document has the codes and nothing else is printed', async () => {
  const { json, stderr } = await runCli(['explain', 'account_not_found', '--json']);
  expect(stderr).toBe('');
  expect(json()).toEqual({
    version: 1,
    exit: { code: 0, name: 'OK' },
    codes: [
      {
        code: 'account_not_found',
        meaning: 'no imported account has this supplier code and account number',
        authority: 'observed',
        http_status: 404,
        retry: 'never',
        exit: { code: 4, name: 'REFUSED' },
        next: expect.stringContaining('dataimport accounts') as string,
      },
    ],
  });
});

test('an unknown code is a usage error that suggests the nearest code', async () => {
  const { exitCode, stderr } = await runCli(['explain', 'invalid_chioce']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('no code `invalid_chioce` is known; did you mean invalid_choice?');
});

test('names that every object has are no codes', async () => {
  expect((await runCli(['explain', 'constructor'])).exitCode).toBe(2);
});
