import { openSync } from 'node:fs';
import { OpenFile, refusal, Refusal } from '../../http/answer.ts';
import { SQLITE_TYPE } from '../../http/request-headers.ts';
import { isSnapshotName, type Snapshots } from '../../snapshots/snapshots.ts';
import { UnfitState } from '../../store/backup.ts';
import type { AccountDifference, StateComparison } from '../../store/compare-states.ts';
import { reasonOf } from '../../store/database.ts';
import type { LocalServer } from '../../local-server/local-server.ts';
import type { Route } from '../route.ts';
import { queryAs } from './admin-input.ts';
import { compareQuery } from './admin-schemas.ts';
import { amountText } from './overview.ts';
import { adminRoute } from './admin-route.ts';

/** Exports and imports everything that the platform remembers, and keeps such states as snapshots. */
export const stateRoutes: readonly Route[] = [
  adminRoute(
    'GET /_local/state',
    ({ server }) => {
      const file = server.newStateFile();
      try {
        written('state_not_written', () => writeState(server, file.path));
        // An open file can be read after it is removed, so nothing is left when the server is killed.
        return new OpenFile(SQLITE_TYPE, openSync(file.path, 'r'));
      } finally {
        file.remove();
      }
    },
    { takesSqlite: true },
  ),
  adminRoute('PUT /_local/state', ({ server, file = '' }) => restored(file, server), { takesSqlite: true }),
  adminRoute('GET /_local/snapshots', ({ server: { snapshots } }) => ({
    snapshots: snapshots.names().map((name) => listed(name, snapshots)),
  })),
  adminRoute('PUT /_local/snapshots/:name', ({ server, segments }) => {
    const name = nameIn(segments);
    written('snapshot_not_written', () => server.snapshots.save(name, (file) => writeState(server, file)));
    return listed(name, server.snapshots);
  }),
  adminRoute('DELETE /_local/snapshots/:name', ({ server, segments }) => {
    if (!server.snapshots.delete(nameIn(segments))) throw new Refusal(refusal('snapshot_not_found'));
    return { deleted: true };
  }),
  adminRoute('POST /_local/snapshots/:name/restore', ({ server, segments }) => {
    const name = nameIn(segments);
    const file = server.newStateFile();
    try {
      const isThere = fitting(() => server.snapshots.copy(name, file.path));
      if (!isThere) throw new Refusal(refusal('snapshot_not_found'));
      return restored(file.path, server);
    } finally {
      file.remove();
    }
  }),
  adminRoute('GET /_local/snapshots/:name/compare', (call) => {
    const { with: other, offset = 0 } = queryAs(compareQuery, call);
    const { server, segments } = call;
    const [earlier, later] = [nameIn(segments), other === undefined ? undefined : nameIn({ name: other })];
    const { differing, accounts } = compared(server, { earlier, later }, { offset, limit: MOST_DIFFERENCES });
    return { differing, accounts: accounts.map(withTexts) };
  }),
];

/** Most accounts in one answer of a comparison. */
const MOST_DIFFERENCES = 100;

/** @throws Refusal 404, or 400 for a snapshot that does not fit */
function compared(
  { snapshots, newStateFile, platform: { store } }: LocalServer,
  names: { earlier: string; later: string | undefined },
  page: { offset: number; limit: number },
): StateComparison {
  const files: ReturnType<typeof newStateFile>[] = [];
  const copied = (name: string): string => {
    const file = newStateFile();
    files.push(file);
    if (!fitting(() => snapshots.copy(name, file.path))) throw new Refusal(refusal('snapshot_not_found'));
    return file.path;
  };
  try {
    const earlier = copied(names.earlier);
    const later = names.later === undefined ? undefined : copied(names.later);
    return fitting(() => store.compare({ earlier, later }, page));
  } finally {
    for (const file of files) file.remove();
  }
}

function withTexts({ changes, records, ...account }: AccountDifference) {
  return {
    ...account,
    records: records.map((record) => ({ ...record, amount: amountText(record.kind, record.amount) })),
    changes: changes.map(({ kind, type, before, after }) => {
      const shown = ({ count, amount }: typeof before) => ({ count, amount: amountText(kind, amount) });
      return { kind, type, before: shown(before), after: shown(after) };
    }),
  };
}

function writeState({ platform: { store, now }, identity }: LocalServer, file: string): void {
  store.backup(file, { written_at: now(), written_by: identity.version });
}

/** Replaces everything by the state in a file, or changes nothing. @throws Refusal 400 */
function restored(file: string, { platform: { store }, newDatabaseIdentity }: LocalServer) {
  fitting(() => store.restore(file, newDatabaseIdentity()));
  return { counts: store.counts() };
}

/** @throws Refusal 400 for a state that does not fit */
function fitting<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnfitState) throw new Refusal(refusal('state_unfit', { reason: error.message }));
    throw error;
  }
}

/** @throws Refusal 500 when the disk does not accept it */
function written(code: 'snapshot_not_written' | 'state_not_written', write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Refusal(refusal(code, { reason: reasonOf(error) }));
  }
}

function listed(name: string, snapshots: Snapshots) {
  const { bytes, head } = snapshots.show(name);
  return { name, bytes, written_at: head?.written_at ?? null, written_by: head?.written_by ?? null };
}

/** @throws Refusal 400 */
function nameIn({ name = '' }: Readonly<Record<string, string>>): string {
  if (!isSnapshotName(name)) throw new Refusal(refusal('snapshot_name_invalid'));
  return name;
}
