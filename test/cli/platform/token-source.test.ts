import { describe, expect, test } from 'vitest';
import type { TokenResult } from '../../../src/cli/platform/token-answer.ts';
import { givenToken, renewedTokens } from '../../../src/cli/platform/token-source.ts';
import { jwtUntil } from '../../support/cli-scripted-platform.ts';

const START_MS = 1_795_000_000_000;

/** A source of tokens from a list of results, with a clock that the test sets. */
function source(results: readonly (TokenResult | Error)[]) {
  const clock = { ms: START_MS };
  let asked = 0;
  const obtain = async (): Promise<TokenResult> => {
    const result = results[asked++];
    if (result === undefined) throw new Error('a token was asked for that the test does not expect');
    if (result instanceof Error) throw result;
    return result;
  };
  return { tokens: renewedTokens(obtain, { nowMs: () => clock.ms }), clock, asked: () => asked };
}

/** A token that ends so many seconds after the start; `name` keeps two of them apart. */
const token = (seconds: number, name = '') => ({ token: jwtUntil(START_MS / 1_000 + seconds) + name });

test('a token is asked for once and then used', async () => {
  const { tokens, asked } = source([token(3_600)]);
  expect(asked()).toBe(0);
  expect(await tokens.current()).toEqual(token(3_600));
  expect(await tokens.current()).toEqual(token(3_600));
  expect(asked()).toBe(1);
});

test('requests that start together wait for one and the same token', async () => {
  const { tokens, asked } = source([token(3_600)]);
  await Promise.all([tokens.current(), tokens.current(), tokens.current()]);
  expect(asked()).toBe(1);
});

describe('after a 401', () => {
  test('one new token serves every request that was refused', async () => {
    const [old, fresh] = [token(3_600, 'old'), token(3_600, 'fresh')];
    const { tokens, asked } = source([old, fresh]);
    await tokens.current();
    expect(await Promise.all([tokens.insteadOf(old.token), tokens.insteadOf(old.token)])).toEqual([
      fresh,
      fresh,
    ]);
    // This one was under way with the old token while the new one came.
    expect(await tokens.insteadOf(old.token)).toEqual(fresh);
    expect(asked()).toBe(2);
  });

  test('a token that was given ready-made cannot be replaced', async () => {
    expect(await givenToken('t').current()).toEqual({ token: 't' });
    await expect(givenToken('t').insteadOf('t')).rejects.toMatchObject({ code: 'credentials_token_refused' });
  });
});

describe('before its end', () => {
  test('a token is renewed 60 seconds early', async () => {
    const { tokens, clock, asked } = source([token(3_600), token(7_200)]);
    await tokens.current();
    clock.ms = START_MS + 3_539_999;
    expect(await tokens.current()).toEqual(token(3_600));
    clock.ms = START_MS + 3_540_000;
    expect(await tokens.current()).toEqual(token(7_200));
    expect(asked()).toBe(2);
  });

  test('a short-lived one is renewed in the second half of its life, not before every request', async () => {
    const { tokens, clock, asked } = source([token(10), token(20)]);
    await tokens.current();
    clock.ms = START_MS + 4_999;
    await tokens.current();
    expect(asked()).toBe(1);
    clock.ms = START_MS + 5_000;
    expect(await tokens.current()).toEqual(token(20));
  });

  test('the old token goes on when the early renewal fails, until its end', async () => {
    const { tokens, clock } = source([token(3_600), { later: 'no token: 503' }, { later: 'no token: 503' }]);
    await tokens.current();
    clock.ms = START_MS + 3_550_000;
    expect(await tokens.current()).toEqual(token(3_600));
    clock.ms = START_MS + 3_600_000;
    expect(await tokens.current()).toEqual({ later: 'no token: 503' });
  });

  test.each([
    ['does not say when it ends', { token: 'opaque' }],
    ['has ended by this clock, which then is wrong', token(-5)],
  ])('a token that %s is used until it is refused', async (_, odd) => {
    const { tokens, clock, asked } = source([odd]);
    await tokens.current();
    clock.ms += 86_400_000;
    expect(await tokens.current()).toEqual(odd);
    expect(asked()).toBe(1);
  });
});

describe('when there is no token', () => {
  test('the reason is told and the next request asks again', async () => {
    const { tokens } = source([{ later: 'no token: refused' }, token(3_600)]);
    expect(await tokens.current()).toEqual({ later: 'no token: refused' });
    expect(await tokens.current()).toEqual(token(3_600));
  });

  test('a refused key fails every waiting request, and is asked again by the next', async () => {
    const { tokens } = source([new Error('refused'), token(3_600)]);
    const waiting = [tokens.current(), tokens.current()];
    await expect(Promise.all(waiting)).rejects.toThrow('refused');
    expect(await tokens.current()).toEqual(token(3_600));
  });
});
