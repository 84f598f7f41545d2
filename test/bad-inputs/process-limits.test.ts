import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXITS } from '../../src/cli/output/exit-codes.ts';
import { dataimportInShell } from '../support/built-cli.ts';
import { ledgerOf } from '../support/ledger.ts';
import { firstRowsOfAccounts, QUICKSTART } from '../support/quickstart.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { platformHere, wordsTypedHere } from '../support/typed-command.ts';

/** Five rows of each of 64 accounts. */
const PER_ACCOUNT = 5;
const ROWS = 320;

/** A platform outside of the limits that the client gets, and a file for it. */
async function newPlatform(...flags: readonly string[]) {
  const cwd = temporaryFolder();
  const file = firstRowsOfAccounts('transactions', PER_ACCOUNT, cwd);
  const platform = await platformHere(['--seed', join(QUICKSTART, 'seed.yaml'), ...flags], cwd);
  onTestFinished(async () => void (await platform.stop()));
  return { ...platform, file };
}

describe.skipIf(process.platform === 'win32')('a shell', () => {
  test('[C149] a umask of 000 makes files and folders that are private all the same', async () => {
    const { world, file: good } = await newPlatform();
    const file = join(world.cwd, 'bad.csv');
    // A row that is refused, so that there are rejects.
    const [header, first] = readFileSync(good, 'utf8').split('\n');
    writeFileSync(file, `${header}\n${first}\n${first!.replace(/\d{4}-\d\d-\d\d/, 'some day')}\n`);
    const outputs = ['--log-file', 'log.ndjson', '--rejects', 'rejects.csv'];
    const ended = await dataimportInShell(
      'umask 000',
      ['push', 'transactions', file, '--skip-invalid', ...outputs],
      world,
    );
    expect(ended.exitCode, ended.stderr).toBe(EXITS.PARTIAL.code);
    const found = readdirSync(world.cwd, { recursive: true, encoding: 'utf8' })
      .filter((name) => /^(\.dataimport|log|report|rejects)/.test(name))
      .sort()
      .map((name) => [
        name.replace(/127\.0\.0\.1-\d+-[\da-f]{8}/, 'target').replace(/[\da-f]{8}(?=\.lock)/, 'target'),
        lstatSync(join(world.cwd, name)).mode & 0o777,
      ]);
    expect(found).toEqual([
      ['.dataimport', 0o700],
      ['.dataimport/journal', 0o700],
      ['.dataimport/journal/target', 0o700],
      ['.dataimport/journal/target/ACME', 0o700],
      ['.dataimport/journal/target/ACME/transactions.sqlite', 0o600],
      ['.dataimport/journal/target/ACME/transactions.sqlite.head', 0o600],
      ['.dataimport/journal/begin.lock', 0o600],
      ['.dataimport/journal/commands.ndjson', 0o600],
      ['.dataimport/journal/transactions-target.lock', 0o600],
      ['log.ndjson', 0o600],
      ['rejects.csv', 0o600],
    ]);
  });

  // Slow answers keep as many requests in flight as the limit of open files allows.
  test('[C150] that allows 52 open files is enough for a hundred accounts at once', async () => {
    const { url, world, file } = await newPlatform('--fault', 'any after-commit delay=30');
    const push = ['push', 'transactions', file, '-j', '100'];
    const ended = await dataimportInShell('ulimit -n 52', push, world);
    expect(ended.exitCode, ended.stderr).toBe(0);
    // Without a regard for the limit, some requests find no free file and are sent later.
    expect(ended.stdout).toMatch(/^\d+ requests, 64 of 64 accounts done/m);
    expect(await ledgerOf(url)).toHaveLength(ROWS);
  });

  test('[C150] that allows 64 open files is enough for eight source files, and for a thousand', async () => {
    const { url, world } = await newPlatform();
    const [header, ...rows] = readFileSync(join(QUICKSTART, 'transactions.csv'), 'utf8').trim().split('\n');
    const files = rows.slice(0, 1_000).map((_, index) => `part-${index}.csv`);
    for (const [index, file] of files.entries())
      writeFileSync(join(world.cwd, file), `${header}\n${rows[index]}\n`);
    for (const some of [files.slice(0, 8), files]) {
      const ended = await dataimportInShell('ulimit -n 64', ['push', 'transactions', ...some], world);
      expect(ended.exitCode, ended.stderr).toBe(0);
      expect(await ledgerOf(url)).toHaveLength(some.length);
    }
  });

  // Many requests make the journal larger than its rows do.
  test.each([
    [16, 'before the rows are read', [], false],
    [400, 'while they are read', [], false],
    [1000, 'while they are sent', ['--batch-size', '2'], true],
  ] as const)(
    '[C150] that allows files of %d blocks stops the run cleanly %s, and without the limit the run ends well',
    async (blocks, _, flags, hasSent) => {
      const { url, world, file } = await newPlatform();
      const push = ['push', 'transactions', file, ...flags];
      const stopped = await dataimportInShell(`ulimit -f ${blocks}`, push, world);
      expect(stopped.exitCode, stopped.stderr).toBe(EXITS.RUN_FILE.code);
      expect(stopped.stderr).toMatch(/run_(not_writable|write_failed)/);
      const kept = (await ledgerOf(url)).length;
      expect(kept).toBeLessThan(ROWS);
      expect(kept > 0).toBe(hasSent);

      const resumed = await wordsTypedHere(['resume'], world);
      expect(resumed.exitCode, resumed.printed).toBe(0);
      const ids = (await ledgerOf(url)).map(({ data }) => data['transaction_id']);
      expect(ids).toHaveLength(ROWS);
    },
  );
});
