import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { RunMetrics } from '../../src/cli/sending/prometheus.ts';
import type { PushEvent } from '../../src/cli/push/events.ts';
import { withMetrics } from '../../src/cli/sending/metrics-file.ts';
import { RunsFolder } from '../../src/cli/run-file/runs-folder.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { migration, type Migration } from '../support/migration.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';

async function siteWith(seed: string): Promise<Migration> {
  const site = await migration(seed);
  site.csv('t.csv', HEADER, REFUSED, GOOD);
  return site;
}

const metricsOf = (site: Migration): readonly string[] =>
  readFileSync(join(site.cwd, 'run.prom'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

const push = (site: Migration, ...flags: readonly string[]) =>
  site.cli('push', 'transactions', 't.csv', '-j', '1', '--metrics-file', 'run.prom', ...flags);

test('has the counts of a run at its end, also of what an earlier command has sent', async () => {
  const site = await siteWith(SEED);
  expect((await push(site, '--on-reject', 'skip')).exitCode).toBe(6);
  const labels = 'resource="transactions",shard="1/1"';
  expect(metricsOf(site)).toEqual([
    `dataimport_stage{${labels},stage="reading"} 0`,
    `dataimport_stage{${labels},stage="sending"} 0`,
    `dataimport_stage{${labels},stage="stopping"} 0`,
    `dataimport_stage{${labels},stage="ended"} 1`,
    `dataimport_rows_read{${labels}} 2`,
    `dataimport_rows_invalid{${labels}} 0`,
    `dataimport_records_planned{${labels}} 2`,
    `dataimport_records_settled_total{${labels},outcome="created"} 1`,
    `dataimport_records_settled_total{${labels},outcome="existing"} 0`,
    `dataimport_records_settled_total{${labels},outcome="uncompared"} 0`,
    `dataimport_records_settled_total{${labels},outcome="verify"} 0`,
    `dataimport_records_settled_total{${labels},outcome="rejected"} 1`,
    `dataimport_problems_total{${labels},code="account_not_found"} 1`,
    `dataimport_requests_total{${labels}} 2`,
    `dataimport_retries_total{${labels}} 0`,
    `dataimport_requests_at_once{${labels}} 1`,
    `dataimport_requests_at_once_limit{${labels}} 1`,
    `dataimport_requests_at_once_held{${labels},because="most"} 1`,
    `dataimport_requests_at_once_held{${labels},because="growing"} 0`,
    `dataimport_requests_at_once_held{${labels},because="throttled"} 0`,
    `dataimport_requests_at_once_held{${labels},because="rate"} 0`,
    `dataimport_requests_at_once_held{${labels},because="accounts"} 0`,
    `dataimport_platform_waiting{${labels}} 0`,
    `dataimport_accounts_waited_for{${labels}} 0`,
    expect.stringMatching(/^dataimport_started_timestamp_seconds\{.*\} \d+(\.\d+)?$/),
    expect.stringMatching(/^dataimport_updated_timestamp_seconds\{.*\} \d+(\.\d+)?$/),
  ]);
  expect(statSync(join(site.cwd, 'run.prom')).mode & 0o777).toBe(0o644);
  expect(readdirSync(site.cwd).filter((name) => name.startsWith('run.prom'))).toEqual(['run.prom']);
});

test('counts a continued run as a whole, with its shard', async () => {
  const site = await siteWith(SEED);
  expect((await push(site, '--shard', '1/1')).exitCode).toBe(4);
  await site.reseed(IMPORTED);
  expect((await push(site, '--shard', '1/1')).exitCode).toBe(0);
  expect(metricsOf(site)).toContain('dataimport_records_planned{resource="transactions",shard="1/1"} 2');
  expect(metricsOf(site)).toContain(
    'dataimport_records_settled_total{resource="transactions",shard="1/1",outcome="created"} 2',
  );
});

test('is refused before anything is sent when it cannot be written', async () => {
  const site = await siteWith(IMPORTED);
  for (const file of ['-', 'missing/run.prom']) {
    const { exitCode } = await site.cli('push', 'transactions', 't.csv', '--metrics-file', file);
    expect(exitCode, file).toBe(2);
  }
  expect(await site.ledger()).toEqual([]);
});

test('is written every five seconds, also while nothing happens, whole, and a failure is logged and ends nothing', () => {
  const io = fakeIo();
  let nowMs = 0;
  const logged: string[] = [];
  const ports = {
    io: { ...io, timing: { ...io.timing, monotonicMs: () => nowMs } },
    log: { write: (event: string) => void logged.push(event) },
  };
  const file = join(io.cwd, 'x.prom');
  const silent = { emit: () => undefined, above: () => undefined, stop: () => undefined };
  const labels = { resource: 'notes', shard: { index: 2, count: 4 } } as const;
  const progress = withMetrics(silent, { file: 'x.prom', labels }, ports);
  const rowsRead = () =>
    /^dataimport_rows_read\{resource="notes",shard="2\/4"\} (\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  // Another process may have the run, and this file.
  expect(existsSync(file)).toBe(false);
  progress.emit({ kind: 'staging', rows: 0, invalid: 0 });
  expect(rowsRead()).toBe('0');
  const written = [1, 4_999, 5_000, 9_999, 10_000].map((atMs) => {
    nowMs = atMs;
    progress.emit({ kind: 'staging', rows: atMs, invalid: 0 });
    return rowsRead();
  });
  expect(written).toEqual(['0', '0', '5000', '5000', '10000']);
  progress.emit({ kind: 'staging', rows: 10_001, invalid: 0 });
  nowMs = 15_000;
  io.tick();
  expect(rowsRead()).toBe('10001');
  // A folder of that name is in the way of the draft.
  mkdirSync(`${file}-new`);
  nowMs = 20_000;
  progress.emit({ kind: 'staging', rows: 20_000, invalid: 0 });
  expect([rowsRead(), logged]).toEqual(['10001', ['metrics_not_written']]);
  progress.stop();
  expect(existsSync(file)).toBe(true);
});

test('says when the platform makes the run wait, how many requests are sent at once, and why no more', () => {
  const metrics = new RunMetrics({ resource: 'notes', shard: undefined }, 0);
  const valueOf = (name: string) =>
    new RegExp(`^dataimport_${name}\\{[^}]*\\} (.*)$`, 'm').exec(metrics.text(1_500, 0))?.[1];
  const apply = (event: PushEvent) => metrics.apply(event, 0);
  expect([valueOf('requests_at_once'), valueOf('platform_waiting')]).toEqual([undefined, '0']);
  const atOnce = { inFlight: 7, limit: 8, most: 16, because: 'growing' } as const;
  apply({ kind: 'settled', outcomes: { created: 1 }, atOnce });
  apply({ kind: 'slowed', from: 8, to: 5, reason: 'status 503' });
  apply({ kind: 'outage', waitMs: 1, reason: 'status 503' });
  apply({ kind: 'paused', waitMs: 1, reason: 'status 503' });
  expect([valueOf('requests_at_once'), valueOf('requests_at_once_limit')]).toEqual(['7', '5']);
  expect(metrics.text(0, 0)).toContain('because="growing"} 1\n');
  expect(valueOf('platform_waiting')).toBe('1');
  apply({ kind: 'recovered' });
  expect(valueOf('platform_waiting')).toBe('1');
  apply({ kind: 'resumed' });
  apply({ kind: 'retry', account: 'A', attempt: 2, waitMs: 1, reason: 'reset' });
  expect([
    valueOf('retries_total'),
    valueOf('platform_waiting'),
    valueOf('updated_timestamp_seconds'),
  ]).toEqual(['1', '0', '1.5']);
});

test('has the causes of problems, and rates and the time left once there is a basis for them', () => {
  const metrics = new RunMetrics({ resource: 'notes', shard: undefined }, 0);
  const valueOf = (name: string, atMs: number) =>
    new RegExp(`^dataimport_${name}\\{[^}]*\\} (.*)$`, 'm').exec(metrics.text(0, atMs))?.[1];
  metrics.apply({ kind: 'planned', records: 100, batches: 50, accounts: 5 }, 0);
  for (let second = 1; second <= 20; second++)
    metrics.apply(
      { kind: 'settled', outcomes: { created: 1, rejected: 1 }, problems: ['account_not_found'] },
      second * 1_000,
    );
  expect(valueOf('records_per_second', 5_000)).toBeUndefined();
  expect(valueOf('records_per_second', 20_000)).toBe('2');
  expect(valueOf('requests_per_second', 20_000)).toBe('1');
  expect(valueOf('left_seconds', 20_000)).toBe('30');
  expect(metrics.text(0, 0)).toContain(
    'dataimport_problems_total{resource="notes",shard="1/1",code="account_not_found"} 20\n',
  );
  metrics.apply({ kind: 'paused', waitMs: 1, reason: 'status 503' }, 20_000);
  expect(valueOf('left_seconds', 20_000)).toBeUndefined();
  metrics.apply({ kind: 'resumed' }, 99_000);
  const rates = ['left_seconds', 'records_per_second', 'requests_per_second'];
  expect(rates.map((name) => valueOf(name, 99_000))).toEqual(['30', '2', '1']);
});

test('of a cohort has the shard, the rows of all resources, and the accounts that are waited for while nothing is sent', async () => {
  const site = await migration(SEED);
  site.csv('t.csv', HEADER, REFUSED, GOOD);
  site.csv('n.csv', 'import_supplier,external_account_number,body,created_at', 'ACME,77,text,never');
  writeFileSync(
    join(site.cwd, 'night.yaml'),
    'version: 1\nresources: { notes: { files: [n.csv] }, transactions: { files: [t.csv] } }\n',
  );
  const line = ['migrate', 'night.yaml', '--skip-invalid', '--shard', '1/1'];
  const io = site.io();
  const labels = 'resource="all",shard="1/1"';
  const seen: (readonly string[])[] = [];
  let nowMs = 0;
  io.timing.monotonicMs = () => nowMs;
  io.timing.sleep = async () => {
    // The requests in flight end meanwhile.
    const isIdle = (): boolean => {
      nowMs += 6_000;
      io.tick();
      return metricsOf(site).includes(`dataimport_requests_at_once{${labels}} 0`);
    };
    await vi.waitUntil(isIdle, { timeout: 20_000, interval: 10 });
    seen.push(metricsOf(site));
  };
  const ended = await runCli([...line, '--metrics-file', 'run.prom', '--wait-for-accounts', '10s'], io);
  expect(ended.exitCode).toBe(6);
  for (const lines of [seen[0], metricsOf(site)])
    expect(lines).toEqual(
      expect.arrayContaining([
        `dataimport_rows_read{${labels}} 3`,
        `dataimport_rows_invalid{${labels}} 1`,
        `dataimport_records_planned{${labels}} 2`,
        `dataimport_records_settled_total{${labels},outcome="created"} 1`,
      ]),
    );
  expect(seen[0]).toContain(`dataimport_stage{${labels},stage="sending"} 1`);
  expect(seen[0]).toContain(`dataimport_accounts_waited_for{${labels}} 1`);
  expect(metricsOf(site)).toContain(`dataimport_accounts_waited_for{${labels}} 0`);
});

test('is left alone by a second process, which finds the run in use', async () => {
  const site = await siteWith(IMPORTED);
  const locked = new RunsFolder(join(site.cwd, '.dataimport', 'runs'));
  expect((await push(site)).exitCode).toBe(0);
  const before = readFileSync(join(site.cwd, 'run.prom'), 'utf8');
  const run = locked.open(locked.ids()[0]!);
  expect((await push(site)).exitCode).toBe(10);
  run.close();
  expect(readFileSync(join(site.cwd, 'run.prom'), 'utf8')).toBe(before);
});
