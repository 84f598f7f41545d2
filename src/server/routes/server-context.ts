import type { Clock } from '../platform/clock.ts';
import type { ArmedFaults } from '../faults/armed.ts';
import type { FaultPlan } from '../faults/rule.ts';
import type { RequestLog } from '../http/request-log.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import type { ApiKey } from '../store/api-keys.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Identity } from './admin/health.ts';
import type { RouteContext } from './record-route.ts';

/** What the routes of a world work with. */
export interface ServerContext extends RouteContext {
  readonly tokens: Tokens;
  readonly apiKeys: () => readonly ApiKey[];
  readonly identity: Identity;
  /** Brings suppliers, accounts and vendors back to what the seed says. */
  readonly reseed: () => void;
  readonly faults: ArmedFaults;
  readonly clock: Clock;
  readonly requests: RequestLog;
  readonly snapshots: Snapshots;
  /**
   * Hands a plan back that this server can carry out.
   * @throws AppError `fault_invalid`
   */
  readonly acceptFaults: (plan: FaultPlan) => FaultPlan;
}
