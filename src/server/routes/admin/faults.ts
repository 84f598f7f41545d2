import { AppError } from '../../../core/app-error.ts';
import type { ActiveFaults } from '../../faults/active-faults.ts';
import { rulesOf } from '../../faults/read-rule.ts';
import { NO_FAULTS, type FaultPlan } from '../../faults/fault-rule.ts';
import { refusal, Refusal } from '../../http/answer.ts';
import type { Call, Method, Route } from '../route.ts';
import { bodyAs } from './admin-input.ts';
import { adminRoute } from './admin-route.ts';
import { faultsChange } from './admin-schemas.ts';

/** GET, PUT, POST, DELETE /_local/faults: shows, replaces, adds to and ends the faults. Each answers with the faults then. */
export const faultRoutes: readonly Route[] = [
  change('GET', () => {}),
  change('PUT', (faults, call) => faults.replace(planIn(call))),
  change('POST', (faults, call) => faults.add(planIn(call).rules)),
  change('DELETE', (faults) => faults.replace(NO_FAULTS)),
];

function change(method: Method, act: (faults: ActiveFaults, call: Call) => void): Route {
  return adminRoute(`${method} /_local/faults`, (call) => {
    const { faults } = call.server;
    act(faults, call);
    const report = faults.report();
    const unused = report.rules.filter(({ hits }) => hits === 0).length;
    return { armed: faults.isActive(), ...report, unused };
  });
}

/** @throws Refusal 400 */
function planIn(call: Call): FaultPlan {
  const { seed = 0, rules } = bodyAs(faultsChange, call);
  try {
    return call.server.acceptFaults({ seed, rules: rulesOf(rules) });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'fault_invalid') throw error;
    throw new Refusal(refusal('fault_invalid', error.facts));
  }
}
