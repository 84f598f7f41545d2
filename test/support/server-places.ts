import { heldBy } from '../../src/server/faults/held.ts';
import { NO_FAULTS } from '../../src/server/faults/plan.ts';
import type { Place } from '../../src/server/pipeline/route-match.ts';
import { SERVER_DEFAULTS } from '../../src/server/options/server-options.ts';
import { openWorld } from '../../src/server/tenants/tenant.ts';

/** Every path that the server has, with its methods. */
export function openPlaces(): readonly Place[] {
  const world = openWorld(
    { database: ':memory:', plan: NO_FAULTS, apiKeys: () => [] },
    {
      ...SERVER_DEFAULTS,
      limits: { maxItems: 1 },
      identity: { instance: '', version: '', database: '', started_at: '', isolated: false },
      acceptFaults: (plan) => plan,
      behaviour: {},
      randomBytes: (size) => new Uint8Array(size),
      nowMs: () => 0,
      crash: undefined,
      seedFor: () => undefined,
      held: heldBy(),
    },
  );
  world.close();
  return [...world.places.values()];
}
