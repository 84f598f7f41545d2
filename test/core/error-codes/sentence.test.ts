import { expect, test } from 'vitest';
import {
  adviceForClients,
  nextStepOf,
  sentenceOf,
  textsOf,
  withUsualWords,
} from '../../../src/core/error-codes/sentence.ts';

const USUAL = 'Name the runs with --run, or a ledger with --ledger. `dataimport runs` lists the runs.';

test('a sentence has its facts, and its usual words where none are given', () => {
  expect(sentenceOf('run_to_verify_missing', { folder: '.dataimport/runs' })).toBe(
    'no run of these files is in .dataimport/runs',
  );
  expect(sentenceOf('run_to_verify_missing', { files: 'x', to: ' to P', folder: 'F' })).toBe(
    'no run of x to P is in F',
  );
  expect(sentenceOf('run_to_verify_missing')).toBe('no run of these files is in …');
  expect(nextStepOf('run_to_verify_missing')).toBe(USUAL);
  expect(nextStepOf('run_to_verify_missing', { remedy: 'Do it' })).toBe(
    'Do it. `dataimport runs` lists the runs.',
  );
});

test('a text that needs a fact which is not given is none', () => {
  expect(textsOf('file_not_writable', { file: 'a.json' })).toEqual({
    sentence: null,
    next: nextStepOf('file_not_writable'),
  });
  expect(textsOf('file_not_writable', { file: 'a.json', reason: 'it is a folder' }).sentence).toBe(
    'a.json cannot be written: it is a folder',
  );
});

test('a fact in a command is a word of a shell, and the words of a command stay as they are', () => {
  expect(nextStepOf('mapping_invalid', { mapping: 'my map.yaml' })).toBe(
    "Type `dataimport map check 'my map.yaml'` for all of them.",
  );
  expect(nextStepOf('mapping_invalid', { mapping: '-m.yaml' })).toBe(
    'Type `dataimport map check ./-m.yaml` for all of them.',
  );
  expect(nextStepOf('usage', { command: 'push transactions' })).toBe(
    'See `dataimport push transactions --help`.',
  );
});

test('quotes stay around a name, and a fact that is missing is three dots', () => {
  expect(sentenceOf('code_unknown', { name: 'x y', suggestion: '' })).toBe('no code `x y` is known');
  expect(sentenceOf('code_unknown')).toBe('no code `…` is known…');
  expect(nextStepOf('invalid_choice')).toBe('Use one of: …');
});

test('the author of a client is told what the answer alone does not say', () => {
  expect(adviceForClients('run_to_verify_missing', { advice: 'Ask.' })).toBe('Ask.');
  expect(adviceForClients('run_to_verify_missing')).toBe(USUAL);
  expect(adviceForClients('required')).not.toBe(nextStepOf('required'));
});

test('usual words stand for the facts that have them', () => {
  expect(withUsualWords('no {files|these files} in {folder}, {a|b}')).toBe('no these files in {folder}, b');
});
