import { expect, test } from 'vitest';
import { differencesOf } from '../../../src/cli/parity/differences.ts';

test('the decimals of a number are counted, and one is no decimals', () => {
  const answered = (answer: string) => ({ status: 200, headers: {}, answer });
  const sent = { at: '', method: 'GET', path: '/', body: null, took_ms: 0 } as const;
  const found = differencesOf({ ...sent, ...answered('{"rate":1.5}') }, answered('{"rate":1.25}'), false);
  expect(found).toMatchObject([
    { kind: 'form', recorded: 'a number of 1 decimal', twin: 'a number of 2 decimals' },
  ]);
});
