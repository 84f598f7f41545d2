import { existsSync, linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WRITTEN } from '../../src/cli/command/written-files.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { commandFlags } from '../support/command-flags.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROWS = 'import_supplier,external_account_number,body,created_at\nACME,1001,Note,2026-01-05T10:00:00Z\n';

/** A folder with a supplier's file and a push that reads it and sends nothing. */
function site() {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'notes.csv'), ROWS);
  const env = { DATAIMPORT_BASE_URL: 'http://127.0.0.1:9', DATAIMPORT_API_KEY: 'key' };
  const cli = async (...argv: readonly string[]) => {
    const ended = await runCli([...argv, '--json'], fakeIo({ cwd, env, maxWaits: 99, chance: 0.5 }));
    const document = ended.json() as { problems?: readonly { code: string }[] };
    return { exitCode: ended.exitCode, code: document.problems?.[0]?.code };
  };
  const dryRun = (...flags: readonly string[]) => cli('push', 'notes', 'notes.csv', '--dry-run', ...flags);
  return { cwd, cli, dryRun, text: (name: string) => readFileSync(join(cwd, name), 'utf8') };
}

const REPORTS = ['--log-file'];

describe('an output of a push', () => {
  test.each(REPORTS)('of %s is never its source, whatever the name or link', async (flag) => {
    const { cwd, dryRun, text } = site();
    symlinkSync('notes.csv', join(cwd, 'link'));
    linkSync(join(cwd, 'notes.csv'), join(cwd, 'same'));
    for (const name of ['notes.csv', './notes.csv', 'link', 'same']) {
      expect(await dryRun(flag, name)).toMatchObject({ exitCode: 2 });
      expect(text('notes.csv')).toBe(ROWS);
    }
  });

  test.each(REPORTS)(
    'of %s makes no file behind a link, which another user may have put there',
    async (flag) => {
      const { cwd, dryRun } = site();
      symlinkSync(join(cwd, 'made'), join(cwd, 'out'));
      expect(await dryRun(flag, 'out')).toEqual({ exitCode: 2, code: 'file_not_writable' });
      expect(existsSync(join(cwd, 'made'))).toBe(false);
    },
  );

  test.each(REPORTS)("of %s replaces neither a stranger's file nor a database", async (flag) => {
    const { cwd, dryRun, text } = site();
    for (const content of ['supplier: ACME\n', 'SQLite format 3\0', '{"version": 2}', '# HELP other 1\n']) {
      writeFileSync(join(cwd, 'precious'), content);
      expect(await dryRun(flag, 'precious')).toEqual({ exitCode: 2, code: 'file_exists' });
      expect(text('precious')).toBe(content);
    }
  });

  test.each(REPORTS)('of %s replaces its earlier version and an empty file', async (flag) => {
    const { cwd, dryRun, text } = site();
    writeFileSync(join(cwd, 'out'), '');
    expect(await dryRun(flag, 'out')).toMatchObject({ exitCode: 0 });
    const first = text('out');
    expect(first).not.toBe('');
    expect(await dryRun(flag, 'out')).toMatchObject({ exitCode: 0 });
  });
});

test('check --junit replaces its earlier file and nothing else', async () => {
  const { cwd, cli, text } = site();
  expect((await cli('check', 'notes', 'notes.csv', '--junit', 'notes.csv')).code).toBe('file_exists');
  writeFileSync(join(cwd, 'other'), '{"$schema": "x", "name": "eslint"}');
  expect((await cli('check', 'notes', 'notes.csv', '--junit', 'other')).code).toBe('file_exists');
  for (const _ of [1, 2])
    expect((await cli('check', 'notes', 'notes.csv', '--junit', 'out.xml')).exitCode).toBe(0);
  expect(text('out.xml')).toContain('"dataimport check"');
});

test('every flag with a file is known as one that is written or as one that is read', async () => {
  const flags = (await commandFlags()).filter(({ takes }) => /<(.*\|)?(file|folder|key)>/.test(takes));
  const read = flags.filter(({ name }) => !WRITTEN.has(name)).map(({ name }) => name);
  expect([...new Set(read)].toSorted()).toEqual([
    // The key of the local platform itself, not a file.
    'apiKey',
    'caFile',
    'config',
    'contract',
    'documents',
    'ledger',
    'map',
    'rows',
    'seed',
  ]);
  expect(new Set(flags.flatMap(({ name }) => (WRITTEN.has(name) ? name : [])))).toEqual(WRITTEN);
});

test('the file of a flag that writes is no input, journal or configuration, whatever the command', async () => {
  const { cwd, cli, text } = site();
  linkSync(join(cwd, 'notes.csv'), join(cwd, 'same'));
  writeFileSync(join(cwd, 'copy'), 'SQLite format 3\0 and pages');
  const before = readdirSync(cwd);
  const flags = (await commandFlags()).filter(({ name }) => WRITTEN.has(name));
  expect(flags.length).toBeGreaterThan(40);
  for (const { words, flag } of flags) {
    const typed = [...words, '--config', 'notes.csv', flag, 'same'];
    expect([typed, await cli(...typed)]).toEqual([typed, { exitCode: 2, code: 'file_exists' }]);
    if (flag === '--db') continue;
    for (const name of ['copy', 'new.sqlite', 'run.sqlite-wal', 'dataimport.config.yaml']) {
      const others = [...words, flag, name];
      const code = name === 'copy' ? 'file_exists' : 'file_not_writable';
      expect([others, await cli(...others)]).toEqual([others, { exitCode: 2, code }]);
    }
  }
  expect(text('notes.csv')).toBe(ROWS);
  expect(readdirSync(cwd)).toEqual(before);
});
