import { RESOURCES } from '../../core/contract/resources.ts';

/** Whether a client may send a request again after a fault. `doubt`: the records may be stored. `none`: there is nothing to do. */
type Again = 'always' | 'doubt' | 'never' | 'none';

/** One way in which a request goes wrong. */
export interface FaultKind {
  readonly name: string;
  /** Completes "when …". */
  readonly when: string;
  /** The rules of `serve --fault`, without the requests that they are about. */
  readonly rules: readonly [string, ...string[]];
  readonly again: Again;
  /** The process that ends with the request. */
  readonly ends?: 'platform' | 'client';
  /** The endpoints to which it happens. Default: all. */
  readonly on?: readonly string[];
}

/** How late a late request and a slow answer are, in milliseconds. */
export const LATE_MS = 700;
const SLOW_MS = 5_000;

/** How many answers in a row are 500 in an outage. */
export const OUTAGE = 3;

const REFUSAL = JSON.stringify({
  detail: 'Refused.',
  code: 'validation_error',
  errors: [{ detail: 'Refused.', code: 'invalid', attr: 'external_account_number' }],
});

const kind = (
  name: string,
  when: string,
  rules: string | FaultKind['rules'],
  again: Again,
  others: Partial<FaultKind> = {},
): FaultKind => ({ name, when, rules: typeof rules === 'string' ? [rules] : rules, again, ...others });

const RECORDS = { on: RESOURCES };
const ITEMS = { on: ['notes', 'transactions'] };
const ONE_500 = 'before-commit status=500';

/** Every kind, in the order in which they are tried. */
const KINDS: readonly FaultKind[] = [
  kind('lost_before', 'the answer is lost before the commit', 'before-commit reset', 'doubt'),
  kind('lost_after', 'the answer is lost after the commit', 'after-commit reset', 'doubt'),
  kind('status_500', 'the answer is 500', ONE_500, 'doubt'),
  ...[503, 429].map((status) => {
    const [when, rule] = [`${status} with Retry-After: 1`, `before-commit status=${status} retry-after=1`];
    return kind(`status_${status}`, `the answer is ${when}`, rule, 'always');
  }),
  kind('refused', 'the answer is 400', `before-commit status=400 body='${REFUSAL}'`, 'never', RECORDS),
  kind('twice', 'the request is delivered twice', 'accept twice', 'none', RECORDS),
  kind(
    'late',
    'the request arrives late, by a second connection',
    `accept late=${LATE_MS}`,
    'doubt',
    RECORDS,
  ),
  kind('token', 'the token has expired', 'accept expire-tokens', 'always', RECORDS),
  kind('status_202', 'the answer is 202, and nothing is stored', 'before-commit status=202', 'none', RECORDS),
  kind(
    'status_204',
    'the answer is 204, and nothing is stored',
    'before-commit status=204 empty',
    'none',
    RECORDS,
  ),
  kind(
    'page',
    'a page comes with 200, and nothing is stored',
    'before-commit status=200 html',
    'none',
    RECORDS,
  ),
  kind('failing_item', 'the answer is 201, and its last item failed', 'before-commit failing', 'none', ITEMS),
  kind('status_502', 'a gateway answers 502 with HTML', 'before-commit status=502 html', 'doubt'),
  kind('cut', 'the body of the answer is cut', 'after-commit truncate=10', 'doubt'),
  kind('reset', 'the connection is reset within the answer', 'after-commit reset bytes=10', 'doubt'),
  kind('restart', 'the platform restarts', 'after-commit crash', 'doubt', { ends: 'platform' }),
  kind('outage', `${OUTAGE} answers in a row are 500`, [ONE_500, ONE_500, ONE_500], 'doubt'),
  kind('slow', `the answer takes ${SLOW_MS / 1_000} s`, `after-commit delay=${SLOW_MS}`, 'none'),
  ...['before', 'after'].map((side) => {
    const when = `the client is killed ${side} the commit`;
    return kind(`killed_${side}`, when, `${side}-commit crash`, 'none', { ends: 'client' });
  }),
];

/** The kinds of a trial. The client dies only with `--restart`, which runs its command again. */
export const kindsOfFault = (restart: boolean): readonly FaultKind[] =>
  KINDS.filter(({ ends }) => restart || ends !== 'client');

/** A fault at one request: the n-th of an endpoint. */
export interface Fault {
  readonly kind: FaultKind;
  readonly endpoint: string;
  readonly nth: number;
}

/** The rules of faults as `serve --fault` takes them. Each counts the requests that no rule before it has taken. */
export function rulesOf(faults: readonly Fault[]): readonly string[] {
  return faults.flatMap(({ kind: { rules, name }, endpoint, nth }) => {
    // Sending again is no new request, except in an outage, which takes what comes.
    const counted = name === 'outage' ? `nth=${nth}` : `attempt=1 nth=${nth}`;
    return rules.map((rule) => `${endpoint} ${rule} ${counted}`);
  });
}

/** Each fault as its rule, and the death of a client in words, because a rule of `serve` ends the server. */
export function textsOf(faults: readonly Fault[]): readonly string[] {
  return faults.flatMap((fault) => {
    const { kind, nth, endpoint } = fault;
    return kind.ends === 'client' ? [`${kind.when} of request ${nth} to ${endpoint}`] : rulesOf([fault]);
  });
}

/** Whether requests to an endpoint carry records. */
export const carriesRecords = (endpoint: string | null): boolean =>
  RESOURCES.some((resource) => resource === endpoint);

/**
 * The faults to try one after the other: each kind in the middle, at the beginning and at the end of each endpoint, then at all other
 * requests, with a pair after each of them. `random` decides the order of the rest, and the pairs.
 * @param requests how many requests each endpoint gets undisturbed
 */
export function* faultPlan(
  requests: ReadonlyMap<string, number>,
  { random, restart }: { readonly random: () => number; readonly restart: boolean },
): Generator<readonly Fault[], undefined> {
  const kinds = kindsOfFault(restart);
  const at = (places: (count: number) => readonly number[]): readonly Fault[] =>
    [true, false].flatMap((withRecords) =>
      kinds.flatMap((each) =>
        [...requests]
          .filter(
            ([endpoint]) => carriesRecords(endpoint) === withRecords && (each.on?.includes(endpoint) ?? true),
          )
          .flatMap(([endpoint, count]) => places(count).map((nth): Fault => ({ kind: each, endpoint, nth }))),
      ),
    );
  /** Where a kind is tried first, in this order. */
  const firstPlaces = (count: number): readonly number[] => [...new Set([Math.ceil(count / 2), 1, count])];
  for (const round of [0, 1, 2])
    for (const fault of at((count) => firstPlaces(count).slice(round, round + 1))) yield [fault];
  const all = at((count) => Array.from({ length: count }, (_, index) => index + 1));
  const others = all.filter(({ nth, endpoint }) => !firstPlaces(requests.get(endpoint)!).includes(nth));
  const order = new Map(others.map((fault) => [fault, random()]));
  const rest = others.toSorted((one, other) => order.get(one)! - order.get(other)!);
  for (let index = 0; ; index++) {
    if (index < rest.length) yield [rest[index]!];
    const pair = [0, 1].map(() => all[Math.floor(random() * all.length)]!);
    // A process that has ended once cannot end in the same way again.
    if (pair.filter(({ kind: { ends } }) => ends).length < 2) yield pair;
  }
}

/** Numbers from 0 up to 1 that depend on the seed alone (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
