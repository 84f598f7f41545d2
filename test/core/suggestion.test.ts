import { expect, test } from 'vitest';
import { nearestByWords, nearestName, suggestion } from '../../src/core/suggestion.ts';

const SETTINGS = ['baseUrl', 'batchSize', 'supplier', 'timeout'];

const PATHS = [
  '/v1/notes/create/',
  '/v1/historical-statements/create/',
  '/v1/graphql/',
  '/v1/all-processes/',
];

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
  // The name is known, but not here.
  expect(suggestion('timeout', SETTINGS)).toBe('');
});

test('a name that is too long to be mistyped is not compared', () => {
  const long = `${'note_'.repeat(1_000_000)}body`;
  expect(nearestByWords(long, PATHS)).toBeUndefined();
  expect(nearestName(long, SETTINGS)).toBeUndefined();
});

test.each([
  [`notes_${'x'.repeat(122)}`, '/v1/notes/create/'],
  [`notes_${'x'.repeat(123)}`, undefined],
])('a name of at most 128 characters is compared: %s', (name, meant) => {
  expect(nearestByWords(name, PATHS)).toBe(meant);
});

test('a third of a word may be wrong, and no more', () => {
  expect(nearestName('notxx', ['notes'])).toBeUndefined();
  expect(nearestName('nots', ['note'])).toBe('note');
  expect(nearestName('map', ['mop'])).toBe('mop');
  // Two neighbours that are swapped are one mistake.
  expect(nearestName('nto', ['not'])).toBe('not');
  expect(nearestName('axe', ['xbe'])).toBeUndefined();
});

test.each([
  ['/v1/statements/create/', '/v1/historical-statements/create/'],
  ['/v2/createNote', '/v1/notes/create/'],
  ['PROCESS_LIST', '/v1/all-processes/'],
  ['/statemets', '/v1/historical-statements/create/'],
  ['/v1/is/', undefined],
  ['/v1/bills/', undefined],
])('the words of %s are those of %s', (mistyped, meant) => {
  expect(nearestByWords(mistyped, PATHS)).toBe(meant);
});

test.each<readonly [string, readonly string[], string | undefined]>([
  ['due_date', ['start_date', 'end_date', 'date_of_issue', 'data'], undefined],
  ['due_dat', ['start_date', 'end_date', 'date_of_issue'], undefined],
  ['to_x', ['move_to_bill', 'pay_by_card'], undefined],
  ['all_x', ['all_bills', 'new_cards'], 'all_bills'],
  ['note', ['nota', 'notes'], 'notes'],
])('the words of %s among %j are those of %s', (mistyped, known, meant) => {
  expect(nearestByWords(mistyped, known)).toBe(meant);
});
