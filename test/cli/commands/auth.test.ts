import { expect, test } from 'vitest';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import {
  jwtUntil,
  scriptedPlatform,
  tokenAnswer,
  type ScriptedStep,
} from '../../support/cli-scripted-platform.ts';

const LIST = 'GET /v1/data-import/imported-account-import-processes/LEGACY/';
const NOW_MS = 1_795_000_000_000;
const TOKEN = jwtUntil(NOW_MS / 1_000 + 3_600);

async function authCheck(
  steps: readonly ScriptedStep[],
  env: Record<string, string>,
  argv: readonly string[] = [],
) {
  const { url } = await scriptedPlatform(steps);
  const result = await runCli(
    ['auth', 'check', ...argv],
    fakeIo({ env: { DATAIMPORT_BASE_URL: url, ...env }, nowMs: NOW_MS }),
  );
  expect(`${result.stdout}${result.stderr}`).not.toMatch(new RegExp(`s3cr3t|${TOKEN}`));
  return { ...result, url };
}

test('with a key and a supplier it says who answers and that the token is taken', async () => {
  const steps = [tokenAnswer(TOKEN), { expects: LIST, body: [] }];
  const { url, ...result } = await authCheck(steps, {
    DATAIMPORT_API_KEY: 's3cr3t',
    DATAIMPORT_SUPPLIER: 'LEGACY',
  });
  expect(result).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout:
      `base URL     ${url}\ncredentials  key from DATAIMPORT_API_KEY\ntoken        valid for 60 min 0 s\n`.replace(
        '60 min 0 s',
        '1 h 0 min',
      ) + 'platform     answered, with 0 imported accounts\n',
  });
});

test('without a supplier it says that the token has not been tried', async () => {
  const { exitCode, stdout } = await authCheck([], { DATAIMPORT_TOKEN: 's3cr3t' });
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    'credentials  token from DATAIMPORT_TOKEN\ntoken        does not say when it ends\nplatform     not asked; give --supplier',
  );
});

test('the document has all of it but the secret', async () => {
  const steps = [tokenAnswer(TOKEN), { expects: LIST, body: [] }];
  const { url, json } = await authCheck(steps, { DATAIMPORT_API_KEY: 's3cr3t' }, [
    '--supplier',
    'LEGACY',
    '--json',
  ]);
  expect(json()).toEqual({
    version: 1,
    base_url: url,
    credentials: { kind: 'key', source: 'DATAIMPORT_API_KEY' },
    token_ends_at_ms: NOW_MS + 3_600_000,
    imported_accounts: 0,
    exit: { code: 0, name: 'OK' },
  });
});

test('a refused key ends with 7 and the words of the platform, escaped', async () => {
  const refusal = { expects: 'POST /v1/graphql/', body: { errors: [{ message: 'Bad key\u001B[2J' }] } };
  const { exitCode, stderr } = await authCheck([refusal], { DATAIMPORT_API_KEY: 's3cr3t' });
  expect(exitCode).toBe(7);
  expect(stderr).toContain('the platform refused the credentials: Bad key\\u001b[2J');
});

test('a token that the platform does not take ends with 7', async () => {
  const steps = [{ expects: LIST, status: 401, body: { code: 'authentication_failed', detail: '' } }];
  expect(
    (await authCheck(steps, { DATAIMPORT_TOKEN: 's3cr3t', DATAIMPORT_SUPPLIER: 'LEGACY' })).exitCode,
  ).toBe(7);
});

test('no credentials at all end with 7 and what to set', async () => {
  const { exitCode, stderr } = await authCheck([], {});
  expect(exitCode).toBe(7);
  expect(stderr).toContain('next: Set DATAIMPORT_API_KEY, or apiKeyFile or apiKeyCommand');
});

test('a platform that is away ends with 5', async () => {
  const { exitCode, stderr } = await authCheck([{ expects: 'POST /v1/graphql/', status: 503 }], {
    DATAIMPORT_API_KEY: 's3cr3t',
  });
  expect(exitCode).toBe(5);
  expect(stderr).toContain('no token: /v1/graphql/ answered with status 503');
});
