import { AppError } from '../../../core/app-error.ts';
import { plainJson } from '../../../core/values/plain-json.ts';
import { refusal, Refusal, unreadableBody, type Answer } from '../../http/answer.ts';
import type { ArmedFaults } from '../../faults/armed.ts';
import { faultPlanJsonSchema, NO_FAULTS, planOf } from '../../faults/plan.ts';
import type { FaultPlan } from '../../faults/rule.ts';
import type { Call, Route } from '../route.ts';

/** GET, PUT, POST, DELETE /_local/faults: which faults are armed and what became of them; other ones; more; none. */
export function faultRoutes(faults: ArmedFaults, accept: (plan: FaultPlan) => FaultPlan): readonly Route[] {
  const place = { path: '/_local/faults', access: 'loopback' } as const;
  const state = (): Answer => {
    const report = faults.report();
    const unused = report.rules.filter(({ hits }) => hits === 0).length;
    return { status: 200, body: { armed: faults.isArmed(), ...report, unused } };
  };
  return [
    { ...place, method: 'GET', answer: state },
    {
      ...place,
      method: 'PUT',
      answer: (call: Call) => {
        faults.arm(planIn(call, accept));
        return state();
      },
    },
    {
      ...place,
      method: 'POST',
      answer: (call: Call) => {
        faults.add(planIn(call, accept).rules);
        return state();
      },
    },
    {
      ...place,
      method: 'DELETE',
      answer: () => {
        faults.arm(NO_FAULTS);
        return state();
      },
    },
    {
      path: '/_local/faults/schema',
      worldless: true,
      access: 'loopback',
      method: 'GET',
      answer: () => ({ status: 200, body: faultPlanJsonSchema() }),
    },
  ];
}

/** @throws Refusal 400 */
function planIn({ body }: Call, accept: (plan: FaultPlan) => FaultPlan): FaultPlan {
  const json = plainJson(Buffer.from(body ?? []).toString());
  if (json === undefined) throw new Refusal(unreadableBody('it is not JSON'));
  try {
    return accept(planOf(json));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'fault_invalid') throw error;
    throw new Refusal(
      refusal('fault_invalid', { rule: error.facts['rule']!, reason: error.facts['reason']! }),
    );
  }
}
