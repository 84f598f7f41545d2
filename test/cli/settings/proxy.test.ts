import { describe, expect, test } from 'vitest';
import { proxiesTo } from '../../../src/cli/settings/proxy.ts';

const PLATFORM = 'https://platform.example';

describe('the proxies on the way to the platform', () => {
  test.each([
    [{}, undefined],
    [{ NO_PROXY: 'x' }, undefined],
    [{ HTTPS_PROXY: '' }, undefined],
    // An empty variable means no proxy, and the lower case comes first.
    [{ https_proxy: '', HTTPS_PROXY: 'http://p:3128' }, undefined],
    [{ HTTPS_PROXY: 'http://p:3128' }, { httpProxy: '', httpsProxy: 'http://p:3128/', noProxy: '' }],
    [{ https_proxy: 'https://p' }, { httpProxy: '', httpsProxy: 'https://p/', noProxy: '' }],
    [
      { http_proxy: 'p:3128', no_proxy: ' a, b ' },
      { httpProxy: 'http://p:3128/', httpsProxy: '', noProxy: 'a, b' },
    ],
    [{ HTTPS_PROXY: ' http://p ' }, { httpProxy: '', httpsProxy: 'http://p/', noProxy: '' }],
  ])('of %j are %j', (env, expected) => {
    expect(proxiesTo(PLATFORM, env)).toEqual(expected);
  });

  test.each(['http://127.0.0.1:4010', 'http://localhost:4010', 'http://[::1]:4010', 'https://localhost'])(
    'are none when that is %s',
    (url) => {
      // Any other address uses the same proxies.
      const env = { HTTP_PROXY: 'http://p:3128', HTTPS_PROXY: 'http://p:3128' };
      expect(proxiesTo(url, env)).toBeUndefined();
      expect(proxiesTo(PLATFORM, env)).toBeDefined();
    },
  );
});

test.each([
  'socks5://jo:s3cr3t@p:1080',
  'http://jo:s3cr3t@p:99999',
  'http://jo:s3cr3t @p',
  'http://',
  'http://jo:s3cr3t%zz@p',
])('HTTPS_PROXY=%s is refused without being shown', (value) => {
  const attempt = (): unknown => proxiesTo(PLATFORM, { HTTPS_PROXY: value });
  expect(attempt).toThrow('the setting of the proxy (HTTPS_PROXY) is wrong: it is no address of a proxy');
  expect(attempt).not.toThrow(/s3cr3t/);
});
