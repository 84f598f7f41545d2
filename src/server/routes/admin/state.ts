import { fileReason } from '../../../core/file-reason.ts';
import { Binary, refusal, Refusal, type Answer } from '../../http/answer.ts';
import { SQLITE_TYPE } from '../../http/request-headers.ts';
import { isSnapshotName } from '../../snapshots/snapshots.ts';
import { accountsIn, headOf, LARGEST_STATE_BYTES, UnfitState } from '../../store/backup.ts';
import { differencesOf, type AccountDifference } from '../../store/compare-states.ts';
import type { Tenant } from '../../tenants/tenant.ts';
import type { Call, Route } from '../route.ts';
import { queryAs } from './admin-input.ts';
import { compareQuery } from './admin-schemas.ts';
import { amountText } from './overview.ts';

const STATE = { path: '/_local/state', access: 'loopback', sqliteUpToBytes: LARGEST_STATE_BYTES } as const;
const NAMED = { path: '/_local/snapshots/:name', access: 'loopback' } as const;

/** Exports and imports everything that the platform remembers, and keeps such states as snapshots. */
export const stateRoutes: readonly Route[] = [
  {
    ...STATE,
    method: 'GET',
    answer: ({ tenant }: Call) => ({ status: 200, body: new Binary(SQLITE_TYPE, stateOf(tenant)) }),
  },
  {
    ...STATE,
    method: 'PUT',
    answer: ({ tenant, body }: Call) => restored(body ?? new Uint8Array(), tenant),
  },
  {
    method: 'GET',
    path: '/_local/snapshots',
    access: 'loopback',
    answer: ({ tenant: { snapshots } }) => ({
      status: 200,
      body: { snapshots: snapshots.names().map((name) => listed(name, () => snapshots.read(name))) },
    }),
  },
  {
    ...NAMED,
    method: 'PUT',
    answer: ({ tenant, segments }: Call) => {
      const name = nameIn(segments);
      const state = stateOf(tenant);
      written(() => tenant.snapshots.write(name, state));
      return { status: 200, body: listed(name, () => state) };
    },
  },
  {
    ...NAMED,
    method: 'DELETE',
    answer: ({ tenant, segments }: Call) => {
      if (!tenant.snapshots.delete(nameIn(segments))) throw new Refusal(refusal('snapshot_not_found'));
      return { status: 200, body: { deleted: true } };
    },
  },
  {
    path: '/_local/snapshots/:name/restore',
    access: 'loopback',
    method: 'POST',
    answer: ({ tenant, segments }: Call) => {
      const name = nameIn(segments);
      const state = fitting(() => tenant.snapshots.read(name));
      if (state === undefined) throw new Refusal(refusal('snapshot_not_found'));
      return restored(state, tenant);
    },
  },
  {
    path: '/_local/snapshots/:name/compare',
    access: 'loopback',
    method: 'GET',
    answer: (call: Call) => {
      const { with: other } = queryAs(compareQuery, call);
      const { tenant, segments } = call;
      const before = accountsOf(nameIn(segments), tenant);
      const after =
        other === undefined
          ? tenant.platform.store.accountTotals()
          : accountsOf(nameIn({ name: other }), tenant);
      const differences = differencesOf(before, after);
      return {
        status: 200,
        body: {
          differing: differences.length,
          accounts: differences.slice(0, MOST_DIFFERENCES).map(withTexts),
        },
      };
    },
  },
];

/** Most accounts in one comparison. */
const MOST_DIFFERENCES = 1_000;

/** @throws Refusal 404, or 400 for a snapshot that does not fit */
function accountsOf(name: string, { snapshots }: Tenant) {
  const state = fitting(() => snapshots.read(name));
  if (state === undefined) throw new Refusal(refusal('snapshot_not_found'));
  return fitting(() => accountsIn(state));
}

function withTexts({ changes, ...account }: AccountDifference) {
  return {
    ...account,
    changes: changes.map(({ kind, type, before, after }) => {
      const shown = ({ count, amount }: typeof before) => ({ count, amount: amountText(kind, amount) });
      return { kind, type, before: shown(before), after: shown(after) };
    }),
  };
}

function stateOf({ platform: { store, now }, server }: Tenant): Uint8Array {
  return fitting(() => store.backup({ written_at: now(), written_by: server.identity.version }));
}

/** Replaces everything by a state, or changes nothing. @throws Refusal 400 */
function restored(state: Uint8Array, { platform: { store } }: Tenant): Answer {
  fitting(() => store.restore(state));
  return { status: 200, body: { counts: store.counts() } };
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
function written(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Refusal(refusal('snapshot_not_written', { reason: fileReason(error) }));
  }
}

/** A snapshot in the list. A damaged one has no head, and an unreadable one is empty. */
function listed(name: string, read: () => Uint8Array | undefined) {
  let state: Uint8Array = new Uint8Array();
  try {
    state = read() ?? state;
  } catch (error) {
    if (!(error instanceof UnfitState)) throw error;
  }
  const head = headOf(state);
  return {
    name,
    bytes: state.length,
    written_at: head?.written_at ?? null,
    written_by: head?.written_by ?? null,
  };
}

/** @throws Refusal 400 */
function nameIn({ name = '' }: Readonly<Record<string, string>>): string {
  if (!isSnapshotName(name)) throw new Refusal(refusal('snapshot_name_invalid'));
  return name;
}
