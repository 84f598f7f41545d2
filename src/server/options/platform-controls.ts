// The declarations of this file import no package: see public.ts.

import type { SeedDocument } from './seed-document.ts';

/** A stored record. */
export interface LedgerRecord {
  /** The order of storage. */
  readonly seq: number;
  readonly kind: 'note' | 'transaction' | 'statement' | 'payment_instruction';
  readonly import_supplier: string;
  readonly external_account_number: string;
  /** The fields of the record. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly [other: string]: unknown;
}

/** A request of the interface, with what its answer says. */
export interface RequestRecord {
  /** Counts from 1 since the start or the last reset. */
  readonly seq: number;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly import_supplier: string | null;
  readonly external_account_number: string | null;
  /** How many records it carries; null for a request that carries none. */
  readonly records: number | null;
  /** Null when the connection ended without a whole answer. */
  readonly status: number | null;
  /** The error codes of the answer, each once. */
  readonly codes: readonly string[];
  readonly [other: string]: unknown;
}

/** The clock of a platform, from which "today" and the ages of tokens and imports follow. */
export interface ClockControls {
  freeze(): Promise<void>;
  /** @param now an instant such as `2026-01-31T12:00:00Z` */
  set(now: string): Promise<void>;
  advance(seconds: number): Promise<void>;
  /** Returns to real time. */
  resume(): Promise<void>;
}

/** What a test does with a platform. Each is one call of the admin API, of the same name, over HTTP. */
export interface PlatformControls {
  /** Drops all records and the log, and returns to the seed. Clock and faults stay. */
  reset(): Promise<void>;
  /** Adds suppliers, accounts, keys and the rest of a seed. What is named again becomes as it says; a reset keeps it. */
  seed(document: SeedDocument): Promise<void>;
  /** The stored records, in the order of storage. */
  ledger(filter?: {
    readonly kind?: LedgerRecord['kind'];
    readonly import_supplier?: string;
    readonly external_account_number?: string;
  }): Promise<readonly LedgerRecord[]>;
  /** The last requests, oldest first; `filter` as in the query of `GET /_local/requests`. */
  requests(
    filter?: Readonly<
      Partial<Record<'status' | 'path' | 'since' | 'endpoint' | 'account' | 'code' | 'text', string>>
    >,
  ): Promise<readonly RequestRecord[]>;
  readonly clock: ClockControls;
  /** Adds faults, as `--fault` takes them. */
  fault(...rules: readonly string[]): Promise<void>;
  /** Removes all faults. */
  clearFaults(): Promise<void>;
  /** Saves everything stored under a name. */
  snapshot(name: string): Promise<void>;
  /** Replaces everything stored by a snapshot. */
  restore(name: string): Promise<void>;
}

/** @param url of the platform */
export function platformControls(url: string): PlatformControls {
  const call = async (method: string, path: string, body?: object): Promise<string> => {
    const answer = await fetch(`${url}/_local/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.ok) return text;
    const { detail, code, errors = [] } = JSON.parse(text) as Refused;
    const details = errors.map(({ attr, detail: says }) => `${attr}: ${says}`);
    throw Object.assign(new Error([detail, ...details].join('; ')), { code });
  };
  const post = async (path: string, body?: object): Promise<void> => void (await call('POST', path, body));
  const lines = async <T>(path: string, filter: object): Promise<readonly T[]> => {
    const text = await call('GET', `${path}?${new URLSearchParams({ ...filter }).toString()}`);
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
  };
  const named = (name: string): string => `snapshots/${encodeURIComponent(name)}`;
  return {
    reset: () => post('reset'),
    seed: (document) => post('seed', document),
    ledger: (filter = {}) => lines('ledger', filter),
    requests: (filter = {}) => lines('requests', filter),
    clock: {
      freeze: () => post('clock/freeze'),
      set: (now) => post('clock/set', { now }),
      advance: (seconds) => post('clock/advance', { seconds }),
      resume: () => post('clock/resume'),
    },
    fault: (...rules) => post('faults', { rules }),
    clearFaults: async () => void (await call('DELETE', 'faults')),
    snapshot: async (name) => void (await call('PUT', named(name), {})),
    restore: (name) => post(`${named(name)}/restore`),
  };
}

interface Refused {
  readonly detail: string;
  readonly code: string;
  readonly errors?: readonly { readonly attr: string | null; readonly detail: string }[];
}
