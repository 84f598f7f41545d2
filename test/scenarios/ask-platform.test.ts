import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../src/server/start.ts';
import { alteringProxy } from '../support/altering-proxy.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { ledgerOf } from '../support/ledger.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FIXTURE = join(projectRoot, 'fixtures/operator-ostrelle');
const NOW_MS = Date.UTC(2026, 10, 22);
const ASK = ['push', 'transactions', 't.csv', '--ask-platform'];

/** The platform of an operator whose requests have `dry_run`, and a folder with two valid transactions. */
async function operator(...faults: readonly string[]) {
  const cwd = temporaryFolder();
  const contract = JSON.parse(readFileSync(join(FIXTURE, 'contract.json'), 'utf8')) as {
    resources: Record<string, object>;
  };
  // The operator's document has the field for transactions alone.
  contract.resources['statements'] = { ...contract.resources['statements'], dry_run: { from: '/dry_run' } };
  writeFileSync(join(cwd, 'contract.json'), JSON.stringify(contract));
  writeFileSync(join(cwd, 't.csv'), readFileSync(join(FIXTURE, 'transactions.csv')));
  const seed = readFileSync(join(FIXTURE, 'seed.yaml'), 'utf8');
  writeFileSync(join(cwd, 'seed.yaml'), `${seed}product_codes: [FIXED]\n`);
  const server = await startServer({
    database: ':memory:',
    seeds: [join(cwd, 'seed.yaml')],
    contract: join(cwd, 'contract.json'),
    version: '1.0.0',
    nowMs: () => NOW_MS,
    faults: { rules: faults },
  });
  onTestFinished(() => server.close());
  const env = {
    DATAIMPORT_BASE_URL: server.url,
    DATAIMPORT_API_KEY: 'local-key',
    DATAIMPORT_CONTRACT: 'contract.json',
  };
  const cliAt = (url: string, ...words: readonly string[]) =>
    runCli(
      words,
      fakeIo({
        cwd,
        nowMs: NOW_MS,
        chance: 0.5,
        maxWaits: 20,
        env: { ...env, DATAIMPORT_BASE_URL: url },
      }),
    );
  const bodies = async (): Promise<readonly unknown[]> =>
    (await (await fetch(`${server.url}/_local/requests`)).text())
      .split('\n')
      .filter((line) => line.includes('/create/'))
      .map((line) => JSON.parse((JSON.parse(line) as { request_body: string }).request_body) as unknown);
  return {
    cwd,
    bodies,
    ledger: () => ledgerOf(server.url),
    env,
    cliAt,
    cli: (...words: readonly string[]) => cliAt(server.url, ...words),
    leave: () => server.close(),
    append: (text: string) => writeFileSync(join(cwd, 't.csv'), text, { flag: 'a' }),
  };
}

test('the platform is asked about every row, and nothing counts as arrived', async () => {
  const { cli, cwd, bodies, ledger } = await operator();
  const asked = await cli(...ASK);
  expect(asked).toMatchObject({ exitCode: 0 });
  expect(asked.stdout).toContain('transactions, asked only: 2 rows read: 2 asked, and it would take them\n');
  expect(asked.stdout).toContain('no row counts as arrived\n');
  expect(asked.stdout).toContain('do not show whether the platform heeds dry_run: type the command again');
  expect(asked.stdout).not.toContain('earlier --ask-platform');
  expect(asked.stdout + asked.stderr).not.toContain('created');
  expect(asked.stdout).toContain(
    'next: the same command without --ask-platform sends those of these rows that have not arrived\n',
  );
  expect(await bodies()).toMatchObject([{ dry_run: true }, { dry_run: true }]);
  expect(await ledger()).toEqual([]);
  expect(existsSync(join(cwd, '.dataimport/journal'))).toBe(false);

  const pushed = await cli('push', 'transactions', 't.csv', '--json');
  expect(pushed.json()).toMatchObject({ rows: { read: 2, created: 2 } });
  expect(await ledger()).toHaveLength(2);
});

test('a platform that ignores dry_run is found out when it is asked again', async () => {
  const { cliAt, env, ledger } = await operator();
  const ignoring = await alteringProxy(env.DATAIMPORT_BASE_URL, {
    before: ({ sent }) => void (sent !== null && delete (sent as { dry_run?: boolean }).dry_run),
  });
  const first = await cliAt(ignoring, ...ASK);
  expect(first.stdout).toContain('2 asked, and it would take them\n');
  expect(first.stdout).toContain('by its contract: no row counts as arrived\n');
  // The answers are those of a platform that stores nothing.
  expect(await ledger()).toHaveLength(2);
  const again = await cliAt(ignoring, ...ASK);
  expect(again.stdout).toContain(
    'if no push has sent the 2 rows that it has already, it has stored them for an earlier --ask-platform\n',
  );
  expect(again.stdout).not.toContain('type the command again');
});

test('a lost answer and a failing platform leave nothing in doubt', async () => {
  const lost = await operator('statements accept reset bytes=200 times=1');
  const statement = (id: string): string => `ACME,A-100,${id},2025-12-01,2025-12-31,100,s.pdf\n`;
  const header =
    'import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date,gross_amount,statement_path\n';
  writeFileSync(join(lost.cwd, 's.csv'), header + statement('S-1') + statement('S-2'));
  const asked = await lost.cli('push', 'statements', 's.csv', '--ask-platform', '--json');
  // In doubt, statements would go one by one.
  expect({ ...asked.json(), problems: [] }).toMatchObject({
    asked: { would_take: 2 },
    requests: { total: 2 },
  });

  const failing = await operator('transactions accept status=500');
  const unanswered = await failing.cli(...ASK, '--retry-for', '5s', '--json');
  expect(unanswered.exitCode).toBe(5);
  expect(unanswered.json()).toMatchObject({ asked: { unanswered: 2 }, exit: { resumable: false } });
  expect(unanswered.json()['next']).toContain('--ask-platform');
  expect(existsSync(join(failing.cwd, '.dataimport/journal'))).toBe(false);
});

test.each([
  ['with a code', { errors: [{ detail: 'no', code: 'unexpected_field', attr: 'dry_run' }] }],
  ['as a mirror of the request', { dry_run: ['Unknown field.'] }],
])('a platform that does not know dry_run leaves every row without an answer: %s', async (_, answer) => {
  const { cliAt, env } = await operator();
  const detail = 'errors' in answer ? { detail: 'no', code: 'validation_error' } : {};
  const old = await alteringProxy(env.DATAIMPORT_BASE_URL, {
    after(exchange) {
      const isAsked = (exchange.sent as { dry_run?: boolean } | null)?.dry_run;
      if (isAsked) [exchange.status, exchange.body] = [400, { ...detail, ...answer }];
    },
  });
  const { exitCode, stderr, stdout } = await cliAt(old, ...ASK);
  expect(stderr).toContain(
    't.csv:2 error dry_run_unknown the platform does not know dry_run, so it judges no row\n',
  );
  expect(stderr).toContain('help: dry_run_unknown: Ask the operator which requests have `dry_run`');
  expect(stdout).toContain('2 rows read: 2 without an answer\n');
  expect(stdout).toContain(
    'next: the same command without --ask-platform sends those of these rows that have not arrived\n',
  );
  expect(exitCode).toBe(5);
});

test('the platform is not asked without a dry run of its own, nor beside what belongs to a push', async () => {
  const { cli, bodies } = await operator();
  const none = await cli('push', 'notes', 't.csv', '--ask-platform');
  expect(none).toMatchObject({ exitCode: 2 });
  expect(none.stderr).toContain(
    '--ask-platform cannot be used: the contract Ostrelle customer import 6.4.2 has no dry_run for notes',
  );
  for (const flag of [['--again'], ['--dry-run']])
    expect((await cli(...ASK, ...flag)).stderr).toContain("'--ask-platform' cannot be used with option");
  expect(await bodies()).toEqual([]);
});
