import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientsFolder, tryIn } from '../../support/tried-client.ts';
import { projectRoot } from '../../support/source-tree.ts';

// The clients were written before `try` was.

const { execPath: node } = process;

interface Found {
  readonly finding: string;
  readonly faults: readonly string[];
  readonly says: string;
  readonly history: readonly { client_start: number }[];
}

/** One run for each kind of fault but the slow ones, in the middle of the records. A client gets as many as find it out. */
const ALL = 13;

/** What a client is found out for: each finding with the effects of its faults. */
async function foundOut(
  command: readonly string[],
  { runs, cwd = clientsFolder(), flags = [] }: { runs: number; cwd?: string; flags?: readonly string[] },
) {
  const result = await tryIn(cwd, ['--runs', String(runs), '--jobs', '6', '--json', ...flags], command);
  const { findings, struck } = result.json() as {
    findings: readonly Found[];
    struck: Readonly<Record<string, number>>;
  };
  const table = new Map<string, Set<string>>();
  for (const { finding, faults } of findings) {
    const effects = faults.map((rule) => rule.replace(/ (attempt|nth|body)=.*/, ''));
    table.set(finding, new Set([...(table.get(finding) ?? []), ...effects]));
  }
  return {
    exitCode: result.exitCode,
    findings,
    struck,
    table: Object.fromEntries([...table].map(([finding, effects]) => [finding, [...effects].toSorted()])),
  };
}

const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

describe('a client of strangers is found out for what it does', () => {
  test('sends once and stops: it gives up, and nothing is lost in silence', async () => {
    const { exitCode, table } = await foundOut([node, 'sends-once.mjs'], { runs: ALL });
    expect(table).toEqual({
      gave_up: [
        'transactions accept expire-tokens',
        'transactions accept late=700',
        'transactions after-commit crash',
        'transactions after-commit reset',
        'transactions after-commit reset bytes=10',
        'transactions after-commit truncate=10',
        'transactions before-commit reset',
        'transactions before-commit status=429 retry-after=1',
        'transactions before-commit status=500',
        'transactions before-commit status=502 html',
        'transactions before-commit status=503 retry-after=1',
      ],
    });
    expect(exitCode).toBe(0);
  });

  test.skipIf(!isThere('python3'))(
    'retries everything: it hammers, and it keeps on after a 400',
    async () => {
      const { exitCode, table, findings } = await foundOut(['python3', 'never_gives_up.py'], { runs: 6 });
      expect(table).toEqual({
        hammered: [
          'transactions before-commit status=429 retry-after=1',
          'transactions before-commit status=503 retry-after=1',
        ],
        kept_on: ['transactions before-commit status=400'],
      });
      expect(findings.find(({ finding }) => finding === 'kept_on')!.says).toContain('again, unchanged');
      expect(exitCode).toBe(0);
    },
  );

  test('retries a 400 with pauses: it keeps on after a 400, and does nothing else wrong', async () => {
    expect((await foundOut([node, 'retries-400.mjs'], { runs: 6 })).table).toEqual({
      kept_on: ['notes before-commit status=400'],
    });
  });

  test('forgets the order: it stores records in another order', async () => {
    const { exitCode, table } = await foundOut([node, 'all-at-once.mjs'], { runs: 3 });
    expect(Object.keys(table)).toEqual(['order']);
    expect(table['order']).toEqual(
      expect.arrayContaining(['transactions before-commit reset', 'transactions before-commit status=500']),
    );
    expect(exitCode).toBe(0);
  });

  test('gives a new id to each attempt: it stores records twice, also when it is killed', async () => {
    const cwd = clientsFolder();
    const { exitCode, table, findings } = await foundOut([node, 'fresh-ids.mjs'], {
      runs: ALL + 4,
      cwd,
      flags: ['--restart', '--junit', 'try.xml'],
    });
    expect(table).toEqual({
      twice: [
        'the client is killed after the commit of request 4 to transactions',
        'the client is killed before the commit of request 4 to transactions',
        'transactions accept late=700',
        'transactions after-commit crash',
        'transactions after-commit delay=5000',
        'transactions after-commit reset',
        'transactions after-commit reset bytes=10',
        'transactions after-commit truncate=10',
      ],
    });
    expect(exitCode).toBe(1);
    const killed = findings.find(({ faults: [fault] }) => fault!.includes('killed'))!;
    expect(killed.faults).toEqual(['the client is killed before the commit of request 4 to transactions']);
    expect(new Set(killed.history.map(({ client_start: start }) => start))).toEqual(new Set([1, 2]));
    expect(readFileSync(join(cwd, 'try.xml'), 'utf8')).toMatch(
      /&lt;- fault .*\n.* 201 +&lt;- the client starts again +\d+ ms\n/,
    );
  });

  test.skipIf(!isThere('bash') || !isThere('curl'))(
    'ends with 0 after a failure: it loses records',
    async () => {
      const { exitCode, table } = await foundOut(['bash', 'retries-500.sh'], { runs: 6 });
      expect(table['lost']).toEqual(
        expect.arrayContaining(['transactions before-commit reset', 'transactions before-commit status=400']),
      );
      expect(table).not.toHaveProperty('twice');
      expect(exitCode).toBe(1);
    },
  );

  test('is careful: nothing is found, also when it is killed', async () => {
    const { exitCode, table, struck } = await foundOut([node, 'careful.mjs'], {
      runs: ALL + 4,
      flags: ['--restart'],
    });
    expect([exitCode, table]).toEqual([0, {}]);
    expect(struck).toMatchObject({ killed_before: 1, killed_after: 1 });
  });

  test('the honest script of the bench: it gives up where an answer is lost, and loses nothing', async () => {
    const cwd = clientsFolder();
    const rows = [1, 2, 3].map((id) => `SOLAR,7,B-${id},2026-01-0${id},1.00,CREDIT,GENERAL_CREDIT`);
    const header =
      'import_supplier,external_account_number,transaction_id,transaction_date,amount,type,reason';
    writeFileSync(join(cwd, 'bench.csv'), `${[header, ...rows].join('\n')}\n`);
    writeFileSync(join(cwd, 'key.yaml'), 'version: 1\napi_keys: [{ key: local-key }]\n');
    const naive = join(projectRoot, 'bench', 'baselines', 'naive.mjs');
    const script = 'import(process.argv[1])';
    const start = `process.argv = [process.argv[0], process.argv[1], 'bench.csv', process.env.DATAIMPORT_BASE_URL]; ${script}`;
    const { exitCode, table } = await foundOut([node, '-e', start, naive], {
      runs: 3,
      cwd,
      flags: ['--seed', 'key.yaml'],
    });
    // After a 500 it goes on.
    expect(table).toEqual({
      gave_up: ['transactions after-commit reset', 'transactions before-commit reset'],
    });
    expect(exitCode).toBe(0);
  });
});
