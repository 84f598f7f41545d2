import { addNote } from '../platform/notes.ts';
import { checkedRecords, recordRoute, type RouteContext } from './record-route.ts';
import type { Route } from './route.ts';

/** POST notes/create (interface.md 4.2). */
export function notesRoute(context: RouteContext): Route {
  return recordRoute('notes', context, {
    query: {},
    answer: (post) => {
      const notes = checkedRecords('notes', post, (index) => ['notes', index]);
      return { status: 201, body: notes.map((note) => addNote(post.account, note, context.platform)) };
    },
  });
}
