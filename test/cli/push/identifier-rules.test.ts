import { expect, test } from 'vitest';
import { identifierProblem } from '../../../src/cli/push/identifier-rules.ts';
import { sentenceOf } from '../../../src/core/error-codes/sentence.ts';

const codeOf = (id: string) => identifierProblem(id, ['transaction_id'])?.code;

test.each([
  'T-1',
  '00123',
  'A B',
  'caf\u00e9',
  '名前-1',
  '=1+1',
  '@x',
  '+1',
  '-1',
  '#12',
  '12E34',
  '1.5',
  'NAN-7',
  'NULLARBOR',
  'n.a.1',
  'none-such',
  '__proto__',
  '(1)',
  '.5',
  '?x',
])('%s is an identifier like any other', (id) => {
  expect(codeOf(id)).toBeUndefined();
});

test.each(['1.23457E+12', '1,23457E+12', '1E+12', '-2.5e+07', '5E-05'])(
  '%s is a number that a spreadsheet has shortened',
  (id) => {
    expect(codeOf(id)).toBe('spreadsheet_damage');
  },
);

test.each([
  '#N/A',
  '#REF!',
  '#VALUE!',
  '#NAME?',
  '#DIV/0!',
  '#NV',
  '#BEZUG!',
  '########',
  'NULL',
  'null',
  '(null)',
  '<null>',
  '\\N',
  'N/A',
  'n.a.',
  'NaN',
  'none',
  'Nil',
  'undefined',
  '-',
  '--',
  '?',
  '...',
])('%s stands for no value', (id) => {
  expect(codeOf(id)).toBe('identifier_is_no_value');
});

test.each([
  [' A1', 'has the space U+0020 at its beginning'],
  ['A1 ', 'has the space U+0020 at its end'],
  ['\tA1', 'has the tab U+0009 at its beginning'],
  ['A1\u00a0', 'has the no-break space U+00A0 at its end'],
  ['A\u200b1', 'has the zero-width space U+200B inside'],
  ['A\u20031', 'has the invisible character U+2003 inside'],
  ['A\u202e1', 'has the invisible character U+202E inside'],
  ['A\u00ad1', 'has the soft hyphen U+00AD inside'],
  ['\ufeffA1', 'has the byte order mark U+FEFF at its beginning'],
  ['A\r\n1', 'has the line break U+000D inside'],
  ['A1\u{e0001}', 'has the invisible character U+E0001 at its end'],
])('what cannot be seen is told by its name: %j', (id, says) => {
  const problem = identifierProblem(id, ['transaction_id'])!;
  expect(problem).toMatchObject({ code: 'identifier_has_spaces', severity: 'error' });
  expect(sentenceOf(problem.code, problem.facts)).toBe(says);
});
