import { missingDocuments } from '../platform/documents.ts';
import { addNote } from '../platform/notes.ts';
import { refusal } from '../http/answer.ts';
import { supplierNotListed } from './admission.ts';
import { checkedRecords, recordRoute, refuseAny } from './record-route.ts';

/** POST notes/create (interface.md 4.2). */
export const notesRoute = recordRoute('notes', {
  // A wrong supplier code is a 404 like a wrong account number (interface.md 4.2, 7.2).
  unknownSupplier: (facts, { behaviour }) =>
    behaviour.unknownSupplierStatus === 404 ? refusal('account_not_found', facts) : supplierNotListed(facts),
  answer: (post) => {
    const { platform, account } = post;
    const notes = checkedRecords(post);
    refuseAny(missingDocuments('notes', { supplier: post.import_supplier, records: notes }, platform));
    const results = notes.map((note) => addNote(account, note, platform));
    const existing = results.filter(({ status }) => status === 'NOTE_ALREADY_EXISTS').length;
    return { status: 201, body: results, repetitions: { existing, conflicts: [] } };
  },
});
