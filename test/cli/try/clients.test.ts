import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kindsOfFault } from '../../../src/cli/try/fault-kinds.ts';
import { clientsFolder, played, tryIn } from '../../support/tried-client.ts';
import { projectRoot } from '../../support/source-tree.ts';

// The clients were written before `try` was.

const { execPath: node } = process;

const KINDS = kindsOfFault(true);

interface Found {
  readonly finding: string;
  readonly faults: readonly string[];
  readonly history: readonly { client_start: number }[];
}

/** Plays kinds of faults, and names the findings of each kind, with the exit code of the client. */
async function foundOut(
  ...given: Parameters<typeof played>
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const runs = await played(...given);
  return Object.fromEntries(
    runs.map(({ kind, run, findings }) => [kind, [...findings.map((each) => each.kind), run.exitCode]]),
  );
}

const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

const TAKEN_FOR_STORED = ['status_202', 'status_204', 'page'];

describe('a client of strangers is found out for what it does', () => {
  test('sends once and stops: it gives up, and nothing is lost in silence', async () => {
    expect(
      await foundOut(
        [node, 'sends-once.mjs'],
        ['lost_before', 'status_429', 'refused', 'twice', 'late', 'token', 'cut', 'restart'],
      ),
    ).toEqual({
      lost_before: ['gave_up', 1],
      status_429: ['gave_up', 1],
      refused: [1],
      twice: [0],
      late: ['gave_up', 1],
      token: ['gave_up', 1],
      cut: ['gave_up', 1],
      restart: ['gave_up', 1],
    });
  });

  test.skipIf(!isThere('python3'))(
    'retries everything: it hammers, and it keeps on after a 400',
    async () => {
      const runs = await played(['python3', 'never_gives_up.py'], ['status_500', 'status_503', 'refused']);
      expect(runs.map(({ findings }) => findings.map(({ kind }) => kind))).toEqual([
        [],
        ['hammered'],
        ['kept_on'],
      ]);
      expect(runs.at(-1)!.findings[0]!.says).toContain('again, unchanged');
      expect(runs.map(({ run }) => run.exitCode)).toEqual([0, 0, 0]);
    },
  );

  test('retries a 400 with pauses: it keeps on after a 400, and does nothing else wrong', async () => {
    expect(
      await foundOut([node, 'retries-400.mjs'], ['status_503', 'refused'], { endpoint: 'notes' }),
    ).toEqual({ status_503: [0], refused: ['kept_on', 0] });
  });

  test('forgets the order: it stores records in another order', async () => {
    expect(await foundOut([node, 'all-at-once.mjs'], ['lost_before', 'status_500'])).toEqual({
      lost_before: ['order', 0],
      status_500: ['order', 0],
    });
  });

  test('gives a new id to each attempt: it stores records twice, also when it is killed', async () => {
    const cwd = clientsFolder();
    // The deaths of the client are the last two kinds.
    const result = await tryIn(
      cwd,
      ['--runs', `${KINDS.length}`, '--jobs', '6', '--json', '--restart'],
      [node, 'fresh-ids.mjs'],
    );
    const { findings, struck } = result.json() as { findings: readonly Found[]; struck: object };
    expect(struck).toEqual(Object.fromEntries(KINDS.map(({ name }) => [name, 1])));
    const lost = findings.filter(({ finding }) => finding === 'lost').flatMap(({ faults }) => faults);
    expect(lost).toEqual([expect.stringContaining('status=202')]);
    expect(
      findings
        .filter(({ finding }) => finding === 'twice')
        .flatMap(({ faults }) => faults.map((rule) => rule.replace(/ (attempt|nth)=.*/, '')))
        .toSorted(),
    ).toEqual([
      'the client is killed after the commit of request 4 to transactions',
      'the client is killed before the commit of request 4 to transactions',
      'transactions accept late=700',
      'transactions after-commit crash',
      'transactions after-commit delay=5000',
      'transactions after-commit reset',
      'transactions after-commit reset bytes=10',
      'transactions after-commit truncate=10',
    ]);
    expect(result.exitCode).toBe(1);
    const killed = findings.find(({ faults: [fault] }) => fault!.includes('killed'))!;
    expect(killed.faults).toEqual(['the client is killed before the commit of request 4 to transactions']);
    expect(new Set(killed.history.map(({ client_start: start }) => start))).toEqual(new Set([1, 2]));
  });

  test.skipIf(!isThere('bash') || !isThere('curl'))(
    'ends with 0 after a failure: it loses records',
    async () => {
      expect(
        await foundOut(['bash', 'retries-500.sh'], ['lost_before', 'lost_after', 'status_500', 'refused']),
      ).toEqual({
        lost_before: ['lost', 0],
        lost_after: [0],
        status_500: [0],
        refused: ['lost', 0],
      });
      const taken = await foundOut(['bash', 'retries-500.sh'], TAKEN_FOR_STORED);
      expect(taken).toEqual(Object.fromEntries(TAKEN_FOR_STORED.map((kind) => [kind, ['lost', 0]])));
      const item = await foundOut(['bash', 'retries-500.sh'], ['failing_item']);
      expect(item).toEqual({ failing_item: ['overlooked', 0] });
    },
  );

  test('is careful: nothing is found, also when it is killed', async () => {
    const doubtful = [
      'lost_after',
      'twice',
      'late',
      'token',
      'restart',
      'outage',
      'slow',
      'killed_before',
      'killed_after',
    ];
    expect(await foundOut([node, 'careful.mjs'], ['refused', ...doubtful])).toEqual({
      // It stops with the account, and says so.
      refused: [1],
      ...Object.fromEntries(doubtful.map((kind) => [kind, [0]])),
    });
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
    expect(
      await foundOut([node, '-e', start, naive], ['lost_before', 'lost_after', 'status_500'], {
        cwd,
        seeds: ['seed.yaml', 'key.yaml'],
      }),
    ).toEqual({ lost_before: ['gave_up', 1], lost_after: ['gave_up', 1], status_500: [0] });
  });
});
