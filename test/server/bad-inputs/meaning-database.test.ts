import { spawn } from 'node:child_process';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { ledgerOf } from '../../support/ledger.ts';
import {
  ACCOUNT,
  charge,
  seedFile,
  startPlatform,
  type TestPlatform,
} from '../../support/server-platform.ts';
import { TEST_SEED } from '../../support/server-seed.ts';
import { transactions } from '../../support/server-transactions.ts';
import { projectRoot } from '../../support/source-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HUNDRED = transactions(
  ...Array.from({ length: 100 }, (_, index) => charge({ transaction_id: `t-${index}` })),
);

/** A platform on a file, and a second connection to it. */
async function platformWithFile(): Promise<{ platform: TestPlatform; other: BetterSqlite.Database }> {
  const database = join(temporaryFolder(), 'serve.sqlite');
  const platform = await startPlatform({ database });
  const other = new BetterSqlite(database);
  onTestFinished(() => void other.close());
  return { platform, other };
}

/** The answer is a failure that may be tried again, it tells nothing, and nothing was stored. */
async function expectFailure(platform: TestPlatform): Promise<void> {
  const answer = await platform.post('createTransactions', HUNDRED);
  expect(answer.body).toEqual({ detail: expect.any(String), code: 'error' });
  expect(answer.status).toBe(500);
  expect(answer.text).not.toMatch(/sqlite|disk|lock|readonly|table|\.ts/i);
  expect(platform.unexpected).toHaveLength(1);
  expect(await platform.ledger()).toEqual([]);
}

async function expectSuccess(platform: TestPlatform): Promise<void> {
  expect((await platform.post('createTransactions', HUNDRED)).status).toBe(201);
  expect(await platform.ledger()).toHaveLength(100);
}

test('[S60] a database that another program locks is a 500 and nothing is stored; afterwards all is well', async () => {
  const { platform, other } = await platformWithFile();
  other.exec('BEGIN IMMEDIATE');
  await expectFailure(platform);
  other.exec('ROLLBACK');
  await expectSuccess(platform);
});

test.each([
  ['the first', 0],
  ['one in the middle', 50],
  ['the last', 99],
])('[S60] when the disk takes all records up to %s, none of the request is kept', async (_, index) => {
  const { platform, other } = await platformWithFile();
  other.exec(`CREATE TRIGGER fails BEFORE INSERT ON records WHEN NEW.identity_key LIKE '%t-${index}%'
    BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END`);
  await expectFailure(platform);
  other.exec('DROP TRIGGER fails');
  await expectSuccess(platform);
});

test.skipIf(process.platform === 'win32')(
  '[S60] a disk that is really full is a 500; what was stored before stays, and the process lives',
  { timeout: 60_000 },
  async () => {
    const cwd = temporaryFolder();
    const bin = join(projectRoot, 'bin', 'dataimport.js');
    const seed = seedFile(TEST_SEED);
    // No file may grow beyond so many blocks of 512 bytes or 1 kB: enough for the start, too little for what comes.
    const script = `ulimit -f 1600; exec "${process.execPath}" "${bin}" serve --port 0 --db serve.sqlite --seed "${seed}" --json`;
    const child = spawn('sh', ['-c', script], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ready = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').once('data', resolve);
      child.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
    });
    const { url } = JSON.parse(ready) as { url: string };
    const query = 'mutation { obtainPlatformToken(input: {APIKey: "all-key"}) { token } }';
    const headers = { 'content-type': 'application/json' };
    const issued = await fetch(`${url}/v1/graphql/`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    const { data } = (await issued.json()) as { data: { obtainPlatformToken: { token: string } } };

    const statuses: number[] = [];
    for (let batch = 0; batch < 40; batch++) {
      const notes = Array.from({ length: 50 }, (_, index) => ({
        body: `${batch}-${index} ${'x'.repeat(1_000)}`,
      }));
      const answer = await fetch(`${url}/v1/data-import/notes/create/`, {
        method: 'POST',
        headers: { ...headers, authorization: `Token ${data.obtainPlatformToken.token}` },
        body: JSON.stringify({ ...ACCOUNT, notes }),
      });
      statuses.push(answer.status);
      expect(await answer.text()).not.toMatch(/sqlite|disk/i);
    }
    const stored = statuses.filter((status) => status === 201).length;
    expect(new Set(statuses)).toEqual(new Set([201, 500]));
    // Whole batches, each once.
    expect(await ledgerOf(url)).toHaveLength(stored * 50);
    expect((await fetch(`${url}/_local/health`)).status).toBe(200);
  },
);
