import { BUILT_IN_SEED } from '../../seed/built-in-seed.ts';
import type { Route } from '../route.ts';
import { adminRoute } from './admin-route.ts';

/** GET /_local/figures: the figures above the list of requests. A million records take a fifth of a second. */
export const figuresRoute: Route = adminRoute(
  'GET /_local/figures',
  ({ server: { platform, requests, today, apiKeys } }) => ({
    today: requests.tally().of(today()),
    tolerated: requests.tally().tolerated(),
    counts: platform.store.counts(),
    // The key of the built-in seed is in the documentation. No other key is shown.
    built_in_key: apiKeys().find(({ key }) => key === BUILT_IN_SEED.api_keys[0].key)?.key ?? null,
  }),
);
