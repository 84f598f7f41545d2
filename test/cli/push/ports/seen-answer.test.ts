import { describe, expect, test } from 'vitest';
import { reasonIn, seenAnswer } from '../../../../src/cli/push/ports/seen-answer.ts';

const seen = (
  body: string,
  headers: Readonly<Record<string, string>> = {},
  isFree?: (words: string) => boolean,
) =>
  seenAnswer(
    {
      kind: 'answer',
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
      body,
    },
    isFree,
  );

describe('an answer is shown to a person', () => {
  test.each([
    [
      'as the first words of a page',
      '<style>p{}</style><!-- a --><h1>Log in</h1>\n<p>now</p>',
      'status 200, text/html, 54 bytes: “Log in now”',
    ],
    ['as a page without words', '<html></html>', 'status 200, text/html, 13 bytes: no words'],
    ['as nothing', '', 'status 200, text/html, empty'],
    [
      'as the names of an object, never its values',
      '{"ok":true,"name":"Ada","a b":1}',
      'status 200, text/html, 32 bytes: a JSON object with ok, name',
    ],
    ['as the length of a list', '[{"body":"Ada"}]', 'status 200, text/html, 16 bytes: a JSON list of 1'],
    ['as JSON that was cut', '{"body":"Ada', 'status 200, text/html, 12 bytes: JSON that ends early'],
  ])('%s', (_, body, expected) => {
    expect(seen(body)).toBe(expected);
  });

  test('without words that may be of records', () => {
    expect(seen('<p>Ada owes 5', {}, () => false)).toBe(
      'status 200, text/html, 13 bytes: words that may be of records',
    );
  });

  test('with the reason why it cannot be read', () => {
    const answer = {
      kind: 'answer',
      status: 200,
      headers: {},
      body: '',
      unreadable: 'it is no text',
    } as const;
    expect(seenAnswer(answer)).toBe('status 200, no content type, it is no text');
  });
});

describe('the reason in an answer', () => {
  const reason = (body: unknown): string =>
    reasonIn({ body: typeof body === 'string' ? body : JSON.stringify(body) });

  test.each<[string, unknown, string]>([
    ['a text', { detail: 'Import supplier is not ongoing.' }, 'Import supplier is not ongoing.'],
    ['a text in an object', { detail: { code: 'x', message: 'Paused.' } }, 'Paused.'],
    ['texts by field', { detail: { import_supplier: ['Paused.', 'Again.'] } }, 'Paused. Again.'],
    ['a list of problems', { detail: [{ loc: ['body', 'notes'], msg: 'Field required' }] }, 'Field required'],
    ['a list around it', [{ detail: 'Paused.' }], 'Paused.'],
    ['errors', { errors: [{ status: '403', title: 'Forbidden' }] }, 'Forbidden'],
    ['errors by field', { errors: { import_supplier: ['Paused.'] } }, 'Paused.'],
    ['errors by field at the top', { import_supplier: ['Paused.'] }, 'Paused.'],
    ['the words of a gateway', { message: 'Forbidden' }, 'Forbidden'],
    ['a text alone', '"Paused."', 'Paused.'],
  ])('is %s', (_, body, expected) => {
    expect(reason(body)).toBe(expected);
  });

  test.each<[string, unknown]>([
    ['a page', '<p>No'],
    [
      'a record that is repeated',
      { notes: [{ body: 'Ada', created_at: '2024' }], external_account_number: 'A' },
    ],
    ['an empty text', { detail: '' }],
    ['a number', { detail: 7 }],
  ])('is not %s', (_, body) => {
    expect(reason(body)).toBe('');
  });
});
