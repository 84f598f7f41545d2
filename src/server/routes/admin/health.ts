import type { RecordKind } from '../../../core/contract/resources.ts';
import type { Instant } from '../../../core/values/instant.ts';
import type { Store } from '../../store/store.ts';
import type { Route } from '../route.ts';

/** How much the platform holds. */
export interface Counts {
  readonly suppliers: number;
  readonly accounts: number;
  readonly records: Readonly<Record<RecordKind, number>>;
  /** Transactions that came again under the same id with other content, and were left as they are. */
  readonly conflicting_replays: number;
}

/** Which server this is. */
export interface Identity {
  /** Another one after each start. */
  readonly instance: string;
  /** Of the program. */
  readonly version: string;
  readonly database: string;
  readonly started_at: Instant;
  /** Whether each API key has a world of its own. */
  readonly isolated: boolean;
}

export function countsOf(store: Store): Counts {
  const { byKind, conflictingReplays } = store.records.counts();
  return {
    suppliers: store.suppliers.count(),
    accounts: store.accounts.count(),
    records: byKind,
    conflicting_replays: conflictingReplays,
  };
}

/** GET /_local/health. It answers only when the server is ready, so `ready` is always true. */
export function healthRoute(identity: Identity, store: Store): Route {
  return {
    method: 'GET',
    path: '/_local/health',
    access: 'loopback',
    worldless: true,
    answer: () => ({
      status: 200,
      body: { ...identity, ready: true, counts: countsOf(store), ignored_fields: store.ignoredFields.all() },
    }),
  };
}
