import { accountRoutes } from './admin/account-routes.ts';
import { clockRoutes } from './admin/clock-routes.ts';
import { faultRoutes } from './admin/faults.ts';
import { figuresRoute } from './admin/figures.ts';
import { ledgerRoute, ledgerTotalsRoute } from './admin/ledger-routes.ts';
import { publishedRoutes } from './admin/published.ts';
import { requestRoutes } from './admin/request-log-routes.ts';
import { snapshotRoutes } from './admin/snapshot-routes.ts';
import { serverRoutes } from './admin/server-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { supplierRoutes } from './admin/supplier-routes.ts';
import { listRoutes, transferStatusRoute } from './import-processes-routes.ts';
import { notesRoute } from './notes-route.ts';
import { paymentInstructionRoute } from './payment-instruction-route.ts';
import type { Route } from './route.ts';
import { statementsRoute } from './statements-route.ts';
import { tokenRoute } from './token-route.ts';
import { transactionsRoute } from './transactions-route.ts';

export const ROUTES: readonly Route[] = [
  tokenRoute,
  notesRoute,
  transactionsRoute,
  statementsRoute,
  paymentInstructionRoute,
  transferStatusRoute,
  ...listRoutes,
  ...serverRoutes,
  ledgerRoute,
  ledgerTotalsRoute,
  ...supplierRoutes,
  ...accountRoutes,
  ...snapshotRoutes,
  ...clockRoutes,
  ...requestRoutes,
  figuresRoute,
  ...faultRoutes,
  ...publishedRoutes,
  ...pageRoutes,
];
