import { describe, expect, test } from 'vitest';
import { isAnswerTo, noteIdentity } from '../../../../src/core/contract/resources/notes.ts';
import type { Note } from '../../../../src/core/contract/note.ts';
import { parseInstant } from '../../../../src/core/values/instant.ts';

describe('the identity of a note', () => {
  test('is its body and its instant, in any notation and however it is pinned', () => {
    const note = noteIdentity({ body: 'Called', created_at: '2026-01-01T12:00:00Z', is_pinned: true });
    expect(note).toEqual({ key: '["Called"]', variant: parseInstant('2026-01-01T12:00:00Z') });
    expect(noteIdentity({ body: 'Called', created_at: '2026-01-01T13:00:00+01:00' })).toEqual(note);
  });

  test('is its documents where it has no body', () => {
    const documents = ['a.pdf', 'b.pdf'].map((document_path) => ({ document_path }));
    const key = '["",["a.pdf","b.pdf"]]';
    expect(noteIdentity({ document_paths: documents })).toEqual({ key, variant: undefined });
    expect(noteIdentity({ body: '', document_paths: documents }).key).toBe(key);
    expect(noteIdentity({ body: 'Scan', document_paths: documents }).key).toBe('["Scan"]');
  });

  test('has no documents where it has neither', () => {
    expect(noteIdentity({}).key).toBe('["",[]]');
  });
});

describe('a result can be the answer to a note', () => {
  const sent: Note = { body: 'Called about  the bill', created_at: '2026-01-01T12:00:00.5Z' };
  test.each<[string, boolean, Note, Record<string, unknown>]>([
    ['its body and its time', true, sent, { body: sent.body, created_at: '2026-01-01T12:00:00Z' }],
    [
      'its time to the second and another body',
      true,
      sent,
      { body: 'x', created_at: '2026-01-01T12:00:00Z' },
    ],
    ['its body and another time', true, sent, { body: sent.body, created_at: '2026-01-01T12:00:01Z' }],
    ['its body alone', true, sent, { body: sent.body }],
    ['its time alone', true, sent, { created_at: '2026-01-01T12:00:00Z' }],
    ['its body in other spaces', true, sent, { body: ' Called about the\r\nbill ' }],
    ['its body in another Unicode form', true, { body: 'Büro' }, { body: 'Bu\u0308ro' }],
    ['neither', true, sent, {}],
    ['neither, said as null', true, sent, { body: null, created_at: null }],
    ['another body and another time', false, sent, { body: 'x', created_at: '2026-01-01T12:00:01Z' }],
    ['another body', false, sent, { body: 'Called about bill' }],
    ['another body, without a time', false, sent, { body: 'x', created_at: null }],
    ['another time', false, sent, { body: null, created_at: '2026-01-01T12:00:01Z' }],
    [
      'a time where the note has none',
      false,
      { body: 'Called' },
      { body: 'x', created_at: '2026-01-01T12:00:00Z' },
    ],
    [
      'its body, with a time that it has not',
      true,
      { body: 'Called' },
      { body: 'Called', created_at: '2026-01-01' },
    ],
    ['a time that is none', false, sent, { body: 'x', created_at: 'yesterday' }],
    ['a number as the body', false, sent, { body: 5 }],
  ])('with %s: %s', (_, isAnswer, note, result) => {
    expect(isAnswerTo(note, result)).toBe(isAnswer);
  });

  test('with an empty body to a note without one', () => {
    const note: Note = { document_paths: [{ document_path: 'a.pdf' }] };
    expect(isAnswerTo(note, { body: '' })).toBe(true);
    expect(isAnswerTo(note, { body: 'x' })).toBe(false);
  });
});
