import { parity } from '../../parity/parity.ts';
import type { Route } from '../route.ts';

/** GET /_local/parity: every rule of the platform with its authority, source and test. */
export const parityRoute: Route = {
  method: 'GET',
  path: '/_local/parity',
  access: 'loopback',
  tenantless: true,
  answer: () => ({ status: 200, body: parity() }),
};
