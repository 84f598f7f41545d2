import type { Resource } from '../../core/contract/resources.ts';
import type { SettledOutcome } from './ports/report.ts';

/** Why a run ends early. */
export type EarlyEndKind =
  | 'refused'
  | 'unauthenticated'
  | 'unfinished'
  | 'interrupted'
  | 'time_over'
  | 'unrecorded';

/** Progress of the engine. Counts are since the last event of the same kind, unless they say otherwise. */
export type PushEvent =
  | {
      readonly kind: 'staging';
      /** The resource whose files are read, where a command reads several. */
      readonly resource?: Resource;
      readonly rows: number;
      readonly invalid: number;
      /** The file that is being read, and how much of it is read, from 0 to 1. */
      readonly reading?: Readonly<{ file: string; share: number }> | undefined;
    }
  | {
      readonly kind: 'planned';
      readonly records: number;
      /** Records that earlier commands have settled. They are not among `records`. */
      readonly settled?: Readonly<Partial<Record<SettledOutcome, number>>>;
    }
  | Readonly<{ kind: 'settled'; outcomes: Readonly<Partial<Record<SettledOutcome, number>>> }>
  | Readonly<{ kind: 'retry'; account: string; attempt: number; waitMs: number; reason: string }>
  /** No request begins for `waitMs`. `isOutage`: the platform keeps failing, and one request at a time probes whether it is back. Otherwise it asks for the wait. */
  | Readonly<{ kind: 'paused'; waitMs: number; isOutage: boolean; reason: string }>
  /** A request was answered well after a pause. */
  | { readonly kind: 'resumed' }
  /**
   * Accounts that are not imported. `leftMs`: how long they are waited for at most; 0 when nobody waits for them any more. `answered`:
   * whether the platform answered the last questions about accounts. `limit`: the flag that decides about `leftMs`.
   */
  | Readonly<{
      kind: 'not_imported';
      accounts: number;
      leftMs: number;
      answered: boolean;
      limit: '--wait-for-accounts' | '--retry-for';
    }>
  | Readonly<{ kind: 'stopping'; reason: EarlyEndKind }>;

/** Receives the events; must not throw. */
export type EventSink = (event: PushEvent) => void;
