import { accountRoutes } from './admin/accounts.ts';
import { clockRoutes } from './admin/clock.ts';
import { requestsRoute } from './admin/requests.ts';
import { stateRoutes } from './admin/state.ts';
import { supplierRoutes } from './admin/suppliers.ts';
import { faultRoutes } from './admin/faults.ts';
import { healthRoute } from './admin/health.ts';
import { listRoutes, transferStatusRoute } from './import-processes.ts';
import { ledgerRoute, ledgerTotalsRoute } from './admin/ledger.ts';
import { notesRoute } from './notes.ts';
import { parityRoute } from './admin/parity.ts';
import { paymentInstructionRoute } from './payment-instruction.ts';
import { publishedRoutes } from './admin/published.ts';
import { resetRoute } from './admin/reset.ts';
import type { Route } from './route.ts';
import type { ServerContext } from './server-context.ts';
import { statementsRoute } from './statements.ts';
import { tokenRoute } from './token.ts';
import { transactionsRoute } from './transactions.ts';

/** Every path that the server has. */
export function routesOf(context: ServerContext): readonly Route[] {
  const { store } = context.platform;
  return [
    tokenRoute(context),
    notesRoute(context),
    transactionsRoute(context),
    statementsRoute(context),
    paymentInstructionRoute(context),
    transferStatusRoute(context),
    ...listRoutes(context),
    healthRoute(context.identity, store),
    resetRoute(context),
    ledgerRoute(store.ledger),
    ledgerTotalsRoute(store.ledger),
    ...supplierRoutes(store),
    ...accountRoutes(context.platform),
    ...stateRoutes(context),
    ...clockRoutes(context.clock),
    requestsRoute(context.requests),
    parityRoute(),
    ...faultRoutes(context.faults, context.acceptFaults),
    ...publishedRoutes(context.identity),
  ];
}
