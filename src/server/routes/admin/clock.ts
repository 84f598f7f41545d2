import * as z from 'zod/mini';
import { failure } from '../../../core/problem.ts';
import { clockOfInstant, parseInstant, preciseInstantOfClock } from '../../../core/values/instant.ts';
import { Refusal, validationFailure, type Answer } from '../../answer.ts';
import type { Clock } from '../../clock.ts';
import type { Call, Route } from '../route.ts';
import { bodyAs } from './admin-input.ts';

const EARLIEST = '1970-01-01T00:00:00Z';
const LATEST = '2199-12-31T23:59:59Z';

const SECONDS = 'a whole number of seconds from 1, and no later than the year 2199';

const instantMs = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const instant = parseInstant(text);
    if (instant !== undefined && instant >= EARLIEST && instant <= LATEST) return clockOfInstant(instant);
    const facts = { expected: 'an instant such as 2026-03-15T12:00:00Z, from 1970 to 2199' };
    context.issues.push({ code: 'custom', input: text, params: { code: 'invalid', facts } });
    return z.NEVER;
  }),
);

const seconds = z.custom<number>((value) => Number.isSafeInteger(value) && (value as number) >= 1, {
  params: { code: 'invalid', facts: { expected: SECONDS } },
});

const set = z.strictObject({ now: instantMs });
const advance = z.strictObject({ seconds });

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
    post('set', (call) => clock.set(bodyAs(set, call).now)),
    post('advance', (call) => advanceBy(bodyAs(advance, call).seconds * 1_000, clock)),
    post('resume', () => clock.resume()),
  ];
}

/** @throws Refusal 400 when it would leave the years that dates are written in */
function advanceBy(byMs: number, clock: Clock): void {
  if (clock.nowMs() + byMs > clockOfInstant(LATEST))
    throw new Refusal(validationFailure([failure('invalid', ['seconds'], { expected: SECONDS })]));
  clock.advance(byMs);
}
