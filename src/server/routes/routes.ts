import type { Resource } from '../../core/contract/resources.ts';
import { accountRoutes } from './admin/accounts.ts';
import { clockRoutes } from './admin/clock.ts';
import { faultRoutes } from './admin/faults.ts';
import { healthRoute } from './admin/health.ts';
import { ledgerRoute, ledgerTotalsRoute } from './admin/ledger.ts';
import { publishedRoutes } from './admin/published.ts';
import { requestsRoute } from './admin/requests.ts';
import { resetRoute } from './admin/reset.ts';
import { stateRoutes } from './admin/state.ts';
import { supplierRoutes } from './admin/suppliers.ts';
import { listRoutes, transferStatusRoute } from './import-processes.ts';
import { notesRoute } from './notes.ts';
import { paymentInstructionRoute } from './payment-instruction.ts';
import type { Route } from './route.ts';
import { statementsRoute } from './statements.ts';
import { tokenRoute } from './token.ts';
import { transactionsRoute } from './transactions.ts';

const RECORD_ROUTES: Readonly<Record<Resource, Route>> = {
  notes: notesRoute,
  transactions: transactionsRoute,
  statements: statementsRoute,
  'payment-instructions': paymentInstructionRoute,
};

/** Every route of the server. */
export const ROUTES: readonly Route[] = [
  tokenRoute,
  ...Object.values(RECORD_ROUTES),
  transferStatusRoute,
  ...listRoutes,
  healthRoute,
  resetRoute,
  ledgerRoute,
  ledgerTotalsRoute,
  ...supplierRoutes,
  ...accountRoutes,
  ...stateRoutes,
  ...clockRoutes,
  requestsRoute,
  ...faultRoutes,
  ...publishedRoutes,
];
