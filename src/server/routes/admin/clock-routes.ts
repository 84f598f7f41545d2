import { failure } from '../../../core/problem.ts';
import { clockOfInstant, preciseInstantOfClock } from '../../../core/values/instant.ts';
import { Refusal, validationFailure } from '../../http/answer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Call, Route } from '../route.ts';
import { bodyAs } from './admin-input.ts';
import { adminRoute } from './admin-route.ts';
import { clockAdvance, clockSetting, LATEST, SECONDS } from './admin-schemas.ts';

/** Shows and changes the clock. Each route answers with the time and mode of the clock afterwards. */
export const clockRoutes: readonly Route[] = [
  adminRoute('GET /_local/clock', ({ server }) => shown(server.clock)),
  change('freeze', (clock) => clock.freeze()),
  change('set', (clock, call) => clock.set(bodyAs(clockSetting, call).now)),
  change('advance', (clock, call) => advanceBy(bodyAs(clockAdvance, call).seconds * 1_000, clock)),
  change('resume', (clock) => clock.resume()),
];

function change(action: string, act: (clock: Clock, call: Call) => void): Route {
  return adminRoute(`POST /_local/clock/${action}`, (call) => {
    act(call.server.clock, call);
    return shown(call.server.clock);
  });
}

function shown(clock: Clock) {
  return { now: preciseInstantOfClock(clock.nowMs()), mode: clock.mode() };
}

/** @throws Refusal 400 for a time after the last year that a date can have */
function advanceBy(byMs: number, clock: Clock): void {
  if (clock.nowMs() + byMs > clockOfInstant(LATEST))
    throw new Refusal(validationFailure([failure('invalid', ['seconds'], { expected: SECONDS })]));
  clock.advance(byMs);
}
