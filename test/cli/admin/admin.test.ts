import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { adminCommand } from '../../../src/cli/admin/admin.ts';
import { ADMIN_ACTIONS, type AdminName } from '../../../src/cli/admin/admin-actions.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { ACCOUNT, charge, obtainToken, startPlatform } from '../../support/server-platform.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Options = Parameters<typeof startPlatform>[0];

/** A platform, and `admin` typed in a folder of its own. */
async function operated(options: Options = {}, env: Record<string, string> = {}) {
  const platform = await startPlatform(options);
  const cwd = temporaryFolder();
  const settings = { DATAIMPORT_BASE_URL: platform.url, DATAIMPORT_SUPPLIER: 'ACME', ...env };
  const type = (...words: string[]) => runCli(['admin', ...words], fakeIo({ env: settings, cwd }));
  /** The document of --json, without version and exit. */
  const json = async (...words: string[]): Promise<Record<string, unknown>> => {
    const { version: _, exit, ...answer } = (await type(...words, '--json')).json();
    return { ...answer, exit: (exit as { code: number }).code };
  };
  return { platform, cwd, type, json };
}

/** The address of another server on a free port. */
async function listening(listener: RequestListener): Promise<string> {
  const other = createServer(listener);
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    other.close();
    other.closeAllConnections();
  });
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
}

const send = (platform: Awaited<ReturnType<typeof startPlatform>>, fields: object = {}, query = '') =>
  platform.post('createTransactions', { ...ACCOUNT, transactions: [charge({ ...fields })] }, { query });

describe('admin', () => {
  test('sets the status of a supplier, and lists them', async () => {
    const { platform, type, json } = await operated();
    expect(await json('supplier', 'ACME', '--status', 'Paused')).toMatchObject({
      code: 'ACME',
      status: 'Paused',
      exit: 0,
    });
    expect((await send(platform)).status).toBe(400);
    const { stdout } = await type('supplier');
    expect(stdout).toMatch(/^suppliers:\n {2}code +name +status/);
    expect(stdout).toMatch(/ACME +Acme Energy +Paused/);
  });

  test('takes an account through its import', async () => {
    const { type, json } = await operated();
    const states: unknown[] = [];
    for (const verb of ['stage', 'start', 'fail', 'stage', 'import'])
      states.push((await json('account', verb, '9001'))['state']);
    expect(states).toEqual(['staged', 'in_progress', 'failed', 'staged', 'imported']);
    expect((await type('account', 'show', '9001')).stdout).toContain('balance: 0.00\n');
    expect((await json('accounts', '--state', 'failed'))['accounts']).toHaveLength(1);
  });

  test('freezes, sets, advances and resumes the clock', async () => {
    const { json } = await operated();
    expect(await json('clock', 'freeze')).toMatchObject({ mode: 'frozen' });
    expect(await json('clock', 'set', '2026-10-25T00:30:00Z')).toMatchObject({
      now: '2026-10-25T00:30:00.000Z',
    });
    expect(await json('clock', 'advance', '2h')).toMatchObject({ now: '2026-10-25T02:30:00.000Z' });
    expect(await json('clock', 'resume')).toMatchObject({ mode: 'real' });
    expect(await json('clock')).toMatchObject({ mode: 'real', exit: 0 });
  });

  test('adds faults, and removes them', async () => {
    const { json } = await operated();
    const rules = async (...words: string[]) =>
      ((await json('faults', ...words))['rules'] as { rule: string }[]).map(({ rule }) => rule);
    expect(await rules('add', 'notes accept stall', 'lists accept html')).toHaveLength(2);
    expect(await rules('add', 'token accept stall')).toHaveLength(3);
    expect(await rules()).toEqual(['notes accept stall', 'lists accept html', 'token accept stall']);
    expect(await rules('clear')).toEqual([]);
  });

  test('saves and restores snapshots', async () => {
    const { platform, json } = await operated();
    await send(platform);
    await json('snapshot', 'save', 'one');
    await json('reset');
    expect(await platform.ledger()).toEqual([]);
    await json('snapshot', 'restore', 'one');
    expect(await platform.ledger()).toHaveLength(1);
    expect((await json('snapshot'))['snapshots']).toMatchObject([{ name: 'one' }]);
    expect(await json('snapshot', 'delete', 'one')).toMatchObject({ deleted: true, exit: 0 });
  });

  test('prints the ledger line by line, as one document, and as totals', async () => {
    const { platform, type, json } = await operated();
    expect((await json('ledger'))['records']).toEqual([]);
    await send(platform, { amount: '0.10' });
    await send(platform, { amount: '0.10' }, '?check_previously_added=false');
    const { stdout } = await type('ledger', '--kind', 'transaction', '--account', '1001');
    expect(stdout).toBe((await platform.request('GET', '/_local/ledger')).text);
    expect((await json('ledger'))['records']).toHaveLength(2);
    expect(await json('ledger', '--totals')).toMatchObject({
      totals: [{ type: 'CHARGE', count: 2, amount: '0.20' }],
      duplicates: [{ transaction_id: 'tx-1', stored: 2 }],
    });
    expect((await type('ledger', '--totals')).stdout).toContain('conflicting_replays: none\n');
  });

  test('says in a line why a request was refused', async () => {
    const { platform, type } = await operated({ faults: { rules: ['notes accept status=503'] } });
    await send(platform, { amount: '0.123', transaction_date: '2026-02-30' });
    await obtainToken(platform.request, { APIKey: 'wrong' });
    await platform.post('createNotes', { ...ACCOUNT, notes: [] });
    expect((await type('requests')).stdout).toMatch(/ 503 +notes accept status=503$/m);
    const { stdout } = await type('requests', '--status', 'refused');
    const [, , first, second, ...others] = stdout.trimEnd().split('\n');
    const one =
      ' 400     transactions.0.transaction_date: is not a calendar date YYYY-MM-DD (invalid), and 1 more';
    expect([first, second]).toEqual([
      expect.stringContaining(one),
      expect.stringMatching(/ 200 +the APIKey is unknown or has expired \(authentication_failed\)$/),
    ]);
    expect(others).toEqual([]);
  });

  test('a ledger that breaks off is an error after the records that arrived', async () => {
    const line = JSON.stringify({ seq: 1, note: 'x'.repeat(1_000) });
    const url = await listening((request, response) => {
      if (request.url?.endsWith('health')) return void response.end('{"instance":"i"}');
      response.write(`${line}\n`.repeat(100), () => setImmediate(() => request.socket.destroy()));
    });
    const env = { DATAIMPORT_BASE_URL: url };
    const text = await runCli(['admin', 'ledger'], fakeIo({ env }));
    expect([text.exitCode, text.stdout]).toEqual([5, `${line}\n`.repeat(100)]);
    expect(text.stderr).toMatch(/^dataimport: error connection_failed /);
    const document = (await runCli(['admin', 'ledger', '--json'], fakeIo({ env }))).json();
    expect(document).toMatchObject({ exit: { code: 5 }, problems: [{ code: 'connection_failed' }] });
  });
});

describe('admin refuses', () => {
  test.each<[string[], number, string]>([
    [['supplier', 'NOBODY', '--status', 'Paused'], 4, 'error supplier_not_found'],
    [['supplier', 'ACME'], 2, 'give a supplier and its --status together'],
    [['supplier', 'ACME', '--status', 'Closed'], 4, 'status: '],
    [['account', 'stage', ''], 2, "error usage nothing can be named ''"],
    [['account', 'stage', '1'.repeat(129)], 4, 'error admin_refused'],
    [['account', 'stage', '..'], 2, "error usage nothing can be named '..'"],
    [['snapshot', 'delete', '.'], 2, "error usage nothing can be named '.'"],
    [['account', 'import', '777'], 4, 'error account_not_staged'],
    [['account', 'show', '777'], 4, '\nnext: Type `dataimport admin accounts` for a list.'],
    [['accounts', '--state', 'gone'], 4, 'state: '],
    [['clock', 'advance', 'soon'], 2, 'the duration must be whole seconds from 1s'],
    [['clock', 'advance', '1500ms'], 2, 'must be whole seconds'],
    [['clock', 'set', 'now'], 4, 'now: is not an instant'],
    [['faults', 'add', 'notes accept rest'], 4, 'did you mean `reset`?'],
    [['snapshot', 'restore', 'nothing'], 4, 'error snapshot_not_found'],
    [['snapshot', 'save'], 2, 'save, restore and delete take the name of a snapshot'],
    [['faults', 'notes accept stall'], 2, 'Allowed choices are show, add, clear'],
    [['faults', 'add'], 2, 'add takes rules, and no other action does'],
    [['clock', 'set'], 2, 'set takes an instant, advance a duration'],
    [['nonsense'], 2, 'unknown command'],
  ])('%j with exit code %i', async (words, exitCode, reason) => {
    const { type } = await operated();
    const result = await type(...words);
    expect({ exitCode: result.exitCode, stderr: result.stderr }).toEqual({
      exitCode,
      stderr: expect.stringContaining(reason) as string,
    });
  });

  test.each([
    [['supplier', 'ACME', '--status', 'Closed'], '`dataimport admin supplier --help` shows what it takes.'],
    [['accounts', '--state', 'gone'], '`dataimport admin accounts --help` shows what it takes.'],
    [['faults', 'add', 'bad'], '`dataimport admin faults --help` shows what it takes.'],
  ])('%j with what to do next', async (words, next) => {
    const { type } = await operated();
    expect((await type(...words)).stderr).toMatch(/^dataimport: error admin_refused .*\nnext: .*\n$/);
    expect((await type(...words)).stderr).toContain(`\nnext: ${next}\n`);
  });

  test('a platform that is not on this machine, before anything is sent', async () => {
    const env = { DATAIMPORT_BASE_URL: 'https://platform.example' };
    expect(await runCli(['admin', 'reset'], fakeIo({ env }))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('error usage') as string,
    });
  });

  test('when nothing listens, and says what to start', async () => {
    const { platform, type } = await operated();
    await platform.close();
    expect(await type('clock')).toMatchObject({
      exitCode: 5,
      stdout: '',
      stderr: expect.stringContaining(
        'nobody listens there; `dataimport serve` starts a local platform',
      ) as string,
    });
  });

  test.each<[string, RequestListener]>([
    ['a web server', (_, response) => void response.end('<h1>Hello</h1>')],
    ['another JSON service', (_, response) => void response.end('{"status":"ok"}')],
    ['one that knows no such path', (_, response) => void response.writeHead(404).end('{"detail":"no"}')],
    ['one that says null', (_, response) => void response.end('null')],
  ])('%s, and sends it nothing but the question what it is', async (_, listener) => {
    const asked: unknown[] = [];
    const url = await listening((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      listener(request, response);
    });
    const env = { DATAIMPORT_BASE_URL: url };
    expect(await runCli(['admin', 'reset'], fakeIo({ env }))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('error usage') as string,
    });
    expect(asked).toEqual(['GET /_local/health']);
  });
});

test.each(Object.keys(ADMIN_ACTIONS) as AdminName[])(
  'the example of `%s` is a line of the command',
  (name) => {
    expect(adminCommand(name).examples[0].startsWith(`dataimport ${name}`)).toBe(true);
  },
);
