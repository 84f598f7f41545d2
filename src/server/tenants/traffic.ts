import type { Tenant } from './tenant.ts';

/** Counts of the requests of the interface and their effects. */
export interface Traffic {
  readonly requests: number;
  /** Records that were created. */
  readonly created: number;
  /** Requests with a status of 400 or more. */
  readonly refused: number;
  /** Hits of fault rules. */
  readonly faults: number;
}

/** The traffic of all these tenants since the start. */
export function trafficOf(tenants: readonly Tenant[]): Traffic {
  return sumOf(
    tenants.map(({ requests, created, faults }) => ({
      ...requests.counts(),
      created: created(),
      faults: faults.hits(),
    })),
  );
}

export function sumOf(all: readonly Traffic[]): Traffic {
  const sum = (name: keyof Traffic) => all.reduce((total, each) => total + each[name], 0);
  return {
    requests: sum('requests'),
    created: sum('created'),
    refused: sum('refused'),
    faults: sum('faults'),
  };
}
