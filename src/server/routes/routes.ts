import type { ArmedFaults } from '../faults/armed.ts';
import type { FaultPlan } from '../faults/rule.ts';
import type { ApiKey } from '../store/api-keys.ts';
import type { Tokens } from '../tokens.ts';
import { faultRoutes } from './faults.ts';
import { healthRoute, type Identity } from './health.ts';
import { listRoutes, transferStatusRoute } from './import-processes.ts';
import { ledgerRoute } from './ledger.ts';
import { notesRoute } from './notes.ts';
import { paymentInstructionRoute } from './payment-instruction.ts';
import type { RouteContext } from './record-route.ts';
import { resetRoute } from './reset.ts';
import type { Route } from './route.ts';
import { statementsRoute } from './statements.ts';
import { tokenRoute } from './token.ts';
import { transactionsRoute } from './transactions.ts';

interface ServerContext extends RouteContext {
  readonly tokens: Tokens;
  readonly apiKeys: () => readonly ApiKey[];
  readonly identity: Identity;
  /** Brings suppliers, accounts and vendors back to what the seed says. */
  readonly reseed: () => void;
  readonly faults: ArmedFaults;
  /**
   * Hands a plan back that this server can carry out.
   * @throws AppError `fault_invalid`
   */
  readonly acceptFaults: (plan: FaultPlan) => FaultPlan;
}

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
    resetRoute(store, context.reseed),
    ledgerRoute(store.ledger),
    ...faultRoutes(context.faults, context.acceptFaults),
  ];
}
