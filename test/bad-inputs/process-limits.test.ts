import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { EXITS } from '../../src/cli/output/exit-codes.ts';
import {
  dataimport,
  dataimportInShell,
  serve,
  type CliEnvironment,
  type Platform,
} from '../support/built-cli.ts';
import { ledgerOf } from '../support/ledger.ts';
import { QUICKSTART } from '../support/quickstart.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TRANSACTIONS = join(QUICKSTART, 'transactions.csv');
const ROWS = 1761;

let running: Platform | undefined;

afterEach(async () => {
  await running?.crash();
  running = undefined;
});

/** A platform outside of the limits that the client gets. */
async function newPlatform(
  ...flags: readonly string[]
): Promise<{ platform: Platform; world: CliEnvironment }> {
  const cwd = temporaryFolder();
  const seed = join(QUICKSTART, 'seed.yaml');
  const platform = await serve(['--port', '0', '--db', ':memory:', '--seed', seed, ...flags], { cwd });
  running = platform;
  return {
    platform,
    world: { cwd, env: { DATAIMPORT_BASE_URL: platform.url, DATAIMPORT_API_KEY: platform.apiKey } },
  };
}

describe.skipIf(process.platform === 'win32')('a shell', () => {
  test('[C149] a umask of 000 makes files and folders that are private all the same', async () => {
    const { world } = await newPlatform();
    const file = join(world.cwd, 'bad.csv');
    // A row that is refused, so that there are rejects.
    const [header, first] = readFileSync(TRANSACTIONS, 'utf8').split('\n');
    writeFileSync(file, `${header}\n${first}\n${first!.replace(/\d{4}-\d\d-\d\d/, 'some day')}\n`);
    const outputs = ['--log-file', 'log.ndjson', '--report-json', 'report.json', '--rejects', 'rejects.csv'];
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
        name.replace(/\d.*(?=\.sqlite)/, 'run').replace(/[\da-f]{8}(?=\.lock)/, 'target'),
        lstatSync(join(world.cwd, name)).mode & 0o777,
      ]);
    expect(found).toEqual([
      ['.dataimport', 0o700],
      ['.dataimport/runs', 0o700],
      ['.dataimport/runs/run.sqlite', 0o600],
      ['.dataimport/runs/begin.lock', 0o600],
      ['.dataimport/runs/history.index', 0o600],
      ['.dataimport/runs/transactions-target.lock', 0o600],
      ['log.ndjson', 0o600],
      ['rejects.csv', 0o600],
      ['rejects.csv.reasons.csv', 0o600],
      ['report.json', 0o600],
    ]);
  });

  // Slow answers keep as many requests in flight as the limit of open files allows.
  test('[C150] that allows 52 open files is enough for a hundred accounts at once', async () => {
    const { platform, world } = await newPlatform('--latency', '30ms');
    const push = ['push', 'transactions', TRANSACTIONS, '-j', '100'];
    const ended = await dataimportInShell('ulimit -n 52', push, world);
    expect(ended.exitCode, ended.stderr).toBe(0);
    // Without a regard for the limit, some requests find no free file and are sent later.
    expect(ended.stdout).toMatch(/^\d+ requests, 64 of 64 accounts done/m);
    expect(await ledgerOf(platform.url)).toHaveLength(ROWS);
  });

  // Many requests make the run file larger than its rows do.
  test.each([
    [16, 'before the rows are read', [], false],
    [1_600, 'while they are read', [], false],
    [2_200, 'while they are sent', ['--batch-size', '5'], true],
  ] as const)(
    '[C150] that allows files of %d blocks stops the run cleanly %s, and without the limit the run ends well',
    async (blocks, _, flags, hasSent) => {
      const { platform, world } = await newPlatform();
      const push = ['push', 'transactions', TRANSACTIONS, ...flags];
      const stopped = await dataimportInShell(`ulimit -f ${blocks}`, push, world);
      expect(stopped.exitCode, stopped.stderr).toBe(EXITS.RUN_FILE.code);
      expect(stopped.stderr).toMatch(/run_(not_writable|write_failed)/);
      const kept = (await ledgerOf(platform.url)).length;
      expect(kept).toBeLessThan(ROWS);
      expect(kept > 0).toBe(hasSent);

      const runs = join(world.cwd, '.dataimport', 'runs');
      const resumed = await dataimport(['resume'], world);
      const wasNeverStaged = resumed.exitCode === EXITS.NOTHING_TO_DO.code;
      expect(wasNeverStaged).toBe(stopped.stderr.includes('run_not_writable'));
      if (wasNeverStaged) {
        expect(kept).toBe(0);
        expect(readdirSync(runs).filter((name) => name.endsWith('.sqlite'))).toEqual([]);
        expect(await dataimport(push, world)).toMatchObject({ exitCode: 0 });
      } else expect(resumed.exitCode, resumed.stderr).toBe(0);
      const ids = (await ledgerOf(platform.url)).map(({ data }) => data['transaction_id']);
      expect(ids).toHaveLength(ROWS);
    },
  );
});
