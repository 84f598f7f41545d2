import { z } from 'zod';
import { accountFields } from './account.ts';
import { datetime, flag, text } from './field.ts';

/** A document of a note, relative to the root of the import supplier (interface.md 2.2). */
const noteDocument = z.strictObject({ document_path: text() });

/** A note as it is sent (interface.md 2.3). */
export const note = z.strictObject({
  body: text({ mayBeEmpty: true }).optional(),
  document_paths: z.array(noteDocument).optional(),
  created_at: datetime().optional(),
  is_pinned: flag().optional(),
  unpin_at: datetime().optional(),
});
export type Note = z.infer<typeof note>;

/** Body of POST notes/create (interface.md 4.2). */
export const notesRequest = z.strictObject({ ...accountFields, notes: z.array(z.unknown()).min(1) });

/** interface.md 3.3. */
export const NOTE_RESULT_STATUSES = ['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS'] as const;

/** Answer of POST notes/create: one item per posted note, in their order (interface.md 4.2). */
export const notesResponse = z.array(
  z.looseObject({ created_at: z.string(), body: z.string().nullish(), status: z.string() }),
);
