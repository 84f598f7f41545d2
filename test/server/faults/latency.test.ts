import { expect, test } from 'vitest';
import { faultyPlatform, POSTS } from '../../support/server-faults.ts';
import { startPlatform } from '../../support/server-platform.ts';

test.each([-1, 1.5, 2 ** 31, '20ms'])('the server does not start with a latency of %j', async (latencyMs) => {
  await expect(startPlatform({ latencyMs: latencyMs as number })).rejects.toMatchObject({
    code: 'setting_invalid',
  });
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
