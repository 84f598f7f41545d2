import { expect, test } from 'vitest';
import type { AppError } from '../../../src/core/app-error.ts';
import { newRedaction } from '../../../src/cli/client/redaction.ts';
import { openPlatform } from '../../support/http-client.ts';
import { scriptedPlatform, tokenAnswer } from '../../support/scripted-server.ts';

const KEY = { kind: 'key', apiKey: async () => 'sk"live\\key' } as const;
const POST = { method: 'POST', path: '/v1/x/', body: '{}' } as const;

test.each([
  ['nothing to hide', 'nothing to hide'],
  ['key sk"live\\key, twice: sk"live\\key', 'key [secret], twice: [secret]'],
  [JSON.stringify({ detail: 'sk"live\\key' }), '{"detail":"[secret]"}'],
  ['a longer one: secret-token-2', 'a longer one: [secret]'],
  ['a short text is no secret: code', 'a short text is no secret: code'],
])('%s becomes %s', (text, expected) => {
  const redaction = newRedaction();
  for (const secret of ['sk"live\\key', 'secret-token', 'secret-token-2', 'code']) redaction.learn(secret);
  expect(redaction.hide(text)).toBe(expected);
});

test.each([400, 401, 403, 404, 500, 503])(
  'the token is removed from an answer with status %d that repeats it',
  async (status) => {
    const { url } = await scriptedPlatform([
      { expects: 'POST /v1/x/', status, body: { detail: 'you sent: Token secret-token' } },
    ]);
    const { platform } = openPlatform(url, { kind: 'token', token: 'secret-token' });
    const answer = await platform.send(POST).catch((error: unknown) => error as AppError);
    expect(JSON.stringify(answer)).not.toContain('secret-token');
  },
);

test('a success is unchanged, because its records are compared with the sent ones', async () => {
  const { url } = await scriptedPlatform([
    { expects: 'POST /v1/x/', status: 201, body: [{ body: 'secret-token' }] },
  ]);
  const { platform } = openPlatform(url, { kind: 'token', token: 'secret-token' });
  expect(await platform.send(POST)).toMatchObject({ body: '[{"body":"secret-token"}]' });
});

test('the key is removed from a refusal that quotes it', async () => {
  const { url } = await scriptedPlatform([
    { expects: 'POST /v1/graphql/', body: { errors: [{ message: 'unknown key sk"live\\key' }] } },
  ]);
  await expect(openPlatform(url, KEY).platform.send(POST)).rejects.toMatchObject({
    facts: { reason: 'unknown key [secret]' },
  });
});

test('a token that contains the key is used unchanged', async () => {
  const { url, received } = await scriptedPlatform([
    tokenAnswer('a-sk"live\\key-b'),
    { expects: 'POST /v1/x/' },
  ]);
  await openPlatform(url, KEY).platform.send(POST);
  expect(received[1]?.headers.authorization).toBe('Token a-sk"live\\key-b');
});
