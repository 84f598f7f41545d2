import { linkSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { COMMAND } from '../../support/built-cli.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { ACCOUNT, startPlatform } from '../../support/server-platform.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const newDatabase = () => join(temporaryFolder(), 'serve.sqlite');
const note = (body: string) => ({ ...ACCOUNT, notes: [{ body }] });
const IN_USE = { code: 'database_in_use' };

/** Starts `serve` in its own process. Resolves when it is ready, with a function that kills it. */
async function killableServe(database: string): Promise<() => Promise<unknown>> {
  const args = ['serve', '--port', '0', '--db', database, '--json'];
  const cwd = temporaryFolder();
  const child = execa(process.execPath, [COMMAND, ...args], { cwd, reject: false, stdin: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return () => {
    child.kill('SIGKILL');
    return child.then(() => undefined);
  };
}

describe('a database that a server has open', () => {
  test('is refused to a second server, and the first goes on', async () => {
    const database = newDatabase();
    const first = await startPlatform({ database });
    await first.post('createNotes', note('kept'));
    expect(await runCli(['serve', '--port', '0', '--db', database], fakeIo())).toMatchObject({
      exitCode: 10,
      stdout: '',
      stderr:
        `dataimport: error database_in_use another \`dataimport serve\` has the database ${database} open, or is finishing its last requests\n` +
        'next: Give another file with --db, or end the other one with Ctrl-C where it runs: one database is for one server. A server that is ending needs 8 s at most; then type the command again.\n',
    });
    expect((await first.post('createNotes', note('more'))).status).toBe(201);
    expect(await first.ledger()).toHaveLength(2);
  });

  test('is the same database under every path', async () => {
    const database = newDatabase();
    await startPlatform({ database });
    const link = join(temporaryFolder(), 'link.sqlite');
    symlinkSync(database, link);
    await expect(startPlatform({ database: link })).rejects.toMatchObject(IN_USE);
  });

  test('is refused under a hard link, which has a journal of its own', async () => {
    const database = newDatabase();
    const first = await startPlatform({ database });
    await first.post('createNotes', note('kept'));
    const link = join(dirname(database), 'link.sqlite');
    linkSync(database, link);
    const linked = { code: 'database_linked', message: expect.stringContaining('has 2 names') as string };
    await expect(startPlatform({ database: link })).rejects.toMatchObject(linked);
    expect((await first.post('createNotes', note('more'))).status).toBe(201);
    await first.close();
    await expect(startPlatform({ database })).rejects.toMatchObject(linked);
    rmSync(link);
    expect(await (await startPlatform({ database })).ledger()).toHaveLength(2);
  });

  test('is free when that server has closed, and only the lock file is left', async () => {
    const database = newDatabase();
    for (let time = 0; time < 2; time++) {
      const platform = await startPlatform({ database });
      await platform.close();
      await platform.close();
      expect(readdirSync(dirname(database))).toEqual([basename(database), `${basename(database)}-lock`]);
    }
  });

  test('is free when that server failed to start', async () => {
    const database = newDatabase();
    const everywhere = { host: '0.0.0.0', allowNetwork: true, seeds: [], database };
    await expect(startPlatform(everywhere)).rejects.toMatchObject({ code: 'own_key_missing' });
    expect(readdirSync(dirname(database))).toEqual([basename(database), `${basename(database)}-lock`]);
    await startPlatform({ database });
  });

  test('is free at once when that server was killed', async () => {
    const database = newDatabase();
    const kill = await killableServe(database);
    await expect(startPlatform({ database })).rejects.toMatchObject(IN_USE);
    await kill();
    const platform = await startPlatform({ database });
    await platform.close();
    expect(readdirSync(dirname(database))).toEqual([basename(database), `${basename(database)}-lock`]);
  });

  test('can be read and backed up', async () => {
    const database = newDatabase();
    const platform = await startPlatform({ database });
    await platform.post('createNotes', note('kept'));
    const reader = new BetterSqlite(database, { readonly: true, timeout: 0 });
    onTestFinished(() => void reader.close());
    const backup = join(temporaryFolder(), 'backup.sqlite');
    await reader.backup(backup);
    await platform.close();
    expect(await (await startPlatform({ database: backup })).ledger()).toHaveLength(1);
  });
});

test('a lock file that cannot be used is named, because the database itself is fine', async () => {
  const database = newDatabase();
  // A folder in the place of the file, because a missing right would not stop root.
  mkdirSync(`${database}-lock`);
  await expect(startPlatform({ database })).rejects.toMatchObject({
    code: 'database_unusable',
    message: expect.stringContaining(`the database ${database}-lock cannot be used`) as string,
  });
});

test('databases in memory are not limited', async () => {
  const platforms = await Promise.all([startPlatform(), startPlatform()]);
  expect(new Set(platforms.map(({ port }) => port)).size).toBe(2);
});
