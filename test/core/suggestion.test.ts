import { expect, test } from 'vitest';
import { nearestName, suggestion } from '../../src/core/suggestion.ts';

const SETTINGS = ['baseUrl', 'batchSize', 'supplier', 'timeout'];

test.each([
  ['baseurl', 'baseUrl'],
  ['basUrl', 'baseUrl'],
  ['suplier', 'supplier'],
  ['timeouts', 'timeout'],
  ['bacthSize', 'batchSize'],
])('%s probably means %s', (mistyped, meant) => {
  expect(nearestName(mistyped, SETTINGS)).toBe(meant);
});

test('a word that is similar to no known word gets no suggestion', () => {
  expect(nearestName('colour', SETTINGS)).toBeUndefined();
  expect(suggestion('colour', SETTINGS)).toBe('');
  expect(suggestion('anything', [])).toBe('');
});

test('a suggestion ends the sentence that it is added to', () => {
  expect(`no such setting${suggestion('suplier', SETTINGS)}`).toBe('no such setting; did you mean supplier?');
});

test('a third of a word may be wrong, and no more', () => {
  expect(nearestName('notxx', ['notes'])).toBeUndefined();
  expect(nearestName('nots', ['note'])).toBe('note');
  expect(nearestName('map', ['mop'])).toBe('mop');
});
