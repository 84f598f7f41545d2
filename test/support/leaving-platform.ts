import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A platform that answers the first request, which tries a given token, and refuses every connection from then on. */
export async function leavingPlatform(): Promise<{
  /** Address and token for a command line. */
  readonly env: Readonly<Record<'DATAIMPORT_BASE_URL' | 'DATAIMPORT_TOKEN', string>>;
}> {
  const server = createServer((_, response) => {
    // Nothing listens any more before the client has its answer.
    server.close();
    response.writeHead(404, { 'content-type': 'application/json', connection: 'close' });
    response.end('{"detail":"Not found."}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { env: { DATAIMPORT_BASE_URL: `http://127.0.0.1:${port}`, DATAIMPORT_TOKEN: 'given' } };
}
