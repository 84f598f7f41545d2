import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  jwtUntil,
  scriptedPlatform,
  TOKEN_TRIAL,
  tokenAnswer,
  type ScriptedStep,
} from '../../support/scripted-server.ts';

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
    ['auth', ...argv],
    fakeIo({ env: { DATAIMPORT_BASE_URL: url, ...env }, nowMs: NOW_MS }),
  );
  expect(`${result.stdout}${result.stderr}`).not.toMatch(new RegExp(`s3cr3t|${TOKEN}`));
  return { ...result, url };
}

test('with a key and a supplier it says who answers and that the token is accepted', async () => {
  const steps = [tokenAnswer(TOKEN), { expects: LIST, body: [] }];
  const { url, ...result } = await authCheck(steps, {
    DATAIMPORT_API_KEY: 's3cr3t',
    DATAIMPORT_SUPPLIER: 'LEGACY',
  });
  expect(result).toMatchObject({
    exitCode: 0,
    stderr: `platform: ${url}, set by DATAIMPORT_BASE_URL\n`,
    stdout:
      `base URL     ${url}\ncredentials  key from DATAIMPORT_API_KEY\ntoken        valid for 60 min 0 s\n`.replace(
        '60 min 0 s',
        '1 h 0 min',
      ) + 'platform     answered, with 0 imported accounts\n',
  });
});

test('a platform that has no token now and asks to wait is told apart from one that cannot be reached', async () => {
  const busy = { ...tokenAnswer(TOKEN), status: 429, headers: { 'retry-after': '30' } };
  const { exitCode, stderr } = await authCheck([busy], { DATAIMPORT_API_KEY: 's3cr3t' });
  expect(exitCode).toBe(5);
  expect(stderr).toMatch(/asks to wait 30 s: no token: .* answered with status 429/);
  expect(stderr).toContain('or wait as long as the platform asks');
});

describe('without a supplier the token is still tried', () => {
  test.each([
    ['that there is no such supplier', { status: 404, body: { detail: 'Not found.', code: 'not_found' } }],
    ['that the key is for others', { status: 403, body: { detail: 'No.', code: 'permission_denied' } }],
    ['that such a code cannot be', { status: 400, body: { detail: 'No.', code: 'invalid' } }],
    ['a list', { status: 200, body: [] }],
  ])('and is taken when the answer is %s', async (_, answer) => {
    const { exitCode, stdout } = await authCheck([{ ...TOKEN_TRIAL, ...answer }], {
      DATAIMPORT_TOKEN: 's3cr3t',
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'credentials  token from DATAIMPORT_TOKEN\ntoken        does not say when it ends\nplatform     accepts the token; give --supplier',
    );
  });

  test.each([
    [
      'refused with 401',
      { status: 401, body: { code: 'authentication_failed', detail: '' } },
      7,
      'credentials_refused',
    ],
    ['a page of something else', { status: 404, body: '<html>' }, 5, 'is it the right address?'],
    ['a failure', { status: 503, body: '' }, 5, 'it answered with status 503'],
    ['a redirect', { status: 302, body: '' }, 4, 'answer_unproven'],
  ])('and is not when the answer is %s', async (_, answer, code, says) => {
    const { exitCode, stdout, stderr } = await authCheck([{ ...TOKEN_TRIAL, ...answer }], {
      DATAIMPORT_TOKEN: 's3cr3t',
    });
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toContain(says);
  });
});

test('the document has everything except the secret', async () => {
  const steps = [tokenAnswer(TOKEN), { expects: LIST, body: [] }];
  const { url, json } = await authCheck(steps, { DATAIMPORT_API_KEY: 's3cr3t' }, [
    '--supplier',
    'LEGACY',
    '--json',
  ]);
  expect(json()).toMatchObject({
    version: 1,
    base_url: url,
    proxy: null,
    credentials: { kind: 'key', source: 'DATAIMPORT_API_KEY' },
    token_ends_at_ms: NOW_MS + 3_600_000,
    imported_accounts: 0,
    exit: { code: 0, name: 'OK' },
  });
});

test('a refused key ends with 7 and the escaped words of the platform', async () => {
  const refusal = { expects: 'POST /v1/graphql/', body: { errors: [{ message: 'Bad key\u001B[2J' }] } };
  const { exitCode, stderr } = await authCheck([refusal], { DATAIMPORT_API_KEY: 's3cr3t' });
  expect(exitCode).toBe(7);
  expect(stderr).toContain('the platform refused the credentials: Bad key\\u001b[2J');
});

test('a token that the platform refuses ends with 7', async () => {
  const steps = [{ expects: LIST, status: 401, body: { code: 'authentication_failed', detail: '' } }];
  expect(
    (await authCheck(steps, { DATAIMPORT_TOKEN: 's3cr3t', DATAIMPORT_SUPPLIER: 'LEGACY' })).exitCode,
  ).toBe(7);
});

test('a platform that cannot be reached ends with 5', async () => {
  const { exitCode, stderr } = await authCheck([{ expects: 'POST /v1/graphql/', status: 503 }], {
    DATAIMPORT_API_KEY: 's3cr3t',
  });
  expect(exitCode).toBe(5);
  expect(stderr).toContain('no usable answer from the platform');
  expect(stderr).toContain('no token: /v1/graphql/ answered with status 503');
});

test('an address of a configuration file is named with the file, and a command for the key with its limit', async () => {
  const { url } = await scriptedPlatform([
    tokenAnswer(TOKEN),
    { expects: LIST, body: [] },
    tokenAnswer(TOKEN),
    { expects: LIST, body: [] },
  ]);
  const file = join(temporaryFolder(), 'ci.yaml');
  writeFileSync(file, `supplier: LEGACY\nbaseUrl: ${url}\n`);
  const said = async (env: Record<string, string>) =>
    (await runCli(['auth', '--config', file], fakeIo({ env, nowMs: NOW_MS }))).stderr;
  expect(await said({ DATAIMPORT_API_KEY_COMMAND: 'echo s3cr3t' })).toBe(
    `platform: ${url}, set by ${file}:2\nwaiting for apiKeyCommand (DATAIMPORT_API_KEY_COMMAND), 60 s at most\n`,
  );
  expect(await said({ DATAIMPORT_BASE_URL: url, DATAIMPORT_API_KEY: 's3cr3t' })).toBe(
    `platform: ${url}, set by DATAIMPORT_BASE_URL\n`,
  );
});

describe("a token of the operator's authorisation server", () => {
  const authBy = async (steps: readonly ScriptedStep[], given: Readonly<Record<string, string>> = {}) => {
    const server = await scriptedPlatform(steps);
    const env = {
      DATAIMPORT_BASE_URL: server.url,
      DATAIMPORT_TOKEN_URL: `${server.url}/oauth/token/`,
      DATAIMPORT_CLIENT_ID: 'team',
    };
    const result = await runCli(
      ['auth'],
      fakeIo({ env: { ...env, DATAIMPORT_API_KEY: 's3cr3t+key', ...given }, nowMs: NOW_MS }),
    );
    expect(result.stdout + result.stderr).not.toMatch(/s3cr3t|opaque/);
    return { ...result, received: server.received };
  };
  const GIVEN = { expects: 'POST /oauth/token/', body: { access_token: 'opaque-token', expires_in: 3600 } };

  test.each([
    [{}, 'Bearer opaque-token'],
    [{ DATAIMPORT_AUTH_SCHEME: 'none' }, 'opaque-token'],
  ])('is obtained by the name and the secret of a client: %o', async (given, authorization) => {
    const { stdout, received } = await authBy([GIVEN, TOKEN_TRIAL], given);
    expect(stdout).toMatch(
      /key from DATAIMPORT_API_KEY, for team at \S+\/oauth\/token\/\ntoken +valid for 1 h/,
    );
    const [asked, tried] = received;
    const client = Buffer.from('team:s3cr3t%2Bkey').toString('base64');
    expect(asked).toMatchObject({
      headers: { authorization: `Basic ${client}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    });
    expect(tried!.headers.authorization).toBe(authorization);
  });

  test.each([
    [
      { status: 401, body: { error: 'invalid_client', error_description: 'no s3cr3t+key' } },
      7,
      'refused the credentials',
    ],
    [{ status: 400, body: { error: 'temporarily_unavailable' } }, 5, 'there were too many requests'],
    [{ status: 200, body: { token_type: 'Bearer' } }, 7, 'contains no token'],
  ])('may be refused or late: %o', async (answer, exitCode, words) => {
    const { stderr, ...result } = await authBy([{ ...GIVEN, ...answer }]);
    expect([result.exitCode, stderr]).toEqual([exitCode, expect.stringContaining(words)]);
  });

  test('needs the name of the client', async () => {
    const { stderr } = await runCli(
      ['auth'],
      fakeIo({
        env: {
          DATAIMPORT_BASE_URL: 'http://127.0.0.1:1',
          DATAIMPORT_TOKEN_URL: 'https://x.example/token',
          DATAIMPORT_API_KEY: 's3cr3t',
        },
      }),
    );
    expect(stderr).toContain('the setting clientId is missing');
  });
});

test('an allowance that is used up is waited for, and the operator may have to restore it', async () => {
  const error = { message: 'Points allowance exceeded.', extensions: { errorCode: 'KT-CT-1188' } };
  const used = { ...tokenAnswer(TOKEN), body: { errors: [error], data: null } };
  const { exitCode, stderr } = await authCheck([used], { DATAIMPORT_API_KEY: 's3cr3t' });
  expect([exitCode, stderr]).toEqual([
    5,
    expect.stringContaining("or the operator's administrator has to restore it"),
  ]);
});
