import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { DESCRIPTORS, type Resource } from '../../src/core/contract/resources.ts';
import { dataimportWith, serve, untilStored, type Platform } from '../support/built-cli.ts';
import { contentOf, ledgerOf } from '../support/ledger.ts';
import { firstRows, QUICKSTART } from '../support/quickstart.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { platformHere, wordsTypedHere } from '../support/typed-command.ts';

/** Many small requests, so that a kill at any moment hits one in flight. */
const SMALL_BATCHES = ['--batch-size', '3', '-j', '4'];

/** Parts of the records that the platform has stored when the client is killed, kill after kill. */
const MOMENTS = [0.01, 0.5];

/** The files of the fixture with the number of their rows. */
const ROWS = { transactions: 120, statements: 60 } as const;
const SENT = ['transactions', 'statements'] as const;

/** The files have dates only, so any instant comes from the clock of the platform. */
const GIVEN_INSTANTS = new Set<string>();

const SEED = join(QUICKSTART, 'seed.yaml');

/** A file that takes a while to read. */
const WHOLE_FILE = join(QUICKSTART, 'transactions.csv');

type World = Awaited<ReturnType<typeof platformBeside>>['world'];

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
    const { url, world, stop } = await platformHere(['--seed', SEED], folderWithFiles());
    for (const resource of SENT) {
      const { exitCode, printed } = await wordsTypedHere(['push', resource, `${resource}.csv`], world);
      expect(exitCode, printed).toBe(0);
    }
    const content = contentOf(await ledgerOf(url), GIVEN_INSTANTS);
    await stop();
    return content;
  })());
}

describe('a client that is killed at any moment', () => {
  // The campaign `kills` does it with all four resources. The chain of a run with several lives is checked here.
  test('resumes without losing or repeating any of the statements', async () => {
    const resource = 'statements';
    const expected = ofKind(await undisturbedContent(), resource);
    const { url, world } = await platformBeside();
    let kills = 0;
    for (const [index, part] of MOMENTS.entries()) {
      const args = index === 0 ? ['push', resource, `${resource}.csv`, ...SMALL_BATCHES] : ['resume'];
      const killed = await dataimportWith(args, world, async (child) => {
        await untilStored(url, Math.ceil(part * ROWS[resource]));
        child.kill('SIGKILL');
      });
      if (killed.signal === 'SIGKILL') kills++;
    }
    // Exit 6 is fine: a `verify` record is on the platform, and its origin cannot be proven.
    const resumed = await wordsTypedHere(['resume'], world);
    expect([0, 6], resumed.printed).toContain(resumed.exitCode);
    expect(ofKind(contentOf(await ledgerOf(url), GIVEN_INSTANTS), resource)).toEqual(expected);
    expect(kills).toBeGreaterThan(0);
    expect(await checkedChain(world, `${resource}.csv`)).toContain('the chain holds');
  });

  test('has sent nothing when it is killed while it reads the file, and its command is typed again', async () => {
    const { url, world } = await platformBeside();
    const killed = await dataimportWith(['push', 'transactions', WHOLE_FILE], world, async (child) => {
      while (filesOf(world).every((name) => !name.endsWith('.sqlite-unfinished'))) await pause(1);
      child.kill('SIGKILL');
    });
    expect(killed.signal).toBe('SIGKILL');
    expect(await ledgerOf(url)).toEqual([]);
    expect((await wordsTypedHere(['runs'], world)).printed).toMatch(/-push-transactions +died\n/);
    const again = await wordsTypedHere(['resume'], world);
    expect(again).toMatchObject({ exitCode: 0 });
  });
});

describe('a server that is killed and started again', () => {
  test('costs the client only time', async () => {
    const expected = ofKind(await undisturbedContent(), 'transactions');
    const cwd = folderWithFiles();
    const database = join(cwd, 'platform.sqlite');
    const platform = await startPlatform(database, cwd, 0);
    running = platform;
    const env = { DATAIMPORT_BASE_URL: platform.url, DATAIMPORT_API_KEY: platform.apiKey };
    const pushed = await dataimportWith(
      ['push', 'transactions', 'transactions.csv', ...SMALL_BATCHES],
      { cwd, env },
      async () => {
        await platform.untilStored(40);
        await platform.crash();
        running = await startPlatform(database, cwd, platform.port);
      },
    );
    expect(pushed.exitCode, pushed.stderr).toBe(0);
    expect(pushed.stdout).toMatch(/120 rows read: 120 arrived(?: \(\d+ there already\))?\n/);
    expect(contentOf(await ledgerOf(platform.url), GIVEN_INSTANTS)).toEqual(expected);
  });
});

function ofKind(content: Content, resource: Resource): Content {
  const { kind } = DESCRIPTORS[resource];
  return Object.fromEntries(Object.entries(content).filter(([key]) => key.endsWith(` ${kind}`)));
}

const runsOf = ({ cwd }: World): string => join(cwd, '.dataimport', 'journal');

/** The files below the folder of the journals. */
const filesOf = (world: World): readonly string[] =>
  existsSync(runsOf(world)) ? readdirSync(runsOf(world), { recursive: true, encoding: 'utf8' }) : [];

/** The only journal of a folder, as the checker of the examples sees it with the report of `runs show`. */
async function checkedChain(world: World, source: string): Promise<string> {
  const name = filesOf(world).find((each) => each.endsWith('.sqlite'))!;
  const { stdout } = await wordsTypedHere(['runs', 'show', '--json'], world);
  writeFileSync(join(world.cwd, 'report.json'), stdout);
  const checker = join(projectRoot, 'examples', 'verify-chain.mjs');
  const args = ['--journal', join(runsOf(world), name), '--report', 'report.json', '--source', source];
  return (await execa(process.execPath, [checker, ...args], { cwd: world.cwd, reject: false })).stdout;
}

function folderWithFiles(): string {
  const cwd = temporaryFolder();
  for (const resource of SENT) firstRows(resource, ROWS[resource], cwd);
  return cwd;
}

/** A platform in this process, which outlives the clients that are killed. */
async function platformBeside() {
  const platform = await platformHere(['--seed', SEED, ...SLOW], folderWithFiles());
  onTestFinished(async () => void (await platform.stop()));
  return platform;
}

/** Slow answers, so that few rows are enough for a kill in the middle. */
const SLOW = ['--fault', 'any after-commit delay=10'];

function startPlatform(database: string, cwd: string, port: number): Promise<Platform> {
  const place = ['--port', String(port), '--db', database, '--seed', SEED];
  return serve([...place, ...SLOW], { cwd });
}
