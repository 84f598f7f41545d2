import { failure } from '../../../core/problem.ts';
import { clockOfInstant, preciseInstantOfClock } from '../../../core/values/instant.ts';
import { Refusal, validationFailure, type Answer } from '../../http/answer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Call, Route } from '../route.ts';
import { bodyAs } from './admin-input.ts';
import { clockAdvance, clockSetting, LATEST, SECONDS } from './admin-schemas.ts';

const PATH = '/_local/clock';

/** Shows and changes the clock. Each route answers with the time and mode of the clock afterwards. */
export const clockRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, access: 'loopback', answer: ({ tenant }) => shown(tenant.clock) },
  change('freeze', (clock) => clock.freeze()),
  change('set', (clock, call) => clock.set(bodyAs(clockSetting, call).now)),
  change('advance', (clock, call) => advanceBy(bodyAs(clockAdvance, call).seconds * 1_000, clock)),
  change('resume', (clock) => clock.resume()),
];

function change(action: string, act: (clock: Clock, call: Call) => void): Route {
  return {
    method: 'POST',
    path: `${PATH}/${action}`,
    access: 'loopback',
    answer: (call: Call) => {
      act(call.tenant.clock, call);
      return shown(call.tenant.clock);
    },
  };
}

function shown(clock: Clock): Answer {
  return { status: 200, body: { now: preciseInstantOfClock(clock.nowMs()), mode: clock.mode() } };
}

/** @throws Refusal 400 for a time after the last year that a date can have */
function advanceBy(byMs: number, clock: Clock): void {
  if (clock.nowMs() + byMs > clockOfInstant(LATEST))
    throw new Refusal(validationFailure([failure('invalid', ['seconds'], { expected: SECONDS })]));
  clock.advance(byMs);
}
