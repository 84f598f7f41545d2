import { expect, test } from 'vitest';
import { obtainToken, startPlatform } from '../../support/server-platform.ts';

test('a limit of a recorded platform holds for its endpoints alone, tokens among them, until its time is over', async () => {
  const limit = { endpoints: ['token'], requests: 2, withinMs: 60_000, retryAfterS: 5 };
  const platform = await startPlatform({ pace: { latenciesMs: {}, limits: [limit] } });
  const ask = async (): Promise<string> => {
    const { status, headers } = await obtainToken(platform.request, { APIKey: 'all-key' });
    return `${status} ${headers.get('retry-after')}`;
  };
  const authorization = `Token ${await platform.token()}`;
  expect([await ask(), await ask(), await ask()]).toEqual(['200 null', '429 5', '429 5']);
  const path = '/v1/data-import/account-transfer-status/ACME/1001/';
  expect((await platform.request('GET', path, { headers: { authorization } })).status).toBe(200);
  platform.clock.nowMs += 60_000;
  expect(await ask()).toBe('200 null');
});
