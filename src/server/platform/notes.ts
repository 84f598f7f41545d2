import type { Note } from '../../core/contract/note.ts';
import { noteIdentity, type notes } from '../../core/contract/resources/notes.ts';
import { parseInstant, type Instant } from '../../core/values/instant.ts';
import type { StoredAccount } from '../store/accounts.ts';
import type { Platform } from './platform.ts';

/** An item in the answer of notes/create (interface.md 2.3). */
export interface NoteResult {
  readonly created_at: Instant;
  readonly body: string;
  readonly status: keyof typeof notes.answer.statuses;
}

/** Adds a note unless the account has it already (interface.md 4.2, rules 2 and 3). */
export function addNote(account: StoredAccount, note: Note, { store, now }: Platform): NoteResult {
  const { key, variant } = noteIdentity(note);
  const recordKey = { accountId: account.id, kind: 'note', key } as const;
  const present =
    variant === undefined ? store.records.firstOf(recordKey) : store.records.at({ ...recordKey, variant });
  const result = (createdAt: Instant, status: NoteResult['status']) => ({
    created_at: createdAt,
    body: note.body ?? '',
    status,
  });
  if (present) return result(createdAtOf(present.data), 'NOTE_ALREADY_EXISTS');
  const createdAt = variant ?? now();
  store.records.add({
    ...recordKey,
    variant: createdAt,
    data: JSON.stringify({ ...note, created_at: note.created_at ?? createdAt }),
  });
  return result(createdAt, 'NOTE_CREATION_SUCCESS');
}

function createdAtOf(data: string): Instant {
  return parseInstant((JSON.parse(data) as { created_at: string }).created_at)!;
}
