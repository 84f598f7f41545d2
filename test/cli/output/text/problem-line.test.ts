import { expect, test } from 'vitest';
import { annotationOf } from '../../../../src/cli/output/formats/github.ts';
import { problemLine } from '../../../../src/cli/output/text/problem-line.ts';

const PROBLEM = {
  code: 'invalid_choice',
  severity: 'error',
  file: 'transactions.csv',
  line: 1042,
  column: 7,
  header: 'Type',
  detail: 'is not one of the allowed values',
} as const;

test('a problem line begins with the location that editors jump to', () => {
  expect(problemLine(PROBLEM)).toBe(
    'transactions.csv:1042:7 error invalid_choice Type is not one of the allowed values',
  );
});

test('a problem without a location shows none', () => {
  const { code, severity, detail } = PROBLEM;
  expect(problemLine({ code, severity, detail })).toBe(
    'error invalid_choice is not one of the allowed values',
  );
  expect(problemLine({ code, severity, detail, file: 'a.csv' })).toBe(
    'a.csv error invalid_choice is not one of the allowed values',
  );
});

test.each([
  [
    'names the part of the list that its column feeds',
    'From 1',
    'line_items.0.start_date',
    null,
    'From 1 (line_items.0.start_date)',
  ],
  [
    'does not repeat a header that is the path',
    'tax_items.0.rate',
    'tax_items.0.rate',
    null,
    'tax_items.0.rate',
  ],
  ['leaves out the path of an answer', 'Type', 'transactions.3.type', 400, 'Type'],
])('a problem line %s', (_, header, attr, http_status, subject) => {
  expect(problemLine({ ...PROBLEM, header, attr, http_status })).toBe(
    `transactions.csv:1042:7 error invalid_choice ${subject} is not one of the allowed values`,
  );
});

test('a cell that cannot be read names the field that it feeds', () => {
  expect(problemLine({ ...PROBLEM, code: 'date_unreadable', header: 'Datum', attr: 'body' })).toContain(
    'Datum (body) is',
  );
});

test.each([
  ['the header', { header: 'reason' }, 'reason: is not one of the allowed values', ''],
  ['the end of the path', { header: null, attr: 'transactions.0.reason' }, 'reason: is unknown', ''],
  ['a part of a list', { header: 'line_items.0.rate' }, 'line_items.0.rate: is too high', ''],
  ['another name than the header', { header: 'Grund' }, 'reason: is unknown', 'Grund: '],
  ['a word that ends as the header does', { header: 'display_note' }, 'note: is unknown', 'display_note: '],
  ['the name without a colon', { header: 'reason' }, 'reason codes are closed', 'reason: '],
])('words of a platform that begin with %s', (_, subject, detail, said) => {
  const problem = { ...PROBLEM, ...subject, detail };
  expect(problemLine(problem)).toBe(`transactions.csv:1042:7 error invalid_choice ${said}${detail}`);
  expect(annotationOf(problem)).toMatch(new RegExp(`::${said}${detail}$`));
});

test('names of files and headers cannot control the terminal', () => {
  expect(problemLine({ ...PROBLEM, file: 'a\u001B[2J.csv', header: 'T\nype' })).toBe(
    'a\\u001b[2J.csv:1042:7 error invalid_choice T\\nype is not one of the allowed values',
  );
});

test('an annotation for GitHub escapes what its runner reads', () => {
  expect(annotationOf({ ...PROBLEM, file: 'a,b:c.csv', detail: '100% wrong\nreally' })).toBe(
    '::error file=a%2Cb%3Ac.csv,line=1042,title=invalid_choice::Type: 100%25 wrong\\nreally',
  );
});
