import type { SettledOutcome } from './ports/record-outcome.ts';

/** What the engine tells while it works. Counts are since the last event of the kind, unless they say otherwise. */
export type PushEvent =
  | { readonly kind: 'staging'; readonly rows: number; readonly invalid: number }
  | {
      readonly kind: 'planned';
      readonly records: number;
      readonly batches: number;
      readonly accounts: number;
    }
  | { readonly kind: 'settled'; readonly outcomes: Readonly<Partial<Record<SettledOutcome, number>>> }
  | {
      readonly kind: 'retry';
      readonly account: string;
      readonly attempt: number;
      readonly waitMs: number;
      readonly reason: string;
    }
  | { readonly kind: 'stopping'; readonly reason: 'refused' | 'unfinished' | 'interrupted' };

/** Receives the events; must not throw. */
export type EventSink = (event: PushEvent) => void;
