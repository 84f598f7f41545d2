import { expect, test } from 'vitest';
import { latencyOf } from '../../../src/server/faults/latency.ts';
import { faultyPlatform, POSTS } from '../../support/server-faults.ts';
import { startPlatform } from '../../support/server-platform.ts';

test.each([-1, 1.5, 2 ** 31, '20ms'])('the server does not start with a latency of %j', async (latencyMs) => {
  await expect(startPlatform({ latencyMs: latencyMs as number })).rejects.toMatchObject({
    code: 'setting_invalid',
  });
});

/** The waits of 300 different requests for notes, or of a request that is sent 300 times. */
async function waitsOf(
  times: readonly number[],
  { seed = 0, isOne = false } = {},
): Promise<readonly number[]> {
  const waits: number[] = [];
  const wait = async (waitMs: number) => void waits.push(waitMs);
  const late = latencyOf({ ms: 0, recorded: { notes: times }, seed, wait });
  const request = { method: 'POST', body: undefined, match: { endpoint: 'notes' } };
  for (let index = 0; index < 300; index++) await late({ ...request, target: isOne ? '/' : `/${index}` });
  return waits;
}

test('a recorded latency is one of those of the endpoint, by chance', async () => {
  const waits = await waitsOf([10, 20, 300]);
  expect(waits).toHaveLength(300);
  expect([...new Set(waits)].toSorted((a, b) => a - b)).toEqual([10, 20, 300]);
  expect(new Set(await waitsOf([10, 20, 300], { isOne: true })).size).toBe(3);
});

test('a recorded latency is the same in every run, and another with another seed', async () => {
  const first = await waitsOf([10, 20, 300]);
  expect(await waitsOf([10, 20, 300])).toEqual(first);
  expect(await waitsOf([10, 20, 300], { seed: 1 })).not.toEqual(first);
});

test('an endpoint without a recorded latency answers at once', async () => {
  expect(await waitsOf([])).toEqual([]);
});

test('answers of the interface and refusals are late, and answers of the admin API are not', async () => {
  const platform = await faultyPlatform([], { latencyMs: 20 });
  const { endpoint, payload } = POSTS.notes;
  expect((await platform.post(endpoint, payload)).status).toBe(201);
  expect((await platform.post(endpoint, { notes: [] })).status).toBe(400);
  expect(platform.waits).toEqual([20, 20, 20, 20]);
  await platform.ledger();
  expect(platform.waits).toHaveLength(4);
});
