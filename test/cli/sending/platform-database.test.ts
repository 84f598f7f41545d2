import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { targetOf } from '../../../src/cli/command/connection.ts';
import { reachPlatform, type ReachedPlatform } from '../../../src/cli/sending/sending.ts';
import { defaultSettings } from '../../../src/cli/settings/settings.ts';
import { alteringProxy, type PassingExchange } from '../../support/altering-proxy.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { migration, type Migration } from '../../support/migration.ts';
import { GOOD, HEADER, IMPORTED } from '../../support/refused-account.ts';
import {
  scriptedPlatform,
  TOKEN_TRIAL,
  tokenAnswer,
  type ScriptedStep,
} from '../../support/scripted-server.ts';

const NAME = 'dataimport-database';
const KEY = { DATAIMPORT_API_KEY: 'k' };
const TOKEN = { DATAIMPORT_TOKEN: 't' };

const NO_LINE = { show: () => undefined, above: () => undefined, stop: () => undefined };

/** Waits for the first answer of a platform, as a command does before it reads. */
async function reached(
  url: string,
  env: Readonly<Record<string, string>>,
  stopping = new AbortController().signal,
): Promise<ReachedPlatform> {
  const io = fakeIo({ env, chance: 0.5, maxWaits: 1 });
  const settings = defaultSettings({ flags: { baseUrl: url }, cwd: io.cwd, homeDir: io.homeDir });
  const closing: (() => unknown)[] = [];
  const unused = () => Promise.reject(new Error('unexpected output'));
  const ports = {
    io,
    log: { write: () => undefined },
    output: {
      isRead: false,
      emit: () => undefined,
      progress: unused,
      waiting: async () => NO_LINE,
    },
    onClose: (close: () => unknown) => void closing.push(close),
  };
  try {
    return await reachPlatform(targetOf(settings, io), settings, ports, { stopping, namesDatabase: false });
  } finally {
    for (const close of closing) await close();
  }
}

describe('the first answer of a platform names its database', () => {
  test.each<readonly [string, Readonly<Record<string, string>>, ScriptedStep]>([
    ['a token', KEY, tokenAnswer('abc')],
    ['no token yet', KEY, { ...tokenAnswer('abc'), status: 503 }],
    ['a question with a given token', TOKEN, TOKEN_TRIAL],
    ['a failed question with a given token', TOKEN, { ...TOKEN_TRIAL, status: 503 }],
  ])('%s', async (_, env, step) => {
    const { url } = await scriptedPlatform([{ ...step, headers: { [NAME]: 'db-1' } }]);
    expect(await reached(url, env)).toMatchObject({ database: 'db-1', pausedUntilMs: -Infinity });
  });

  test.each<readonly [string, Readonly<Record<string, string>>]>([
    ['no name', {}],
    ['an empty name', { [NAME]: '' }],
    ['a name with a space', { [NAME]: 'db 1' }],
    ['a name with an escape', { [NAME]: '%1b[31m' }],
    ['a path', { [NAME]: '../runs' }],
    ['a long name', { [NAME]: 'x'.repeat(65) }],
  ])('%s is none', async (_, headers) => {
    for (const [env, step] of [[KEY, tokenAnswer('abc')] as const, [TOKEN, TOKEN_TRIAL] as const]) {
      const { url } = await scriptedPlatform([{ ...step, headers }]);
      expect((await reached(url, env)).database).toBeNull();
    }
  });
});

const PUSH = ['push', 'transactions', 't.csv', '-j', '1', '--batch-size', '1'] as const;
const OTHERS = ['ACME,1003,t-2,2026-02-02,CREDIT,1.00', 'ACME,1003,t-3,2026-02-03,CREDIT,2.00'] as const;

/** Types a command. `meanwhile` happens while it waits, because the platform has answered a request with 503. */
async function typed(
  site: Migration,
  argv: readonly string[],
  meanwhile: (site: Migration) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
) {
  const io = site.io({ env, chance: 0.5, maxWaits: 1 });
  const sleep = async (waitMs: number) => {
    await io.timing.sleep(waitMs);
    await meanwhile(site);
  };
  return runCli(argv, { ...io, timing: { ...io.timing, sleep } });
}

/** The first request with transactions is answered with 503, or the second one. */
const FIRST_FAILS = 'transactions accept status=503 nth=1';
const SECOND_FAILS = 'transactions accept status=503 nth=2';

/** A platform with these faults, and a file with three rows of two accounts. */
async function siteWith(...rules: readonly string[]): Promise<Migration> {
  const site = await migration(IMPORTED);
  site.csv('t.csv', HEADER, GOOD, ...OTHERS);
  await site.faults(...rules);
  return site;
}

async function reset({ url }: Migration): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/_local/reset`, { method: 'POST', headers, body: '{}' });
  if (!answer.ok) throw new Error(await answer.text());
}

const idsIn = async (site: Migration): Promise<readonly unknown[]> =>
  (await site.ledger()).map(({ data }) => data['transaction_id']);

const CODE = 'error platform_database_changed';
const CHANGED =
  `t.csv:3 ${CODE} the database of the platform was replaced while records were sent, for example by a reset or a restored snapshot\n` +
  'help: platform_database_changed: Type the same command again: it begins a journal for the new database.\n';

describe('a reset while records are sent', () => {
  test.each([
    ['a key', async () => ({})],
    ['a token', async (site: Migration) => ({ DATAIMPORT_TOKEN: await site.token() })],
  ])('ends the run, and the records of the request are unknown: with %s', async (_, given) => {
    const site = await siteWith(SECOND_FAILS);
    const { exitCode, stderr, stdout } = await typed(site, PUSH, reset, await given(site));
    expect(exitCode).toBe(4);
    expect(stderr).toContain(CHANGED);
    expect(stdout).toContain('3 rows read: 1 arrived, 2 waiting');
    expect(await idsIn(site)).toEqual(['t-2']);
  });

  test.each([
    ['a resumed command', [], ['resume', '-q']],
    ['the same command', ['--on-reject', 'skip'], [...PUSH, '-q']],
  ])('ends %s', async (_, flags, command) => {
    const site = await siteWith();
    await site.setState('1003', 'staged');
    await site.cli(...PUSH, ...flags);
    await site.setState('1003', 'imported');
    await site.faults(FIRST_FAILS);
    const { exitCode, stderr } = await typed(site, command, reset);
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining(`t.csv:3 ${CODE} `)]);
  });

  test('ends the runs of a cohort', async () => {
    const site = await siteWith(SECOND_FAILS);
    const resources = 'resources:\n  transactions: { files: [t.csv] }\n';
    writeFileSync(join(site.cwd, 'night.yaml'), `version: 1\nsupplier: ACME\n${resources}`);
    const { exitCode, stderr } = await typed(site, ['migrate', 'night.yaml', '-j', '1', '-q'], reset);
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining(`t.csv:3 ${CODE} `)]);
  });
});

test.each([
  ['a key', async () => ({})],
  ['a token', async (site: Migration) => ({ DATAIMPORT_TOKEN: await site.token() })],
])('a gateway that answers first and names no database is not the platform: with %s', async (_, given) => {
  const site = await siteWith();
  let refusals = 0;
  const before = (exchange: PassingExchange): boolean => {
    exchange.status = 503;
    return refusals-- > 0;
  };
  const url = await alteringProxy(site.url, { before });
  const env = { ...(await given(site)), DATAIMPORT_BASE_URL: url };
  const push = async (more: number) => {
    refusals = more;
    const io = site.io({ env, chance: 0.5, maxWaits: 9 });
    return { ...(await runCli([...PUSH, '--retry-for', '20s'], io)), waits: io.waits };
  };
  expect((await push(0)).exitCode).toBe(0);
  const { exitCode, waits, stdout } = await push(2);
  expect([exitCode, waits, stdout]).toEqual([0, [125, 250], expect.stringContaining('none of them now')]);
  const closed = await push(Infinity);
  expect(closed.exitCode).toBe(5);
  expect(closed.stderr).toContain(
    'it has not answered once within 20 s: the answer names no database, and the platform named one before',
  );
  expect(globSync(join(site.cwd, '.dataimport/journal/*/*/*.sqlite'))).toHaveLength(1);
});

test('a restart of the platform keeps its database, and the run goes on', async () => {
  const site = await siteWith(SECOND_FAILS);
  const { exitCode, stdout } = await typed(site, PUSH, ({ reseed }) => reseed(IMPORTED));
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('3 rows read: 3 arrived')]);
  expect(await site.ledger()).toHaveLength(3);
});
