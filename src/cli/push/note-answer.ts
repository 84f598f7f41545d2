import type { Note } from '../../core/contract/note.ts';
import { isSameSecond } from '../../core/values/instant.ts';

/** One item of the answer to a request of notes; what the interface does not list may stand beside it. */
export interface NoteItem {
  readonly created_at: string;
  readonly body?: string | null;
  readonly status: string;
  readonly is_pinned?: unknown;
}

/**
 * Whether an item can be the answer to a note, by all that comes back of it (interface.md 2.3). Of a note without
 * `created_at` only the body does: the time is that of the platform.
 */
export function isAnswerTo(note: Note, item: NoteItem): boolean {
  return (item.body ?? '') === (note.body ?? '') && hasTime(note, item) && hasPin(note, item);
}

/** To the second, as the interface has it (2.1): a platform need not keep fractions. A time without a zone tells nothing. */
function hasTime({ created_at: sent }: Note, { created_at: answered }: NoteItem): boolean {
  return sent === undefined || isSameSecond(sent, answered) !== false;
}

/**
 * Only of a note that was created, where the platform gives it back at all: one that exists is the same note by its body
 * and time alone (interface.md 3.3), however it is pinned.
 */
function hasPin({ is_pinned: sent = false }: Note, { is_pinned: answered, status }: NoteItem): boolean {
  return status !== 'NOTE_CREATION_SUCCESS' || typeof answered !== 'boolean' || answered === sent;
}
