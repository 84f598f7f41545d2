import { describe, expect, test } from 'vitest';
import { codesNamedIn, REMOVED_CODES } from '../../../src/core/error-codes/removed.ts';
import { ERROR_CODES, isErrorCode } from '../../../src/core/error-codes/table.ts';
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
      '  exit         5 UNFINISHED: the platform did not answer or kept failing, time ran out, or accounts are not imported yet; verify: rows were not sent, files have changed',
      '  next         Wait; the client does so by itself.',
      '  your client  Wait as long as `Retry-After` says, then send the same request again.',
      '',
    ].join('\n'),
  });
});

test('without a code all codes are listed by area, one line each', async () => {
  const { stdout } = await runCli(['explain']);
  const lines = stdout.trimEnd().split('\n');
  const codes = lines.filter((line) => line.startsWith('  ')).map((line) => line.trim().split(':')[0]);
  expect(codes).toEqual(Object.keys(ERROR_CODES));
  expect(stdout).not.toContain('……');
  expect(lines.slice(0, 2)).toEqual(['values of fields', '  required: is required but has no value']);
  expect(lines.filter((line) => line !== '' && !line.startsWith('  '))).toHaveLength(11);
});

test('a rule that both ends know has the exit of either end', async () => {
  const { stdout } = await runCli(['explain', 'duplicate_transaction_ids']);
  expect(stdout).toContain('  exit         4 REFUSED: ');
  expect(stdout).toContain('  or           3 INPUT_INVALID, when a check of the file finds it\n');
  expect((await runCli(['explain', 'existing_differs'])).stdout).toContain('  exit         6 PARTIAL: ');
});

test('a rule that depends on the data of the platform is never found by a check', async () => {
  for (const code of ['historical_statement_already_exists', 'ledger_code_does_not_exist'])
    expect((await runCli(['explain', code])).stdout).not.toContain('a check of the file');
});

test('with --json the document has the codes and nothing else is printed', async () => {
  const { json, stderr } = await runCli(['explain', 'account_not_found', '--json']);
  expect(stderr).toBe('');
  expect(json()).toMatchObject({
    version: 1,
    exit: { code: 0, name: 'OK' },
    codes: [
      {
        code: 'account_not_found',
        area: 'rules of the platform',
        meaning: 'no imported account has this supplier code and account number',
        authority: 'observed',
        http_status: 404,
        retry: 'never',
        exit: { code: 4, name: 'REFUSED' },
        also: null,
        next: expect.stringContaining('dataimport accounts') as string,
        next_in_client: expect.stringContaining('all-account-import-processes/CODE/') as string,
      },
    ],
  });
});

test('an unknown code is a usage error that suggests the nearest code', async () => {
  const { exitCode, stderr } = await runCli(['explain', 'invalid_chioce']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('no code `invalid_chioce` is known; did you mean invalid_choice?');
});

describe('a removed code', () => {
  const removed = Object.entries(REMOVED_CODES);

  test('is gone, and every word in backticks in its sentence is a code or a command', () => {
    expect(removed.filter(([code]) => isErrorCode(code))).toEqual([]);
    const unknown = removed.flatMap(([code, now]) =>
      [...now.matchAll(/`([^`]+)`/g)].flatMap(([, word]) =>
        isErrorCode(word!) || word!.startsWith('dataimport ') ? [] : [[code, word]],
      ),
    );
    expect(unknown).toEqual([]);
  });

  test('is explained by the sentence, with the pages of the codes in its place', async () => {
    for (const [code, now] of removed) {
      const { exitCode, stdout } = await runCli(['explain', code]);
      expect([exitCode, stdout.split('\n')[0]]).toEqual([0, `${code} is no code any more: ${now}`]);
      for (const successor of codesNamedIn(now)) expect(stdout).toContain(`\n${successor}: `);
      const { json } = await runCli(['explain', code, '--json']);
      expect(json()).toMatchObject({ exit: { code: 0 }, removed: { code, now } });
      expect((json() as { codes: readonly { code: string }[] }).codes.map((each) => each.code)).toEqual(
        codesNamedIn(now),
      );
    }
  });
});
