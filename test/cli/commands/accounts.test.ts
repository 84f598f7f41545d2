import { describe, expect, test } from 'vitest';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { scriptedPlatform } from '../../support/scripted-server.ts';

const IMPORTED = {
  external_account_number: '1001',
  platform_account_number: 'A-1',
  account_created_at: '2026-11-21T06:00:00Z',
};
const PENDING = { external_account_number: '1002', platform_account_number: null, account_created_at: null };

async function accounts(
  argv: readonly string[],
  body: unknown,
  { list = 'all', isTTY = false, status = 200 } = {},
) {
  const { url } = await scriptedPlatform([
    { expects: `GET /v1/data-import/${list}-account-import-processes/LEGACY/`, status, body },
  ]);
  const env = { DATAIMPORT_BASE_URL: url, DATAIMPORT_TOKEN: 'given', DATAIMPORT_SUPPLIER: 'LEGACY' };
  return runCli(['accounts', ...argv], fakeIo({ env, isTTY }));
}

const HEADING = 'account\tstate\tplatform account\tcreated at\n';

test('in a pipe each account is a line with tabs below a heading, without the counts', async () => {
  expect(await accounts([], [IMPORTED, PENDING])).toMatchObject({
    exitCode: 0,
    stdout: `${HEADING}1001\timported\tA-1\t2026-11-21T06:00:00Z\n1002\tpending\t\t\n`,
    stderr: expect.stringMatching(
      /^platform: .*\n2 accounts of supplier LEGACY: 1 imported, 1 pending\n$/,
    ) as string,
  });
});

test('a supplier without accounts is not a failure', async () => {
  expect(await accounts([], [])).toMatchObject({
    exitCode: 0,
    stdout: HEADING,
    stderr: expect.stringMatching(
      /^platform: .*\n0 accounts of supplier LEGACY: 0 imported, 0 pending\n$/,
    ) as string,
  });
  expect((await accounts([], [], { isTTY: true })).stdout).toBe('');
});

test('the document has the counts and the documented fields, and no field that a deployment adds', async () => {
  const { json } = await accounts(['--json'], [{ ...IMPORTED, account_number: 'deprecated' }, PENDING]);
  expect(json()).toEqual({
    version: 1,
    import_supplier: 'LEGACY',
    list: 'all',
    counts: { total: 2, pending: 1, imported: 1 },
    accounts: [IMPORTED, PENDING],
    exit: { code: 0, name: 'OK' },
    problems: [],
    next: null,
  });
});

describe('a list that names only the external account numbers', () => {
  const numbers = [{ external_account_number: '1001' }, { external_account_number: '1002' }];
  const states = '1001\timported\t\t\n1002\tpending\t\t\n';
  const get = (list: string, body: unknown, status = 200) => ({
    expects: `GET /v1/data-import/${list}-account-import-processes/LEGACY/`,
    status,
    body,
  });
  const listed = async (...steps: Parameters<typeof scriptedPlatform>[0]) => {
    const { url } = await scriptedPlatform(steps);
    const env = { DATAIMPORT_BASE_URL: url, DATAIMPORT_TOKEN: 'given', DATAIMPORT_SUPPLIER: 'LEGACY' };
    return runCli(['accounts'], fakeIo({ env, isTTY: false }));
  };

  test('is read with the list of imported accounts beside it', async () => {
    const { stdout } = await listed(
      get('all', numbers),
      get('imported', [{ external_account_number: '1001' }]),
    );
    expect(stdout).toBe(HEADING + states);
  });

  test('is refused when it has the account number of the platform under another name', async () => {
    const { exitCode, stderr } = await accounts([], [{ ...numbers[0], acme_account_number: 'A-1' }]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('does it name the account number `platform_account_number`?');
  });
});

describe('a state selects the list', () => {
  test.each([
    ['pending', [PENDING]],
    ['imported', [IMPORTED]],
  ] as const)('%s', async (list, body) => {
    const { json } = await accounts(['--state', list, '--json'], body, { list });
    expect(json()).toMatchObject({ list, accounts: body });
  });
});

test.each([{ detail: 'Not found.' }, { detail: 'Not found.', code: 'not_found' }, '<html>'])(
  'a list that is not found (%j) may mean an unknown supplier or a supplier without accounts',
  async (body) => {
    const { exitCode, stderr } = await accounts([], body, { status: 404 });
    expect(exitCode).toBe(4);
    expect(stderr).toContain('error not_found the platform has no such list of accounts');
    expect(stderr).toContain('no import supplier has this code, or the supplier has no accounts in the list');
    expect(stderr).toContain('next: Check --supplier.');
  },
);

test('an unknown supplier that the platform names ends with 4', async () => {
  const body = { detail: 'Not found.', code: 'import_supplier_not_found' };
  const { exitCode, stderr } = await accounts([], body, { status: 404 });
  expect(exitCode).toBe(4);
  expect(stderr).toContain('import_supplier_not_found');
});

test('text of the platform cannot control the terminal or break a line', async () => {
  const body = [{ ...PENDING, external_account_number: '1\u001B[2J\t\n2' }];
  expect((await accounts([], body)).stdout).toBe(`${HEADING}1\\u001b[2J\\t\\n2\tpending\t\t\n`);
});

test('a pending account exists, where its status is one that the settings name', async () => {
  const { url } = await scriptedPlatform([
    { expects: 'GET /v1/data-import/all-account-import-processes/LEGACY/', body: [PENDING] },
    { expects: 'GET /v1/data-import/account-transfer-status/LEGACY/1002/', body: { status: 'IN_PROGRESS' } },
  ]);
  const env = { DATAIMPORT_BASE_URL: url, DATAIMPORT_TOKEN: 'given', DATAIMPORT_SUPPLIER: 'LEGACY' };
  const io = fakeIo({ env: { ...env, DATAIMPORT_EXISTING_STATUSES: 'IN_PROGRESS' } });
  const { stdout, stderr } = await runCli(['accounts'], io);
  expect(stdout).toContain('1002\tIN_PROGRESS: the account exists, and its switch of supply is open\t');
  expect(stderr).toContain('1 imported, 0 pending');
});
