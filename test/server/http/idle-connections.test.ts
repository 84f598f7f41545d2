import { expect, test } from 'vitest';
import { rawConnection } from '../../support/server-raw-http.ts';
import { startPlatform } from '../../support/server-platform.ts';

const REQUEST = 'GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n';

test('a crowded server closes the connection that has been idle for longest, so that a new one finds a place', async () => {
  const faults = { rules: ['lists accept stall'] };
  const { port, traffic } = await startPlatform({ faults, http: { maxConnections: 8 } });
  const list = REQUEST.replace('/nowhere', '/v1/data-import/all-account-import-processes/ACME/');
  const busy = rawConnection(port, list);
  await expect.poll(() => traffic().faults).toBe(1);
  const closed: number[] = [];
  for (let index = 0; index < 12; index++) {
    const idle = rawConnection(port, REQUEST);
    void idle.ended.then(() => closed.push(index));
    await expect.poll(() => idle.received()).toMatch(/^HTTP\/1\.1 404 /);
  }
  await expect.poll(() => closed).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(busy.received()).toBe('');
});
