import * as z from 'zod/mini';
import { datetime, flag, text } from './field.ts';

/** A document of a note, relative to the root of the import supplier (interface.md 2.2). */
const noteDocument = z.strictObject({ document_path: text() });

/** A note as it is sent (interface.md 2.3). */
export const note = z.strictObject({
  body: z.optional(text({ mayBeEmpty: true })),
  document_paths: z.optional(z.array(noteDocument)),
  created_at: z.optional(datetime()),
  is_pinned: z.optional(flag()),
  unpin_at: z.optional(datetime()),
});
export type Note = z.infer<typeof note>;

/**
 * Answer of POST notes/create: one item per posted note, in their order (interface.md 4.2). Only the status is certain
 * (deployments.md, "What an operator's own description contains").
 */
export const notesResponse = z.array(
  z.looseObject({ created_at: z.nullish(z.string()), body: z.nullish(z.string()), status: z.string() }),
);
