import { describe, expect, test } from 'vitest';
import { interpret } from '../../../src/cli/push/interpret.ts';
import { isAnswerTo } from '../../../src/cli/push/note-answer.ts';
import type { Note } from '../../../src/core/contract/note.ts';
import { answer, batchWith } from '../../support/push-batch.ts';

const SENT = '2024-03-05T18:48:16Z';
const NOTE: Note = { body: 'rang', created_at: SENT };
const ITEM = { created_at: SENT, body: 'rang', status: 'NOTE_CREATION_SUCCESS' };
const EXISTS = { ...ITEM, status: 'NOTE_ALREADY_EXISTS' };

describe('an item answers a note', () => {
  test.each([
    ['with the same time', NOTE, ITEM],
    ['in another zone', NOTE, { ...ITEM, created_at: '2024-03-05T19:48:16+01:00' }],
    ['with a fraction', NOTE, { ...ITEM, created_at: '2024-03-05T18:48:16.000000Z' }],
    ['without the fraction that was sent', { ...NOTE, created_at: '2024-03-05T18:48:16.25Z' }, ITEM],
    ['with a time without a zone, which tells nothing', NOTE, { ...ITEM, created_at: '2024-03-05T20:48:16' }],
    ['with any time, when none was sent', { body: 'rang' }, { ...ITEM, created_at: '2026-11-21T10:15:02Z' }],
    ['with its pin', { ...NOTE, is_pinned: true }, { ...ITEM, is_pinned: true }],
    ['without a pin, when none was sent', NOTE, { ...ITEM, is_pinned: false }],
    ['with a pin that is none', { ...NOTE, is_pinned: true }, { ...ITEM, is_pinned: null }],
    ['that exists, however that is pinned', { ...NOTE, is_pinned: true }, { ...EXISTS, is_pinned: false }],
  ])('%s', (_, note, item) => {
    expect(isAnswerTo(note, item)).toBe(true);
  });

  test.each([
    ['the body', { ...ITEM, body: 'wrote' }],
    ['the time', { ...ITEM, created_at: '2024-03-05T18:48:17Z' }],
    ['the time of a note that exists', { ...EXISTS, created_at: '2024-03-05T18:48:17Z' }],
    ['the pin', { ...ITEM, is_pinned: true }],
  ])('but not when it differs in %s', (_, item) => {
    expect(isAnswerTo(NOTE, item)).toBe(false);
  });
});

describe('the answer to another request of notes with the same bodies', () => {
  const [ours, theirs] = [SENT, '2025-07-01T00:00:00Z'].map((created_at) =>
    batchWith('notes', [
      { body: 'rang', created_at },
      { body: 'wrote', created_at },
    ]),
  );
  const items = theirs!.records.map(({ payload }) => ({
    ...(JSON.parse(payload) as object),
    status: 'NOTE_CREATION_SUCCESS',
  }));

  test('is not believed', () => {
    expect(interpret('notes', ours!, answer(201, items)).kind).toBe('ambiguous');
    expect(interpret('notes', theirs!, answer(201, items)).kind).toBe('ok');
  });

  test('would be believed by their bodies alone', () => {
    const bodies = (all: readonly object[]): unknown => all.map((item) => (item as Note).body);
    expect(bodies(items)).toEqual(bodies(ours!.records.map(({ payload }) => JSON.parse(payload) as object)));
  });
});
