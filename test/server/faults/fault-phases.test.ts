import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Refusal } from '../../../src/server/http/answer.ts';
import { charge, startPlatform } from '../../support/server-platform.ts';
import { faultyPlatform, POST_NAMES, postBytes, POSTS, type PostName } from '../../support/server-faults.ts';
import { rawConnection } from '../../support/server-raw-http.ts';
import { transactions } from '../../support/server-transactions.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PHASES = ['accept', 'before-commit', 'after-commit'] as const;

/** The resources whose POST has three records. */
const OF_THREE = ['notes', 'transactions', 'statements'] as const;

/** The status that a client gets, or `lost` without an answer. */
async function outcome(platform: Awaited<ReturnType<typeof faultyPlatform>>, name: PostName) {
  const { endpoint, payload } = POSTS[name];
  const answer = await platform.post(endpoint, payload).catch(() => undefined);
  return answer?.status ?? 'lost';
}

/** The end of a POST of each resource, and the number of records that it has stored. Each meets a rule of its own. */
async function outcomes(names: readonly PostName[], fault: string) {
  const platform = await faultyPlatform(names.map((name) => `${name} ${fault} times=1`));
  const ends = [];
  let before = 0;
  for (const name of names) {
    const end = await outcome(platform, name);
    const { length } = await platform.ledger();
    ends.push({ name, fault, end, stored: length - before });
    before = length;
  }
  return { ends, waits: platform.waits };
}

test.each([
  ['status=500', 500],
  ['status=503 html', 503],
  ['status=202 empty', 202],
  ['html', 200],
  ['reset', 'lost'],
  ['reset account=1001', 'lost'],
])('with %s: all records are stored after the commit, and none before', async (fault, end) => {
  for (const when of PHASES) {
    const { ends } = await outcomes(POST_NAMES, `${when} ${fault}`);
    const stored = (name: PostName): number => (when === 'after-commit' ? POSTS[name].records : 0);
    expect(ends).toEqual(
      POST_NAMES.map((name) => ({ name, fault: `${when} ${fault}`, end, stored: stored(name) })),
    );
  }
});

test.each(PHASES)('delayed at %s, a request is stored once and answered after the wait', async (when) => {
  const { ends, waits } = await outcomes(POST_NAMES, `${when} delay=30000`);
  expect(ends.map(({ end, stored }) => [end, stored])).toEqual(
    POST_NAMES.map((name) => [201, POSTS[name].records]),
  );
  expect(waits).toEqual(POST_NAMES.map(() => 30_000));
});

test('a rule before the commit of a POST leaves the answer to a GET as it is, also while another program writes', async () => {
  const database = join(temporaryFolder(), 'platform.sqlite');
  const platform = await faultyPlatform(['transactions before-commit failing nth=5'], { database });
  const other = new BetterSqlite(database);
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  const headers = { authorization: `Token ${await platform.token()}` };
  const list = '/v1/data-import/all-account-import-processes/ACME/';
  expect((await platform.request('GET', list, { headers })).status).toBe(200);
  expect(platform.unexpected).toEqual([]);
});

test.each([
  ['accept', 0, 'status=500; reset bytes=10; reset p=1; html account=1001; expire-tokens p=1; expire-tokens'],
  ['before-commit', 0, 'status=500; reset; empty'],
  ['before-commit', 2, 'prefix=2'],
  ['before-commit', 3, 'delay=5; prefix=3; prefix=4'],
  [
    'after-commit',
    3,
    'reset; reset bytes=10; truncate=3; truncate=3 close; missing; doubled; reordered; extra',
  ],
  ['after-commit', 3, 'delay=5; status=400; swapped'],
  ['accept', 3, 'twice; delay=5'],
])('every fault at %s leaves %i of 3 records', async (when, stored, faults) => {
  for (const fault of faults.split('; ')) {
    const { ends } = await outcomes(OF_THREE, `${when} ${fault}`);
    expect(ends).toEqual(ends.map((end) => ({ ...end, stored })));
  }
});

test.each(['accept', 'before-commit'])(
  'a request that was delayed at %s is stored although its client has given up',
  async (when) => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const { promise: isWaiting, resolve: begin } = Promise.withResolvers<void>();
    const sleep = () => (begin(), isOver);
    const platform = await startPlatform({ faults: { rules: [`notes ${when} delay=30000`] }, sleep });
    const giveUp = new AbortController();
    const sent = fetch(`${platform.url}/v1/data-import/notes/create/`, {
      method: 'POST',
      signal: giveUp.signal,
      headers: { authorization: `Token ${await platform.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify(POSTS.notes.payload),
    });
    await isWaiting;
    giveUp.abort();
    await expect(sent).rejects.toThrow();
    expect(await platform.ledger()).toHaveLength(0);
    end();
    await expect.poll(async () => (await platform.ledger()).length).toBe(3);
  },
);

test('a late request is lost for its client and stored after the wait', async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const faults = { rules: ['notes accept late=30000 times=1'] };
  const platform = await startPlatform({ faults, sleep: () => isOver });
  await expect(platform.post('createNotes', POSTS.notes.payload)).rejects.toThrow();
  expect(await platform.ledger()).toHaveLength(0);
  end();
  await expect.poll(async () => (await platform.ledger()).length).toBe(3);
});

test('a request that is delivered twice gets the second answer', async () => {
  const platform = await faultyPlatform(['transactions accept twice times=1']);
  const answer = await platform.post('createTransactions', transactions(charge()));
  expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('TRANSACTION_ALREADY_EXISTS')]);
  expect(await platform.ledger()).toHaveLength(1);
});

test.each(['before-commit', 'after-commit'])('a refused request does not reach %s', async (when) => {
  const rule = `transactions ${when} reset nth=1`;
  const platform = await faultyPlatform([rule], { behaviour: ['tx-400=prefix'] });
  const [good, bad] = [charge(), charge({ transaction_id: 'b', amount: -1, type: 'PAYMENT' })];
  for (const [kept, ...sent] of [
    [0, charge({ amount: 'x' })],
    [1, good, bad],
  ] as const) {
    const answer = await platform.post('createTransactions', transactions(...sent));
    expect(answer.status).toBe(400);
    expect(await platform.ledger()).toHaveLength(kept);
  }
  expect(platform.faults.unused()).toEqual([rule]);
  expect(platform.unexpected).toEqual([]);
});

describe('a prefix', () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [9, 3],
  ])('of %i records is stored, then the answer is 500', async (count, stored) => {
    const { ends } = await outcomes(OF_THREE, `before-commit prefix=${count}`);
    expect(ends).toEqual(ends.map((end) => ({ ...end, end: 500, stored })));
  });
});

describe('a record that fails in a 201', () => {
  const failing = async (name: 'notes' | 'transactions', when: string) => {
    const platform = await faultyPlatform([`${name} ${when} failing`]);
    const { body } = await platform.post(POSTS[name].endpoint, POSTS[name].payload);
    const results = (body.results ?? body) as { status: string }[];
    return { statuses: results.map(({ status }) => status), stored: (await platform.ledger()).length };
  };

  test('is not stored when the fault happens before the commit', async () => {
    expect(await failing('transactions', 'before-commit')).toEqual({
      statuses: ['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_IMPORT_ERROR'],
      stored: 2,
    });
    expect((await failing('notes', 'before-commit')).stored).toBe(2);
  });

  test('is stored when the fault happens after the commit', async () => {
    const { statuses, stored } = await failing('notes', 'after-commit');
    expect(statuses).toEqual(['NOTE_CREATION_SUCCESS', 'NOTE_CREATION_SUCCESS', 'NOTE_CREATION_ERROR']);
    expect(stored).toBe(3);
  });
});

test('a crash happens inside the transaction, so that uncommitted records are lost', async () => {
  for (const [when, stored] of [
    ['accept', 0],
    ['before-commit', 0],
    ['after-commit', 3],
  ] as const) {
    let crashes = 0;
    // The end of the process is played by an error, so that no later step runs.
    const crash = () => {
      crashes += 1;
      throw new Refusal({ status: 599, body: {} });
    };
    const platform = await startPlatform({ faults: { rules: [`notes ${when} crash`] }, crash });
    const answer = await platform.post('createNotes', POSTS.notes.payload);
    expect({ when, crashes, status: answer.status }).toEqual({ when, crashes: 1, status: 599 });
    expect(await platform.ledger()).toHaveLength(stored);
  }
});

test.each(PHASES)(
  'a stall at %s answers nothing and does not keep the server from stopping',
  async (when) => {
    const platform = await faultyPlatform([`notes ${when} stall`], { http: { stopMs: STOP_MS } });
    const connection = rawConnection(platform.port, await postBytes(platform, 'notes'));
    await expect.poll(() => platform.faults.unused()).toEqual([]);
    expect(await platform.ledger()).toHaveLength(when === 'after-commit' ? 3 : 0);
    expect(connection.received()).toBe('');
    await stopped(platform);
    expect(['closed', 'reset']).toContain(await connection.ended);
    expect(connection.received()).toBe('');
  },
);

/** The most that stopping takes, in milliseconds. A server that waits so long waits for a connection that it should have closed. */
const STOP_MS = 15_000;

async function stopped(platform: { close(): Promise<void> }): Promise<void> {
  const startedMs = performance.now();
  await platform.close();
  expect(performance.now() - startedMs).toBeLessThan(STOP_MS);
}

test.each(['before-commit', 'after-commit'])(
  'a stall at %s that begins while the server stops does not keep it from stopping',
  async (when) => {
    const rules = ['notes accept delay=60000', `notes ${when} stall`];
    const platform = await startPlatform({ faults: { rules }, http: { stopMs: STOP_MS } });
    const connection = rawConnection(platform.port, await postBytes(platform, 'notes'));
    await expect.poll(() => platform.faults.unused()).toHaveLength(1);
    await stopped(platform);
    expect(['closed', 'reset']).toContain(await connection.ended);
    expect([connection.received(), platform.faults.unused()]).toEqual(['', []]);
  },
);

test.each(PHASES)(
  'a request delayed at %s is carried out and answered when the server stops',
  async (when) => {
    const database = join(temporaryFolder(), 'serve.sqlite');
    const rules = [`notes ${when} delay=60000`];
    const platform = await startPlatform({ database, faults: { rules } });
    const connection = rawConnection(platform.port, await postBytes(platform, 'notes'));
    await expect.poll(() => platform.faults.unused()).toEqual([]);
    await platform.close();
    expect(await connection.ended).toBe('closed');
    expect(connection.received()).toMatch(/^HTTP\/1\.1 201 /);
    expect(await (await startPlatform({ database })).ledger()).toHaveLength(3);
  },
);
