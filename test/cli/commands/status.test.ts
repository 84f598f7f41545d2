import { describe, expect, test } from 'vitest';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { startPlatform } from '../../support/server-platform.ts';
import { scriptedPlatform, type ScriptedStep } from '../../support/scripted-server.ts';

const ASKED = 'GET /v1/data-import/account-transfer-status/LEGACY/1001/';
const LISTED = 'GET /v1/data-import/pending-account-import-processes/LEGACY/';
const step = (status: string, number = ''): ScriptedStep => ({
  expects: ASKED,
  body: { status, platform_account_number: number },
});

async function status(
  steps: readonly ScriptedStep[],
  argv: readonly string[] = [],
  world: Parameters<typeof fakeIo>[0] = {},
) {
  const { url, received } = await scriptedPlatform(steps);
  const env = {
    DATAIMPORT_BASE_URL: url,
    DATAIMPORT_TOKEN: 'given',
    DATAIMPORT_SUPPLIER: 'LEGACY',
    ...world.env,
  };
  return { ...(await runCli(['status', '1001', ...argv], fakeIo({ ...world, env }))), received, url };
}

test('an imported account is shown with its number on the platform', async () => {
  expect(await status([step('COMPLETED', 'A-1')])).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^platform: .*, set by DATAIMPORT_BASE_URL\n$/) as string,
    stdout: 'account   1001 of supplier LEGACY\nstatus    COMPLETED\nplatform  A-1\n',
  });
});

test('an account that does not exist yet is an answer, not a failure', async () => {
  const { exitCode, stdout } = await status([step('IN_PROGRESS')]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('status    IN_PROGRESS\nplatform  no account yet\n');
});

describe('an answer in which only the status is certain', () => {
  test.each([
    ['has no account number', { status: 'COMPLETED' }, 'the answer has no platform_account_number'],
    ['has another name for it', { status: 'COMPLETED', retailer_account_number: 'R-1' }, 'the answer has no'],
    ['has null', { status: 'UNKNOWN', platform_account_number: null }, 'no account yet'],
    ['has a status of its own', { status: 'REJECTED', platform_account_number: '' }, 'no account yet'],
  ])('%s', async (_, body, platform) => {
    const { exitCode, stdout } = await status([{ expects: ASKED, body }]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`status    ${body.status}\nplatform  ${platform}`);
    const { json } = await status([{ expects: ASKED, body }], ['--json']);
    expect(json()).toMatchObject({ status: body.status, platform_account_number: null });
  });
});

test('account numbers are escaped in the path and on the terminal', async () => {
  const { url } = await scriptedPlatform([
    {
      expects: 'GET /v1/data-import/account-transfer-status/A%2FB/1%1B%3F/',
      body: { status: '\u001B[2J', platform_account_number: '' },
    },
  ]);
  const io = fakeIo({ env: { DATAIMPORT_BASE_URL: url, DATAIMPORT_TOKEN: 't' } });
  const { stdout } = await runCli(['status', '1\u001B?', '--supplier', 'A/B'], io);
  expect(stdout).toBe(
    'account   1\\u001b? of supplier A/B\nstatus    \\u001b[2J\nplatform  no account yet\n',
  );
});

describe('refusals of the platform', () => {
  test.each([
    [{ status: 401, body: { code: 'not_authenticated', detail: '' } }, 7, 'credentials_refused'],
    [{ status: 403, body: {} }, 4, 'permission_denied'],
    [{ status: 403, body: { detail: 'Import supplier is not ongoing.' } }, 4, 'answer_unproven'],
    [{ status: 302, headers: { location: 'https://login.example' }, body: '' }, 4, 'answer_unproven'],
    [{ status: 418, body: { code: 'teapot', detail: '' } }, 4, 'answer_unproven'],
    [{ status: 429, body: {} }, 5, 'connection_failed'],
    [{ status: 503, body: '<html>' }, 5, 'connection_failed'],
    [{ status: 204, body: '' }, 5, 'connection_failed'],
    [{ status: 200, body: '<html>captive portal</html>' }, 5, 'connection_failed'],
  ] satisfies [Omit<ScriptedStep, 'expects'>, number, string][])(
    '%j ends with %d %s',
    async (answer, exitCode, code) => {
      const result = await status([{ expects: ASKED, ...answer }], ['--json']);
      expect(result.exitCode).toBe(exitCode);
      expect(result.json()).toMatchObject({
        exit: { code: exitCode },
        problems: [{ code }],
        next: expect.stringMatching(/\w/) as string,
      });
    },
  );
});

describe('an account that does not exist', () => {
  const NOT_FOUND = { status: 404, body: { detail: 'Not found.', code: 'not_found' } } as const;

  test.each([
    ['is the account when the supplier has a list', { body: [] }, 'import_process_does_not_exist'],
    [
      'is the supplier when the list says so',
      { status: 404, body: { detail: '', code: 'import_supplier_not_found' } },
      'import_supplier_not_found',
    ],
    ['may be either when the list is not found, too', NOT_FOUND, 'import_process_does_not_exist'],
    [
      'is taken to be the account when the list does not come',
      { status: 503 },
      'import_process_does_not_exist',
    ],
  ])('%s', async (_, list, code) => {
    const { exitCode, stderr } = await status([
      { expects: ASKED, ...NOT_FOUND },
      { expects: LISTED, ...list },
    ]);
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`dataimport: error ${code} `);
    expect(stderr).not.toContain('`dataimport status`');
  });

  test('is not reported as one that only has to be imported, because a staged account has a status', async () => {
    const platform = await startPlatform();
    const env = {
      DATAIMPORT_BASE_URL: platform.url,
      DATAIMPORT_API_KEY: 'all-key',
      DATAIMPORT_SUPPLIER: 'ACME',
    };
    const typed = (...words: string[]) => runCli(words, fakeIo({ env }));
    const { exitCode, stderr } = await typed('status', '9009');
    expect([exitCode, stderr.split('\n')[1]]).toEqual([
      4,
      'dataimport: error import_process_does_not_exist no import process exists for this account: it was never staged',
    ]);
    await typed('admin', 'account', 'stage', '9009');
    expect((await typed('status', '9009')).stdout).toContain('status    UNKNOWN\n');
  });

  test('may have a wrong supplier code or a wrong number, and the error names the list that shows which', async () => {
    const { stderr } = await status([
      { expects: ASKED, ...NOT_FOUND },
      { expects: LISTED, body: [] },
    ]);
    expect(stderr).toContain('`dataimport accounts --supplier LEGACY`');
    expect(stderr).toContain('the supplier code or the account number is wrong');
  });
});

test('without a supplier no request is sent', async () => {
  const io = fakeIo({ env: { DATAIMPORT_BASE_URL: 'http://127.0.0.1:1', DATAIMPORT_TOKEN: 't' } });
  expect(await runCli(['status', '1'], io)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Give --supplier, set DATAIMPORT_SUPPLIER') as string,
  });
});

test('a Node that trusts every certificate is refused', async () => {
  const env = {
    DATAIMPORT_BASE_URL: 'https://platform.example',
    DATAIMPORT_TOKEN: 't',
    DATAIMPORT_SUPPLIER: 'S',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  };
  expect(await runCli(['status', '1'], fakeIo({ env }))).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--ca-file') as string,
  });
});
test.each([
  ['PENDING', 'open'],
  ['REJECTED', 'refused'],
])(
  'a status %s for a switch of supply is of an account that exists, where the settings name it',
  async (word, end) => {
    const steps = [step(word, 'A-1')];
    expect((await status(steps)).stdout).toContain(`status    ${word}\n`);
    const env = { DATAIMPORT_EXISTING_STATUSES: 'PENDING, REJECTED' };
    const named = await status(steps, [], { env });
    expect(named.stdout).toContain(
      `status    ${word}: the account exists, and its switch of supply is ${end}\nplatform  A-1\n`,
    );
  },
);
