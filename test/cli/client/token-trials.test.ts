import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tokenTrials } from '../../../src/cli/client/token.ts';
import { openPlatform } from '../../support/http-client.ts';

const KEY = { kind: 'key', apiKey: async () => 'the-key' } as const;
const POST = { method: 'POST', path: '/v1/x/', body: '{}' } as const;
const WORKERS = 8;

describe('a token that was refused', () => {
  test('may have expired when an earlier token of the key was accepted', () => {
    const trials = tokenTrials();
    for (const accepted of [true, false, false]) {
      trials.begin();
      trials.end(accepted);
    }
    expect(trials.mayHaveExpired()).toBe(true);
  });

  test('may have expired while other requests wait for their answers, but not after the last of them', () => {
    const trials = tokenTrials();
    trials.begin();
    trials.begin();
    trials.end(false);
    expect(trials.mayHaveExpired()).toBe(true);
    trials.end(false);
    expect(trials.mayHaveExpired()).toBe(false);
  });
});

/** A platform that accepts or refuses a request by its token. */
async function platformThat(accepts: (token: string) => boolean) {
  const counts = { tokens: 0, refused: 0, applied: 0 };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url === '/v1/graphql/') {
        const token = `token-${++counts.tokens}`;
        return response.end(JSON.stringify({ data: { obtainPlatformToken: { token } } }));
      }
      const isAccepted = accepts(request.headers.authorization!.replace('Token ', ''));
      counts[isAccepted ? 'applied' : 'refused']++;
      response.writeHead(isAccepted ? 201 : 401).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { ...openPlatform(url, KEY, { connections: WORKERS }), url, counts };
}

describe('many workers at once', () => {
  /** A platform whose tokens each expire after a number of requests. */
  function platformWithTokensFor(uses: number) {
    const left = new Map<string, number>();
    return platformThat((token) => {
      const rest = left.get(token) ?? uses;
      left.set(token, rest - 1);
      return rest > 0;
    });
  }

  const burst = (platform: { send(request: typeof POST): Promise<{ kind: string; status?: number }> }) =>
    Promise.all(Array.from({ length: WORKERS }, () => platform.send(POST)));

  test('whose token is refused ask once for the next', async () => {
    const { platform, counts } = await platformWithTokensFor(WORKERS);
    await burst(platform);
    expect(counts).toEqual({ tokens: 1, refused: 0, applied: 8 });
    const answers = await burst(platform);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: WORKERS }, () => 201));
    expect(counts).toEqual({ tokens: 2, refused: 8, applied: 16 });
  });

  test.each([1, 2, 3, 5])('continue although each token serves only %d requests', async (uses) => {
    const { platform, counts } = await platformWithTokensFor(uses);
    let applied = 0;
    while (applied < 100) {
      const answers = await burst(platform);
      // No request is answered that the key is refused. A request without luck was not applied and is sent again.
      expect(answers.filter(({ kind, status }) => kind !== 'not_sent' && status !== 201)).toEqual([]);
      applied += answers.filter(({ status }) => status === 201).length;
    }
    expect(counts.applied).toBe(applied);
  });

  test('whose key is never accepted get the 401 at last', async () => {
    const { platform, counts } = await platformWithTokensFor(0);
    const answers = await burst(platform);
    expect(answers.some(({ kind, status }) => kind === 'answer' && status === 401)).toBe(true);
    expect(counts.applied).toBe(0);
    expect(counts.tokens).toBeLessThanOrEqual(2 * WORKERS);
  });
});

test('single requests are accepted although every second request expires all tokens', async () => {
  let requests = 0;
  const ended = new Set<string>();
  const { platform, url, counts } = await platformThat((token) => {
    if (++requests % 2 === 0) for (let each = 1; each <= counts.tokens; each++) ended.add(`token-${each}`);
    return !ended.has(token);
  });
  expect(await platform.send(POST)).toMatchObject({ status: 201 });
  // A request of another client expires the token. From here on every renewed token expires with its first request.
  await fetch(`${url}${POST.path}`, { ...POST, headers: { authorization: 'Token token-1' } });
  expect(await platform.send(POST)).toMatchObject({ kind: 'not_sent' });
  // A refused request is not sent again, so this one starts with a new token.
  expect(await platform.send(POST)).toMatchObject({ status: 201 });
});

test('a request that is interrupted while waiting for a token is not sent', async () => {
  const { platform } = openPlatform('http://127.0.0.1:1', {
    kind: 'key',
    apiKey: () => new Promise(() => undefined),
  });
  const interrupt = new AbortController();
  const answer = platform.send(POST, interrupt.signal);
  interrupt.abort();
  expect(await answer).toEqual({ kind: 'not_sent', reason: 'interrupted' });
});
