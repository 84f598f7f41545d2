import { expect, test } from 'vitest';
import { differencesOf } from '../../../src/cli/parity/differences.ts';

const answered = (answer: string) => ({ status: 200, headers: {}, answer });
const sent = { at: '', method: 'GET', path: '/', body: null, took_ms: 0 } as const;

test('the decimals of a number are counted, and one is no decimals', () => {
  const found = differencesOf({ ...sent, ...answered('{"rate":1.5}') }, answered('{"rate":1.25}'));
  expect(found).toMatchObject([
    { kind: 'form', recorded: 'a number of 1 decimal', twin: 'a number of 2 decimals' },
  ]);
});

test('values that were both sent are of another record and of its own, and a foreign one is another value', () => {
  const body = '{"notes":[{"reference":"one"},{"reference":"two"}]}';
  const between = (recorded: string, twin: string) =>
    differencesOf(
      { ...sent, body, ...answered(`[{"note":"${recorded}"}]`) },
      answered(`[{"note":"${twin}"}]`),
    ).map(({ kind, at, recorded: ours, twin: theirs }) => [kind, at, ours, theirs]);
  expect(between('two', 'one')).toEqual([['value', '[].note', 'of another record', 'of its record']]);
  expect(between('three', 'one')).toEqual([['value', '[].note', 'another value', 'as sent']]);
  expect(between('one', 'one')).toEqual([]);
});

test('what a token says of itself is not compared, but that it does so is', () => {
  const token = { mutation: 'obtainToken', input_field: 'APIKey' };
  const of = (payload: string) => answered(`{"data":{"obtainToken":{"token":"…"${payload}}}}`);
  const between = (recorded: string, twin: string) =>
    differencesOf({ ...sent, token, ...of(recorded) }, of(twin)).map(({ kind }) => kind);
  expect(between(',"payload":{"sub":"…","scope":["a"]}', ',"payload":{"exp":0}')).toEqual([]);
  expect(between('', ',"payload":{"exp":0}')).toEqual(['name']);
});
