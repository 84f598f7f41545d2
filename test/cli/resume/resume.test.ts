import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { migration, type Migration } from '../../support/migration.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../../support/refused-account.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PUSH = ['push', 'transactions', 't.csv', '-j', '1'] as const;

/** A push that stopped at its first row. */
async function stopped(...flags: readonly string[]): Promise<Migration> {
  const site = await migration(SEED);
  site.csv('t.csv', HEADER, REFUSED, GOOD);
  expect((await site.cli(...PUSH, ...flags)).exitCode).toBe(4);
  return site;
}

const elsewhere = { env: { DATAIMPORT_BASE_URL: 'https://elsewhere.example' } };

const listOf = (site: Migration): string => join(site.cwd, '.dataimport', 'journal', 'commands.ndjson');

describe('resume', () => {
  test('says which command it types, types it again and ends with its exit code', async () => {
    const site = await stopped('--on-reject', 'skip', '--max-errors', '0');
    const again = await site.cli('resume');
    expect(again.exitCode).toBe(4);
    expect(again.stderr).toMatch(
      /^typing the last command again: dataimport push transactions t\.csv -j 1 --on-reject skip --max-errors 0\n/,
    );
    await site.reseed(IMPORTED);
    const done = await site.cli('resume');
    expect([done.exitCode, done.stdout]).toEqual([0, expect.stringContaining('2 rows read: 2 arrived')]);
  });

  test('takes the command that was typed last, also when it died before it had read a row', async () => {
    const site = await stopped();
    const died = await site.cli('push', 'notes', 'none.csv');
    expect(died.exitCode).toBe(2);
    const lines = readFileSync(listOf(site), 'utf8').trimEnd().split('\n');
    // Its process was killed, so no line says how it ended.
    writeFileSync(listOf(site), lines.slice(0, -1).join('\n'));
    const { exitCode, stderr } = await site.cli('resume');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('dataimport push notes none.csv\n')]);
    expect(stderr).toContain('file_not_readable none.csv');
  });

  test('types no command that sends nothing, and not itself', async () => {
    const site = await stopped();
    await site.cli('resume');
    await site.cli(...PUSH, '--dry-run');
    await site.cli('runs');
    expect((await site.cli('resume')).stderr).toContain('again: dataimport push transactions t.csv -j 1\n');
  });

  test('reads the files again, which may have been corrected', async () => {
    const site = await stopped();
    site.csv('t.csv', HEADER, GOOD);
    const { exitCode, stdout } = await site.cli('resume');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('1 row read: 1 arrived')]);
  });

  test('prints the document of the command with --json', async () => {
    const site = await stopped();
    const { exitCode, json } = await site.cli('resume', '--json');
    expect([exitCode, json()]).toMatchObject([4, { resource: 'transactions', exit: { name: 'REFUSED' } }]);
  });

  test('finds the folder of its own flag', async () => {
    const site = await stopped('--run-dir', 'mine');
    expect((await site.cli('resume')).exitCode).toBe(9);
    expect((await site.cli('resume', '--run-dir', 'mine')).exitCode).toBe(4);
  });

  test('says so where no command was typed', async () => {
    const site = await migration(SEED);
    const { exitCode, stderr } = await site.cli('resume');
    expect([exitCode, stderr]).toEqual([9, expect.stringContaining('run_none')]);
  });
});

describe('resume types nothing', () => {
  test('when the command read standard input', async () => {
    const site = await migration(SEED);
    const io = { ...site.io(), stdin: Readable.from([`${HEADER}\n${GOOD}\n`]) };
    expect(await main(['push', 'transactions', '-'], io)).toBe(0);
    const { exitCode, stderr } = await site.cli('resume');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('because it read standard input: dataimport push transactions -\n');
    expect(stderr).toContain('next: Type the command in full, with the same input.\n');
  });

  test('in another folder than the command, where a file of the same name is another one', async () => {
    const site = await stopped('--run-dir', 'mine');
    const io = { ...site.io(), cwd: temporaryFolder() };
    expect(await main(['resume', '--run-dir', join(site.cwd, 'mine')], io)).toBe(2);
    expect(io.printed.stderr).toContain(`next: Type \`cd ${site.cwd}\`, then the same again.\n`);
  });

  test.skipIf(process.getuid?.() !== 0)('of a list that another user has written', async () => {
    const site = await stopped();
    chownSync(listOf(site), 4712, 4712);
    const { exitCode, stderr } = await site.cli('resume');
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining('run_folder_foreign')]);
  });

  const ELSEWHERE = ['--base-url', 'https://elsewhere.example'] as const;

  test.each([
    ['a flag leads', ELSEWHERE, {}, false],
    ['a flag leads, and the command had that flag itself,', ELSEWHERE, {}, true],
    ['the environment leads', [], elsewhere, false],
  ] as const)('when %s to another target', async (_, flags, world, isNamed) => {
    const site = await stopped();
    if (isNamed) await site.cli(...PUSH, '--base-url', site.url);
    const { exitCode, stderr } = await site.cliIn(world, 'resume', ...flags);
    expect(exitCode).toBe(8);
    expect(stderr).toContain('run_other_target');
    expect(stderr).not.toContain('typing the last command');
    expect(stderr).toContain(`next: Type \`dataimport resume --base-url ${site.url}\`.`);
    await site.reseed(IMPORTED);
    expect((await site.cliIn(elsewhere, 'resume', '--base-url', site.url)).exitCode).toBe(0);
  });
});

test('a command that named its target goes there again, whatever the environment says', async () => {
  const site = await migration(SEED);
  site.csv('t.csv', HEADER, GOOD);
  await site.cli(...PUSH, '--base-url', site.url);
  expect((await site.cliIn(elsewhere, 'resume')).exitCode).toBe(0);
});

test('a command goes to its target again when nothing names it any more', async () => {
  const site = await stopped();
  await site.reseed(IMPORTED);
  const { DATAIMPORT_BASE_URL: _, ...env } = site.io().env;
  const io = { ...site.io(), env };
  expect(await main(['resume'], io)).toBe(0);
  expect(io.printed.stderr).toContain(
    `again: dataimport push transactions t.csv -j 1 --base-url ${site.url}\n`,
  );
});
