import { refusal, Refusal } from '../../http/answer.ts';
import { isSnapshotName } from '../../snapshots/snapshots.ts';
import { UnfitState } from '../../store/backup.ts';
import { reasonOf } from '../../store/database.ts';
import type { Call, Route } from '../route.ts';
import { adminRoute } from './admin-route.ts';

/** Saves everything that the platform remembers under a name, and brings it back. */
export const snapshotRoutes: readonly Route[] = [
  adminRoute('GET /_local/snapshots', ({ server }) => ({
    snapshots: server.snapshots.all(),
  })),
  adminRoute('PUT /_local/snapshots/:name', ({ server, segments }) => {
    const name = nameIn(segments);
    try {
      return server.snapshots.save(name);
    } catch (error) {
      throw new Refusal(refusal('snapshot_not_written', { reason: reasonOf(error) }));
    }
  }),
  adminRoute('DELETE /_local/snapshots/:name', ({ server, segments }) => {
    if (!server.snapshots.delete(nameIn(segments))) throw new Refusal(refusal('snapshot_not_found'));
    return { deleted: true };
  }),
  adminRoute('POST /_local/snapshots/:name/restore', ({ server, segments }) => {
    const { platform, snapshots, newDatabaseIdentity } = server;
    const state = snapshots.state(nameIn(segments));
    if (state === undefined) throw new Refusal(refusal('snapshot_not_found'));
    try {
      platform.store.restore(state, newDatabaseIdentity());
    } catch (error) {
      if (!(error instanceof UnfitState)) throw error;
      throw new Refusal(refusal('snapshot_unfit', { reason: error.message }));
    }
    return { counts: platform.store.counts() };
  }),
];

/** @throws Refusal 400 */
function nameIn({ name = '' }: Call['segments']): string {
  if (!isSnapshotName(name)) throw new Refusal(refusal('snapshot_name_invalid'));
  return name;
}
