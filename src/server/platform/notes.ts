import type { Note, NOTE_RESULT_STATUSES } from '../../core/contract/note.ts';
import { noteIdentity } from '../../core/rules/record-identity.ts';
import { rule } from '../../core/rules/rule.ts';
import { parseInstant, type Instant } from '../../core/values/instant.ts';
import type { StoredAccount } from '../store/accounts.ts';
import type { Platform } from './platform.ts';

/** One item of the answer of notes/create (interface.md 2.3). */
export interface NoteResult {
  readonly created_at: Instant;
  readonly body: string;
  readonly status: (typeof NOTE_RESULT_STATUSES)[number];
}

export const addNote = rule(
  {
    name: 'add-note',
    authority: 'documented',
    source: 'interface.md 4.2, rules 2 and 3',
    says: 'A note that the account has already is not created again; created_at defaults to the current time.',
    tested:
      'server/routes/notes › 3.3: the same body without created_at exists already, within a request and across requests',
  },
  (account: StoredAccount, note: Note, { store, now }: Platform): NoteResult => {
    const { key, variant } = noteIdentity(note);
    const place = { accountId: account.id, kind: 'note', key } as const;
    const present =
      variant === undefined ? store.records.firstOf(place) : store.records.at({ ...place, variant });
    const result = (createdAt: Instant, status: NoteResult['status']) => ({
      created_at: createdAt,
      body: note.body ?? '',
      status,
    });
    if (present) return result(createdAtOf(present.data), 'NOTE_ALREADY_EXISTS');
    const createdAt = variant ?? now();
    store.records.add({
      ...place,
      variant: createdAt,
      data: JSON.stringify({ ...note, created_at: note.created_at ?? createdAt }),
    });
    return result(createdAt, 'NOTE_CREATION_SUCCESS');
  },
);

function createdAtOf(data: string): Instant {
  return parseInstant((JSON.parse(data) as { created_at: string }).created_at)!;
}
