import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { proxiesTo } from '../../../src/cli/settings/proxy.ts';
import { openPlatform } from '../../support/http-client.ts';
import {
  AUTHORITY_FILE,
  tlsServer,
  tunnelProxy,
  type InPlaceOfTunnel,
} from '../../support/platform-behind-tls.ts';

const TOKEN = { kind: 'token', token: 'given-token' } as const;
const POST = { method: 'POST', path: '/v1/x/', body: '{"notes":[]}' } as const;
const PLATFORM = 'https://platform.example:8443';
const ca = readFileSync(AUTHORITY_FILE, 'latin1');

/** A platform behind a proxy of the environment. `PORT` in `env` is replaced by the port of the proxy. */
async function behindProxy(env: Record<string, string>, instead?: InPlaceOfTunnel) {
  const bodies: string[] = [];
  const port = await tlsServer('platform', (request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
    request.on('end', () => response.end('{}'));
  });
  const proxy = await tunnelProxy(port, instead);
  const named = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.replace('PORT', String(proxy.port))]),
  );
  const proxies = proxiesTo(PLATFORM, named);
  const { platform, records } = openPlatform(PLATFORM, TOKEN, {
    ca,
    timeoutMs: 2_000,
    ...(proxies ? { proxy: proxies } : {}),
  });
  return { platform, records, proxy, bodies };
}

describe('the platform is reached through', () => {
  test.each([
    ['HTTPS_PROXY', { HTTPS_PROXY: 'http://127.0.0.1:PORT' }],
    [
      'https_proxy, which has precedence',
      { https_proxy: 'http://127.0.0.1:PORT', HTTPS_PROXY: 'http://127.0.0.1:1' },
    ],
    ['HTTP_PROXY, when HTTPS_PROXY is missing', { HTTP_PROXY: 'http://127.0.0.1:PORT' }],
    ['a proxy whose address has no http://', { HTTPS_PROXY: '127.0.0.1:PORT' }],
    ['a proxy when NO_PROXY names other hosts', { HTTPS_PROXY: '127.0.0.1:PORT', NO_PROXY: 'other.example' }],
  ])('%s', async (_, env) => {
    const { platform, proxy, bodies } = await behindProxy(env);
    expect(await platform.send(POST)).toMatchObject({ kind: 'answer', status: 200 });
    expect(proxy.asked).toEqual(['CONNECT platform.example:8443']);
    expect(bodies).toEqual([POST.body]);
  });

  test('a proxy with a user name and password, which only the proxy receives', async () => {
    const { platform, proxy, records } = await behindProxy({
      HTTPS_PROXY: 'http://jo:p%40ss@127.0.0.1:PORT',
    });
    await platform.send(POST);
    expect(proxy.credentials).toEqual([`Basic ${Buffer.from('jo:p@ss').toString('base64')}`]);
    expect(JSON.stringify(records)).not.toMatch(/jo|p%40ss|p@ss/);
  });
});

test.each([['platform.example'], ['.example'], ['*'], ['other.example, platform.example:8443']])(
  'NO_PROXY=%s bypasses the proxy',
  async (NO_PROXY) => {
    const { platform, proxy } = await behindProxy({ HTTPS_PROXY: 'http://127.0.0.1:PORT', NO_PROXY });
    // No DNS server knows the platform of this test, so a direct connection fails.
    expect(await platform.send(POST)).toMatchObject({ kind: 'not_sent' });
    expect(proxy.asked).toEqual([]);
  },
);

describe('a failure at the proxy is reported as one of the proxy, and nothing was sent', () => {
  const page = '<html><h1>Acme Web Gateway: jo@acme.example is blocked</h1></html>';
  const answering =
    (head: string): InPlaceOfTunnel =>
    (client) =>
      void client.end(
        `HTTP/1.1 ${head}\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`,
      );

  test.each(['502 Bad Gateway', '403 Forbidden', '302 Found', '503 Service Unavailable'])(
    '%s',
    async (head) => {
      const { platform, proxy } = await behindProxy({ HTTPS_PROXY: '127.0.0.1:PORT' }, answering(head));
      expect(await platform.send(POST)).toEqual({
        kind: 'not_sent',
        reason: `the proxy http://127.0.0.1:${proxy.port} answered with status ${head.slice(0, 3)}`,
      });
    },
  );

  test('407 is an error of credentials, because waiting does not help', async () => {
    const { platform, proxy } = await behindProxy(
      { HTTPS_PROXY: 'http://jo:wrong@127.0.0.1:PORT' },
      answering('407 Proxy Authentication Required'),
    );
    await expect(platform.send(POST)).rejects.toMatchObject({
      code: 'credentials_gateway_refused',
      facts: { reason: expect.stringContaining(`http://127.0.0.1:${proxy.port} wants`) as unknown },
    });
  });

  test('a connection that the proxy closes', async () => {
    const { platform, proxy } = await behindProxy(
      { HTTPS_PROXY: '127.0.0.1:PORT' },
      (client) => void client.end(),
    );
    expect(await platform.send(POST)).toMatchObject({
      kind: 'not_sent',
      reason: expect.stringContaining(
        `the proxy http://127.0.0.1:${proxy.port}: the connection was closed`,
      ) as string,
    });
  });
});
