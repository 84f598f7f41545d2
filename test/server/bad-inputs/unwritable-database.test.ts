import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/server/store/store.ts';
import { COMMAND, PACKAGE } from '../../support/built-cli.ts';
import { ledgerOf } from '../../support/ledger.ts';
import { ACCOUNT } from '../../support/server-platform.ts';
import { TEST_SEED } from '../../support/server-seed.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Sets limits of a running process. Only Linux has it. */
const PRLIMIT = '/usr/bin/prlimit';

/** Rights do not limit root, so root starts the server as the user `nobody`, if that user can read the program. */
const ORDINARY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const hasRights = process.platform !== 'win32' && spawnSync('test', ['-r', COMMAND], ORDINARY).status === 0;

/** A program that starts a server on each database that it is given, and prints their exit codes at its end. */
const START_ON_EACH = `(async () => {
  const [file, ...databases] = process.argv.slice(1);
  const { main } = require(file);
  const exitCodes = [];
  for (const database of databases)
    exitCodes.push(await main(['serve', '--port', '0', '--db', database]));
  console.log(...exitCodes);
})()`;

describe.skipIf(!hasRights)('a database that cannot be written when the server starts', () => {
  /** Starts a server on each database after the other, all in one process of that user. */
  const startOnEach = (databases: readonly string[]) =>
    execa(process.execPath, ['-e', START_ON_EACH, join(PACKAGE, 'dist', 'cli', 'main.js'), ...databases], {
      cwd: '/',
      env: { HOME: '/', XDG_CACHE_HOME: '/dev/null' },
      reject: false,
      ...ORDINARY,
    });

  /** A database in a folder, both with these rights. Without `file` there is no database yet. */
  function databaseWith({ file, folder }: { readonly file: number | undefined; readonly folder: number }) {
    const place = join(temporaryFolder(), 'place');
    chmodSync(join(place, '..'), 0o755);
    mkdirSync(place);
    const database = join(place, 'serve.sqlite');
    if (file !== undefined) {
      openStore(database).close();
      chmodSync(database, file);
    }
    chmodSync(place, folder);
    onTestFinished(() => chmodSync(place, 0o700));
    return { place, database };
  }

  test('[S60] the server does not start, reports why, and leaves everything as it is', async () => {
    const places = [
      { says: 'its folder', file: 0o666, folder: 0o555 },
      { says: 'the file', file: 0o444, folder: 0o777 },
      { says: 'the file and its folder', file: 0o444, folder: 0o555 },
      { says: 'the folder that it would be made in', file: undefined, folder: 0o555 },
      { says: 'the journal', file: 0o666, folder: 0o777, beside: '-wal' },
      { says: 'the index of the journal', file: 0o666, folder: 0o777, beside: '-shm' },
    ].map(({ says, beside, ...rights }) => {
      const { place, database } = databaseWith(rights);
      if (beside !== undefined) writeFileSync(database + beside, '', { mode: 0o444 });
      const read = () => [readdirSync(place), existsSync(database) && readFileSync(database, 'base64')];
      return { says, beside, database, read, before: read() };
    });
    const { stdout, stderr } = await startOnEach(places.map(({ database }) => database));
    const reasons = places.map(({ beside, database }) => {
      const what = beside === undefined ? '' : `serve.sqlite${beside} beside it cannot be written `;
      const why = beside === undefined ? 'permission denied' : '(permission denied)';
      return `dataimport: error database_unusable the database ${database} cannot be used: ${what}${why}
next: Give another file with --db; where only a right is missing, make this one and its folder writable.`;
    });
    expect(stderr).toBe(reasons.join('\n'));
    expect(stdout).toBe(places.map(() => 2).join(' '));
    for (const { says, read, before } of places) expect(read(), says).toEqual(before);
  });

  test('the same user starts a server when file and folder are writable', async () => {
    const { place, database } = databaseWith({ file: 0o666, folder: 0o777 });
    const platform = await platformProcess({ cwd: place, database, ...ORDINARY });
    expect(await platform.post([{ body: 'x' }])).toBe(201);
  });
});

/** `serve` in its own process, started by a shell that has run `first`. */
async function platformProcess({
  first = 'true',
  cwd = temporaryFolder(),
  database = join(cwd, 'serve.sqlite'),
  ...user
}: {
  readonly first?: string;
  readonly cwd?: string;
  readonly database?: string;
  readonly uid?: number;
  readonly gid?: number;
}) {
  const seed = join(cwd, 'seed.yaml');
  writeFileSync(seed, TEST_SEED);
  const args = ['serve', '--port', '0', '--db', database, '--seed', seed, '--json'];
  const child = execa('sh', ['-c', `${first} && exec "$@"`, 'sh', process.execPath, COMMAND, ...args], {
    cwd,
    env: { HOME: cwd },
    reject: false,
    ...user,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ready = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve);
    void child.then(({ stderr }) => reject(new Error(`serve ended: ${stderr}`)));
  });
  const { url } = JSON.parse(ready) as { url: string };
  const headers = { 'content-type': 'application/json' };
  const query = 'mutation { obtainPlatformToken(input: {APIKey: "all-key"}) { token } }';
  const issued = await fetch(`${url}/v1/graphql/`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  });
  const { data } = (await issued.json()) as { data: { obtainPlatformToken: { token: string } } };
  return {
    pid: child.pid!,
    /** Sends notes and resolves with the status of the answer, which reveals nothing about the database. */
    post: async (notes: readonly { readonly body: string }[]): Promise<number> => {
      const answer = await fetch(`${url}/v1/data-import/notes/create/`, {
        method: 'POST',
        headers: { ...headers, authorization: `Token ${data.obtainPlatformToken.token}` },
        body: JSON.stringify({ ...ACCOUNT, notes }),
      });
      expect(await answer.text()).not.toMatch(/sqlite|disk|readonly/i);
      return answer.status;
    },
    ledger: () => ledgerOf(url),
    isAlive: async () => (await fetch(`${url}/_local/health`)).status === 200,
    /** Stops the server like Ctrl-C. */
    stop: async () => {
      child.kill('SIGINT');
      return child;
    },
  };
}

test.skipIf(process.platform === 'win32')(
  '[S60] a full disk is a 500, stored records stay, and the process lives',
  async () => {
    // No file may grow beyond so many blocks of 512 bytes or 1 kB: enough for the start, too little for the notes.
    const platform = await platformProcess({ first: 'ulimit -f 1600' });
    const statuses: number[] = [];
    for (let batch = 0; batch < 40; batch++) {
      const notes = Array.from({ length: 50 }, (_, index) => ({
        body: `${batch}-${index} ${'x'.repeat(1_000)}`,
      }));
      statuses.push(await platform.post(notes));
    }
    const stored = statuses.filter((status) => status === 201).length;
    expect(new Set(statuses)).toEqual(new Set([201, 500]));
    // Only whole batches are stored, each once.
    expect(await platform.ledger()).toHaveLength(stored * 50);
    expect(await platform.isAlive()).toBe(true);
  },
);

// Only a limit on the size of files makes `write` fail in a running process, without rights of root and on every file
// system. SQLite gets EFBIG and treats it like the EROFS of a disk that became read-only.
describe.skipIf(!existsSync(PRLIMIT))('a database that accepts no more writes', () => {
  const setWrites = (pid: number, limit: '0' | 'unlimited') =>
    execFileSync(PRLIMIT, ['--pid', String(pid), `--fsize=${limit}:unlimited`]);

  test('[S60] makes a POST a 500 that stores nothing, and later writes work again', async () => {
    const platform = await platformProcess({});
    expect(await platform.post([{ body: 'before' }])).toBe(201);
    setWrites(platform.pid, '0');
    expect(await platform.post([{ body: 'meanwhile' }, { body: 'and more' }])).toBe(500);
    expect(await platform.post([{ body: 'once more' }])).toBe(500);
    expect([await platform.isAlive(), (await platform.ledger()).length]).toEqual([true, 1]);
    setWrites(platform.pid, 'unlimited');
    expect(await platform.post([{ body: 'after' }])).toBe(201);
    const bodies = (await platform.ledger()).map(({ data }) => data['body']);
    expect(bodies).toEqual(['before', 'after']);
    expect((await platform.stop()).exitCode).toBe(0);
  });

  test('[S60] is reported at the end, and the next start has every answered request', async () => {
    const cwd = temporaryFolder();
    const platform = await platformProcess({ cwd });
    expect(await platform.post([{ body: 'before' }])).toBe(201);
    setWrites(platform.pid, '0');
    const { exitCode, stderr } = await platform.stop();
    const file = join(cwd, 'serve.sqlite');
    expect([exitCode, stderr]).toEqual([
      2,
      `dataimport: error database_unusable the database ${file} cannot be used: it could not be made one whole file: disk I/O error\n` +
        `next: Nothing that was answered is lost: keep its -wal beside it, and start \`dataimport serve\` again once both can be written.`,
    ]);
    expect(await (await platformProcess({ cwd })).ledger()).toHaveLength(1);
  });
});
