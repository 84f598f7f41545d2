import { refusal, Refusal } from '../../http/answer.ts';
import type { Call, Route } from '../route.ts';
import { adminRoute } from './admin-route.ts';

/** Saves everything that the platform remembers under a name, and brings it back. */
export const snapshotRoutes: readonly Route[] = [
  adminRoute('GET /_local/snapshots', ({ server }) => ({
    snapshots: server.platform.store.snapshots.all(),
  })),
  adminRoute('PUT /_local/snapshots/:name', ({ server, segments }) =>
    server.platform.store.snapshots.save(nameIn(segments), server.nowMs()),
  ),
  adminRoute('DELETE /_local/snapshots/:name', ({ server, segments }) => {
    requireSnapshot(server.platform.store.snapshots.delete(nameIn(segments)));
    return { deleted: true };
  }),
  adminRoute('POST /_local/snapshots/:name/restore', ({ server, segments }) => {
    const { store } = server.platform;
    store.write(() => {
      requireSnapshot(store.snapshots.restore(nameIn(segments)));
      store.databaseIdentity.replace(server.newDatabaseIdentity());
    });
    return { counts: store.counts() };
  }),
];

/** @throws Refusal 404 */
function requireSnapshot(isThere: boolean): void {
  if (!isThere) throw new Refusal(refusal('snapshot_not_found'));
}

/** @throws Refusal 400 */
function nameIn({ name = '' }: Call['segments']): string {
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)) throw new Refusal(refusal('snapshot_name_invalid'));
  return name;
}
