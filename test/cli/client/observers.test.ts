import { describe, expect, test } from 'vitest';
import type { PlatformOptions } from '../../../src/cli/client/http-platform.ts';
import { AppError } from '../../../src/core/app-error.ts';
import { openPlatform } from '../../support/http-client.ts';
import { scriptedPlatform } from '../../support/scripted-server.ts';

const REQUEST = { method: 'POST', path: '/v1/x/', body: '{}' } as const;

const fail = (): never => {
  throw new AppError('file_not_writable', { file: 'log', reason: 'no space is left' });
};

/** Each place at which something watches a request, with a failure there. */
const FAILING: Readonly<Record<string, Partial<PlatformOptions>>> = {
  'the log of requests fails': { record: fail },
  'the recording fails before the request leaves': { leaving: fail },
  'the recording fails after the answer': { leaving: () => fail },
};

describe('an answer is believed', () => {
  test.each(Object.entries(FAILING))('although %s', async (_, observers) => {
    const answers = [1, 2].map((n) => ({ expects: 'POST /v1/x/', status: 201, body: { n } }));
    const { url } = await scriptedPlatform(answers);
    const failures: unknown[] = [];
    const { platform } = openPlatform(
      url,
      { kind: 'token', token: 'a-token' },
      { ...observers, onUnobserved: (error) => void failures.push(error) },
    );
    for (const n of [1, 2])
      expect(await platform.send(REQUEST)).toMatchObject({
        kind: 'answer',
        status: 201,
        body: `{"n":${n}}`,
      });
    expect(failures).toHaveLength(1);
  });

  test('that no connection was opened, although the log of requests fails', async () => {
    const { platform } = openPlatform(
      'http://127.0.0.1:1',
      { kind: 'token', token: 'a-token' },
      { record: fail, onUnobserved: () => {} },
    );
    expect(await platform.send(REQUEST)).toMatchObject({ kind: 'not_sent' });
  });
});
