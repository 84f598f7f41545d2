import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tokenTrials, tokenUse, type TokenUse } from '../../../src/cli/client/token-trials.ts';
import type { PlatformAnswer } from '../../../src/cli/push/ports/platform.ts';
import { NOW_MS, openPlatform } from '../../support/http-client.ts';
import { jwtUntil } from '../../support/scripted-server.ts';

const KEY = { kind: 'key', apiKey: async () => 'the-key' } as const;
const POST = { method: 'POST', path: '/v1/x/', body: '{}' } as const;
const WORKERS = 8;

describe('new tokens in a row that were refused', () => {
  /** Trials of some tokens with the same text. `use` sends one request with a token. */
  function trialsOf() {
    const trials = tokenTrials();
    const obtained = Array.from({ length: 5 }, () => ({ token: 'the same' }));
    const end = (index: number, how: TokenUse): void => trials.end(obtained[index]!, how);
    const begin = (...indexes: readonly number[]): void => {
      for (const index of indexes) trials.begin(obtained[index]!);
    };
    const use = (index: number, ...hows: readonly TokenUse[]): void => {
      for (const how of hows) {
        begin(index);
        end(index, how);
      }
    };
    return {
      begin,
      end,
      use,
      isRefused: (index: number) => trials.isRefused(obtained[index]!),
      trials,
    };
  }

  test('are counted once each, however many requests had them', () => {
    const { use, trials } = trialsOf();
    use(0, 'refused', 'refused', 'refused', 'refused');
    expect(trials.refusedInARow()).toBe(1);
    use(1, 'refused');
    use(2, 'refused', 'refused');
    expect(trials.refusedInARow()).toBe(3);
  });

  test('begin again with an accepted token, which may then run out', async () => {
    const { use, isRefused, trials } = trialsOf();
    use(0, 'refused');
    use(1, 'refused');
    use(2, 'accepted', 'refused', 'refused');
    expect([trials.refusedInARow(), await isRefused(2)]).toEqual([0, false]);
    use(3, 'refused');
    expect([trials.refusedInARow(), await isRefused(3)]).toEqual([1, true]);
  });

  test.each([
    ['accepted', false],
    ['refused', true],
  ] as const)(
    'count a token once its last request has ended, because that may be accepted: it is %s',
    async (last, expected) => {
      const { begin, end, isRefused, trials } = trialsOf();
      begin(0, 0, 0);
      end(0, 'refused');
      end(0, 'refused');
      const known = isRefused(0);
      expect(trials.refusedInARow()).toBe(0);
      end(0, last);
      expect([await known, trials.refusedInARow()]).toEqual([expected, Number(expected)]);
    },
  );

  test('leave the next one to one request at a time', () => {
    const { begin, end, use, trials } = trialsOf();
    use(0, 'refused');
    begin(1);
    expect(trials.begin({ token: 'another' })).toBe(false);
    end(1, 'accepted');
    expect(trials.begin({ token: 'another' })).toBe(true);
  });

  test('go on when a request with an earlier token is accepted late', () => {
    const { begin, end, use, trials } = trialsOf();
    begin(0);
    use(1, 'refused');
    use(2, 'refused');
    end(0, 'accepted');
    expect(trials.refusedInARow()).toBe(2);
  });

  test('neither count a token that may have expired, nor end at it', async () => {
    const { use, isRefused, trials } = trialsOf();
    use(0, 'refused');
    use(1, 'unclear', 'refused');
    expect([trials.refusedInARow(), await isRefused(1)]).toEqual([1, false]);
    use(2, 'refused');
    expect(trials.refusedInARow()).toBe(2);
  });
});

describe('a request says about its token', () => {
  const endingIn = (seconds: number) => ({ token: jwtUntil(NOW_MS / 1_000 + seconds) });
  const answer = (status: number) => ({ kind: 'answer', status, headers: {}, body: '' }) as const;

  test.each<readonly [TokenUse, string, PlatformAnswer | undefined, number]>([
    ['accepted', 'a success', answer(201), 3_600],
    ['accepted', 'a refusal of something else', answer(403), 3_600],
    ['refused', 'a 401', answer(401), 3_600],
    ['refused', 'a 401 before the token ends', answer(401), 2],
    ['unclear', 'a 401 as the token ends', answer(401), 1],
    ['unclear', 'a 401 after it has ended', answer(401), -1],
    ['refused', 'a 401 although the token has ended for minutes, by a clock that is wrong', answer(401), -60],
    ['unclear', 'an overloaded platform', answer(503), 3_600],
    ['unclear', 'a lost answer', { kind: 'lost', reason: 'reset' }, 3_600],
    ['unclear', 'an error', undefined, 3_600],
  ])('%s: %s', (use, _, ended, seconds) => {
    expect(tokenUse(endingIn(seconds), ended, NOW_MS)).toBe(use);
  });

  test('refused: a 401 for a token that does not say when it ends', () => {
    expect(tokenUse({ token: 'opaque' }, answer(401), NOW_MS)).toBe('refused');
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

  test('whose tokens are never accepted try three of them', async () => {
    const { platform, counts } = await platformWithTokensFor(0);
    for (const tokens of [1, 2]) {
      const answers = await burst(platform);
      expect(answers.every((answer) => 'refusedTokens' in answer)).toBe(true);
      expect(counts).toMatchObject({ tokens });
    }
    await expect(burst(platform)).rejects.toMatchObject({ code: 'credentials_new_tokens_refused' });
    // All of them had the first token.
    expect(counts).toEqual({ tokens: 3, refused: WORKERS + 2, applied: 0 });
  });

  test('whose tokens last for a moment continue for ever', async () => {
    let ended = 0;
    const { platform, counts } = await platformThat((token) => Number(token.replace('token-', '')) > ended);
    for (let round = 1; round <= 20; round++) {
      const answers = await burst(platform);
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: WORKERS }, () => 201));
      ended = counts.tokens;
    }
    expect(counts.tokens).toBe(20);
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
