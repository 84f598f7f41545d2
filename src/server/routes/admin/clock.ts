import { failure } from '../../../core/problem.ts';
import { clockOfInstant, preciseInstantOfClock } from '../../../core/values/instant.ts';
import { Refusal, validationFailure, type Answer } from '../../http/answer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Call, Route } from '../route.ts';
import { bodyAs } from './admin-input.ts';
import { clockAdvance, clockSetting, LATEST, SECONDS } from './admin-schemas.ts';

/** What the clock shows, and what can be done to it; each answers with what it shows then. */
export function clockRoutes(clock: Clock): readonly Route[] {
  const path = '/_local/clock';
  const state = (): Answer => ({
    status: 200,
    body: { now: preciseInstantOfClock(clock.nowMs()), mode: clock.mode() },
  });
  const post = (verb: string, act: (call: Call) => void): Route => ({
    method: 'POST',
    path: `${path}/${verb}`,
    access: 'loopback',
    answer: (call) => {
      act(call);
      return state();
    },
  });
  return [
    { method: 'GET', path, access: 'loopback', answer: state },
    post('freeze', () => clock.freeze()),
    post('set', (call) => clock.set(bodyAs(clockSetting, call).now)),
    post('advance', (call) => advanceBy(bodyAs(clockAdvance, call).seconds * 1_000, clock)),
    post('resume', () => clock.resume()),
  ];
}

/** @throws Refusal 400 when it would leave the years that dates are written in */
function advanceBy(byMs: number, clock: Clock): void {
  if (clock.nowMs() + byMs > clockOfInstant(LATEST))
    throw new Refusal(validationFailure([failure('invalid', ['seconds'], { expected: SECONDS })]));
  clock.advance(byMs);
}
