import type { Route } from '../route.ts';

/** GET /_local/health. A server that is not ready does not answer, so `ready` is always true. */
export const healthRoute: Route = {
  method: 'GET',
  path: '/_local/health',
  access: 'loopback',
  tenantless: true,
  answer: ({ tenant: { platform, server } }) => ({
    status: 200,
    body: {
      ...server.identity,
      ready: true,
      counts: platform.store.counts(),
      ignored_fields: platform.store.ignoredFields.all(),
    },
  }),
};
