import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { DESCRIPTORS, type Resource } from '../../src/core/contract/resources.ts';
import {
  dataimport,
  dataimportWith,
  serve,
  type CliEnvironment,
  type Platform,
} from '../support/built-cli.ts';
import { contentOf, ledgerOf } from '../support/ledger.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FIXTURE = join(projectRoot, 'fixtures', 'quickstart');
const csvOf = (resource: Resource): string => join(FIXTURE, `${resource}.csv`);

/** Many small requests, so that a kill at any moment hits one in flight. */
const SMALL_BATCHES = ['--batch-size', '3', '-j', '4'];

/** Parts of the records that the platform has stored when the client is killed, kill after kill. */
const MOMENTS = [0.01, 0.2, 0.5, 0.9];

/** The files of the fixture with the number of their rows. */
const ROWS: Readonly<Partial<Record<Resource, number>>> = {
  notes: 432,
  transactions: 1761,
  statements: 210,
  'payment-instructions': 46,
};
const SENT = Object.keys(ROWS) as readonly Resource[];

/** Instants from the files. Any other instant comes from the clock of the platform. */
const GIVEN_INSTANTS = new Set(
  readFileSync(csvOf('notes'), 'utf8').match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g),
);

let running: Platform | undefined;

afterEach(async () => {
  await running?.crash();
  running = undefined;
});

/** The ledger of an undisturbed migration, made once. */
let undisturbed: Promise<Content> | undefined;

type Content = Readonly<Record<string, readonly string[]>>;

function undisturbedContent(): Promise<Content> {
  return (undisturbed ??= (async () => {
    const { platform, world } = await newPlatform();
    for (const resource of SENT) {
      const { exitCode, stderr } = await dataimport(['push', resource, csvOf(resource)], world);
      expect(exitCode, stderr).toBe(0);
    }
    const content = contentOf(await ledgerOf(platform.url), GIVEN_INSTANTS);
    await platform.stop();
    return content;
  })());
}

describe('a client that is killed at any moment', () => {
  test.each(SENT)(
    'resumes without losing or repeating any of the %s',
    { timeout: 120_000 },
    async (resource) => {
      const expected = ofKind(await undisturbedContent(), resource);
      const { platform, world } = await newPlatform();
      let kills = 0;
      for (const [index, part] of MOMENTS.entries()) {
        const args =
          index === 0 ? ['push', resource, csvOf(resource), ...SMALL_BATCHES] : ['resume', '-j', '4'];
        const killed = await dataimportWith(args, world, async (child) => {
          await platform.untilStored(Math.ceil(part * ROWS[resource]!));
          child.kill('SIGKILL');
        });
        if (killed.signal === 'SIGKILL') kills++;
      }
      await finish(world);
      expect(ofKind(contentOf(await ledgerOf(platform.url), GIVEN_INSTANTS), resource)).toEqual(expected);
      expect(kills).toBeGreaterThan(1);
    },
  );

  test('leaves a run that sent nothing when it is killed while it reads the file', async () => {
    const { platform, world } = await newPlatform();
    const runs = join(world.cwd, '.dataimport', 'runs');
    const hasRun = () => existsSync(runs) && readdirSync(runs).some((name) => name.endsWith('.sqlite'));
    const killed = await dataimportWith(
      ['push', 'transactions', csvOf('transactions')],
      world,
      async (child) => {
        while (!hasRun()) await pause(1);
        child.kill('SIGKILL');
      },
    );
    expect(killed.signal).toBe('SIGKILL');
    expect(await ledgerOf(platform.url)).toEqual([]);
    const resumed = await dataimport(['resume'], world);
    expect(resumed).toMatchObject({
      exitCode: 8,
      stderr: expect.stringContaining('run_none_unfinished') as string,
    });
    const again = await dataimport(['push', 'transactions', csvOf('transactions')], world);
    expect(again).toMatchObject({ exitCode: 0 });
  });
});

describe('a server that is killed and started again', () => {
  test('costs the client only time', { timeout: 120_000 }, async () => {
    const expected = ofKind(await undisturbedContent(), 'transactions');
    const { platform, world, database } = await newPlatform();
    const pushed = await dataimportWith(
      ['push', 'transactions', csvOf('transactions'), ...SMALL_BATCHES],
      world,
      async () => {
        await platform.untilStored(600);
        await platform.crash();
        running = await startPlatform(database, world.cwd, platform.port);
      },
    );
    expect(pushed.exitCode, pushed.stderr).toBe(0);
    expect(pushed.stdout).toMatch(/1761 rows read: \d+ created(, \d+ already there)?\n/);
    expect(contentOf(await ledgerOf(platform.url), GIVEN_INSTANTS)).toEqual(expected);
  });
});

function ofKind(content: Content, resource: Resource): Content {
  const { kind } = DESCRIPTORS[resource];
  return Object.fromEntries(Object.entries(content).filter(([key]) => key.endsWith(` ${kind}`)));
}

/** Sends the rest. Exit 6 is fine: a `verify` record is on the platform, and its origin cannot be proven. */
async function finish(world: CliEnvironment): Promise<void> {
  const resumed = await dataimport(['resume'], world);
  if (resumed.exitCode !== 8) {
    expect([0, 6], resumed.stderr).toContain(resumed.exitCode);
    return;
  }
  // The last answer had been recorded before the last kill.
  expect(resumed.stderr).toContain('run_none_unfinished');
}

async function newPlatform(): Promise<{ platform: Platform; world: CliEnvironment; database: string }> {
  const cwd = temporaryFolder();
  const database = join(cwd, 'platform.sqlite');
  const platform = await startPlatform(database, cwd, 0);
  running = platform;
  return {
    platform,
    database,
    world: { cwd, env: { DATAIMPORT_BASE_URL: platform.url, DATAIMPORT_API_KEY: platform.apiKey } },
  };
}

function startPlatform(database: string, cwd: string, port: number): Promise<Platform> {
  return serve(['--port', String(port), '--db', database, '--seed', join(FIXTURE, 'seed.yaml')], { cwd });
}
