import { documentsOfNotes, missingDocuments } from '../platform/documents.ts';
import { addNote } from '../platform/notes.ts';
import { checkedRecords, recordRoute, refuseAny, type RouteContext } from './record-route.ts';
import type { Route } from './route.ts';

/** POST notes/create (interface.md 4.2). */
export function notesRoute(context: RouteContext): Route {
  return recordRoute('notes', context, {
    query: {},
    answer: (post) => {
      const { platform } = context;
      const notes = checkedRecords('notes', post, (index) => ['notes', index]);
      const documents = documentsOfNotes(notes);
      refuseAny(missingDocuments({ supplier: post.import_supplier, documents }, platform));
      return { status: 201, body: notes.map((note) => addNote(post.account, note, platform)) };
    },
  });
}
