import { documentsOfNotes, missingDocuments } from '../platform/documents.ts';
import { addNote } from '../platform/notes.ts';
import { checkedRecords, recordRoute, refuseAny } from './record-route.ts';

/** POST notes/create (interface.md 4.2). */
export const notesRoute = recordRoute('notes', {
  answer: (post) => {
    const { platform, account } = post;
    const notes = checkedRecords(post);
    const documents = documentsOfNotes(notes);
    refuseAny(missingDocuments({ supplier: post.import_supplier, documents }, platform));
    return { status: 201, body: notes.map((note) => addNote(account, note, platform)) };
  },
});
