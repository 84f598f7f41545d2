import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { stoppingOf } from '../../../src/server/http/stopping.ts';
import { HTTP_LIMITS } from '../../../src/server/options/http-limits.ts';
import { rawConnection } from '../../support/server-raw-http.ts';

test('a stop does not wait for a connection whose answer had begun', async () => {
  const rest = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    response.write('begun');
    void rest.promise.then(() => response.end('ended'));
  });
  // An idle connection stays open.
  server.keepAliveTimeout = 0;
  onTestFinished(() => server.closeAllConnections());
  const never = 2 ** 31 - 1;
  const stop = stoppingOf(server, { ...HTTP_LIMITS, stopGraceMs: never, stopTimeoutMs: never });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = rawConnection(port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await expect.poll(connection.received).toContain('begun');
  stop();
  const closed = once(server, 'close');
  server.close();
  rest.resolve();
  expect(await connection.ended).toBe('closed');
  expect(connection.received()).toContain('ended');
  await closed;
});
