import { accountRoutes } from './admin/account-routes.ts';
import { operations } from './admin/operations.ts';
import { ledgerRoute, ledgerTotalsRoute } from './admin/ledger-routes.ts';
import { pageRoutes } from './page-routes.ts';
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
  ledgerRoute,
  ledgerTotalsRoute,
  ...accountRoutes,
  ...operations,
  ...pageRoutes,
];
