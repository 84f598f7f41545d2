import { expect, test } from 'vitest';
import { latencyMs, latencyOf } from '../../../src/server/faults/latency.ts';
import { latencyProfile } from '../../../src/server/options/latency-profile.ts';
import { faultyPlatform, POSTS } from '../../support/server-faults.ts';
import { startPlatform } from '../../support/server-platform.ts';

test.each([
  ['20ms', { kind: 'fixed', ms: 20 }],
  ['2s', { kind: 'fixed', ms: 2_000 }],
  ['normal:50ms±10ms', { kind: 'normal', ms: 50, deviationMs: 10 }],
  ['normal:1s+-10ms', { kind: 'normal', ms: 1_000, deviationMs: 10 }],
  ['long-tail:20ms', { kind: 'long-tail', ms: 20 }],
  ['degrading:20ms+2ms', { kind: 'degrading', ms: 20, eachMs: 2 }],
])('the profile %s', (text, profile) => {
  expect(latencyProfile(text)).toEqual(profile);
});

test.each(['', '20', '20 ms', '-1ms', '1.5ms', 'normal:50ms', 'tail:20ms', 'degrading:20ms±2ms', '601s'])(
  'the server does not start with the profile %j',
  async (latency) => {
    await expect(startPlatform({ latency })).rejects.toMatchObject({ code: 'setting_invalid' });
  },
);

/** The waits of 10,000 different requests, shortest first. */
async function waitsOf(text: string, seed = 0): Promise<readonly number[]> {
  const waits: number[] = [];
  const wait = async (waitMs: number) => void waits.push(waitMs);
  const latency = latencyOf(latencyProfile(text)!, { seed, wait });
  for (let index = 0; index < 10_000; index++)
    await latency.enter({ method: 'POST', target: `/${index}`, body: undefined })();
  return waits.toSorted((a, b) => a - b);
}

test('a normal latency has its mean and its deviation', async () => {
  const waits = await waitsOf('normal:500ms±50ms');
  const mean = waits.reduce((sum, each) => sum + each, 0) / waits.length;
  const variance = waits.reduce((sum, each) => sum + (each - mean) ** 2, 0) / waits.length;
  expect(mean).toBeCloseTo(500, -1);
  expect(Math.sqrt(variance)).toBeCloseTo(50, -1);
});

test('a latency with a long tail has its median, and one answer in a hundred is far later', async () => {
  const waits = await waitsOf('long-tail:200ms');
  expect(waits[5_000]).toBeCloseTo(200, -1);
  expect(waits[9_900]).toBeGreaterThan(2_000);
  expect(waits.at(-1)).toBeLessThanOrEqual(20_000);
});

test('a latency is the same in every run, and another with another seed', async () => {
  const first = await waitsOf('long-tail:200ms');
  expect(await waitsOf('long-tail:200ms')).toEqual(first);
  expect(await waitsOf('long-tail:200ms', 1)).not.toEqual(first);
});

test('a request that is sent again may wait for another time', async () => {
  const waits: number[] = [];
  const wait = async (waitMs: number) => void waits.push(waitMs);
  const latency = latencyOf(latencyProfile('long-tail:200ms')!, { seed: 0, wait });
  for (let attempt = 0; attempt < 20; attempt++)
    await latency.enter({ method: 'POST', target: '/', body: Buffer.from('{}') })();
  expect(new Set(waits).size).toBeGreaterThan(10);
});

test('a degrading latency grows with the other requests in flight', async () => {
  const waits: number[] = [];
  const wait = async (waitMs: number) => void waits.push(waitMs);
  const latency = latencyOf(latencyProfile('degrading:20ms+2ms')!, { seed: 0, wait });
  const request = { method: 'POST', target: '/', body: undefined };
  const leave = [latency.enter(request), latency.enter(request), latency.enter(request)];
  for (const each of leave) await each();
  expect(waits).toEqual([24, 22, 20]);
});

test('a recorded latency is one of those of the endpoint, by chance', () => {
  const profile = { kind: 'recorded', ms: 0, times: { notes: [10, 20, 300] } } as const;
  const at = (share: number, endpoint: string) =>
    latencyMs(profile, { chance: () => share, others: 0, endpoint });
  expect([0, 0.5, 0.99].map((share) => at(share, 'notes'))).toEqual([10, 20, 300]);
  expect(at(0.5, 'status')).toBe(0);
});

test('a normal latency is never negative', () => {
  const profile = latencyProfile('normal:1ms±500ms')!;
  expect(latencyMs(profile, { chance: (roll) => [0.99, 0.5][roll]!, others: 0 })).toBe(0);
});

test('answers of the interface and refusals are late, and answers of the admin API are not', async () => {
  const platform = await faultyPlatform([], { latency: '20ms' });
  const { endpoint, payload } = POSTS.notes;
  expect((await platform.post(endpoint, payload)).status).toBe(201);
  expect((await platform.post(endpoint, { notes: [] })).status).toBe(400);
  expect(platform.waits).toEqual([20, 20, 20, 20]);
  await platform.ledger();
  expect(platform.waits).toHaveLength(4);
});
