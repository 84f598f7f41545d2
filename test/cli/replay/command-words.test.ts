import { expect, test } from 'vitest';
import { commandWords } from '../../../src/cli/replay/command-words.ts';

test.each([
  ['push notes notes.csv', ['push', 'notes', 'notes.csv']],
  ['  push   notes\tnotes.csv ', ['push', 'notes', 'notes.csv']],
  [`check notes 'a b.csv'`, ['check', 'notes', 'a b.csv']],
  ['check notes "a b.csv"', ['check', 'notes', 'a b.csv']],
  ['check notes a\\ b.csv', ['check', 'notes', 'a b.csv']],
  ['check notes "a \\"b\\" c.csv"', ['check', 'notes', 'a "b" c.csv']],
  [`check notes 'a'"b"c`, ['check', 'notes', 'abc']],
  [`check notes ''`, ['check', 'notes', '']],
  // Nothing expands.
  ['check notes *.csv $HOME ~ `x`', ['check', 'notes', '*.csv', '$HOME', '~', '`x`']],
  ['push notes serve.csv', ['push', 'notes', 'serve.csv']],
])('%s is split as a shell splits it', (command, words) => {
  expect(commandWords(command)).toEqual(words);
});

test.each([
  ["push 'notes", 'a quotation mark is not closed'],
  ['push "notes', 'a quotation mark is not closed'],
  ['push notes\\', 'a quotation mark is not closed'],
])('%s is refused', (command, reason) => {
  expect(() => commandWords(command)).toThrow(
    expect.objectContaining({
      code: 'expectation_invalid',
      facts: { reason: `the step \`${command}\` cannot be run: ${reason}` },
    }),
  );
});
