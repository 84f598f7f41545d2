import { DESCRIPTORS, RESOURCES } from '../../core/contract/resources.ts';

/** Whether a client sends a request again after a fault. `doubt`: the records may be stored. */
type Again = 'always' | 'doubt' | 'never';

/** One way in which a request goes wrong. */
export interface FaultKind {
  readonly name: string;
  /** Completes "when …". */
  readonly when: string;
  /** The rule of `serve --fault`, without the requests that it is about. */
  readonly rule: string;
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
  rule: string,
  again: Again,
  others: Partial<FaultKind> = {},
): FaultKind => ({ name, when, rule, again, ...others });

const RECORDS: Pick<FaultKind, 'on'> = { on: RESOURCES };
/** A client accepts 200 for statements, and need not look at the body (interface.md 4.4). */
const NEVER_200 = { on: RESOURCES.filter((name) => DESCRIPTORS[name].endpoint.success.length === 1) };

/** An answer that is no success of the interface, although its status is. */
const unstored = (name: string, when: string, rule: string, on = RECORDS): FaultKind =>
  kind(name, `${when}, and nothing is stored`, `before-commit ${rule}`, 'never', on);

/** Every kind, in the order in which they are tried. */
const KINDS: readonly FaultKind[] = [
  kind('lost_before', 'the answer is lost before the commit', 'before-commit reset', 'doubt'),
  kind('lost_after', 'the answer is lost after the commit', 'after-commit reset', 'doubt'),
  kind('status_500', 'the answer is 500', 'before-commit status=500', 'doubt'),
  ...[503, 429].map((status) => {
    const [when, rule] = [`${status} with Retry-After: 1`, `before-commit status=${status} retry-after=1`];
    return kind(`status_${status}`, `the answer is ${when}`, rule, 'always');
  }),
  kind('refused', 'the answer is 400', `before-commit status=400 body='${REFUSAL}'`, 'never', RECORDS),
  kind('twice', 'the request is delivered twice', 'accept twice', 'never', RECORDS),
  kind('late', 'the request arrives late, after a reset', `accept late=${LATE_MS}`, 'doubt', RECORDS),
  kind('token', 'the token has expired', 'accept expire-tokens', 'always', RECORDS),
  unstored('status_202', 'the answer is 202', 'status=202'),
  unstored('status_204', 'the answer is 204', 'status=204 empty'),
  unstored('page', 'a page comes with 200', 'status=200 html', NEVER_200),
  kind('failing_item', 'the answer is 201, and its last item failed', 'before-commit failing', 'never', {
    on: ['transactions'],
  }),
  kind('status_502', 'a gateway answers 502 with HTML', 'before-commit status=502 html', 'doubt'),
  kind('cut', 'the body of the answer is cut', 'after-commit truncate=10', 'doubt'),
  kind('reset', 'the connection is reset within the answer', 'after-commit reset bytes=10', 'doubt'),
  kind('restart', 'the platform restarts', 'after-commit crash', 'doubt', { ends: 'platform' }),
  kind('outage', `${OUTAGE} answers in a row are 500`, 'before-commit status=500', 'doubt'),
  kind('slow', `the answer takes ${SLOW_MS / 1_000} s`, `after-commit delay=${SLOW_MS}`, 'never'),
  ...['before', 'after'].map((side) => {
    const when = `the client is killed ${side} the commit`;
    return kind(`killed_${side}`, when, `${side}-commit crash`, 'never', { ends: 'client' });
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

/** The rules of a fault as `serve --fault` takes them. Each counts the requests that no rule before it has taken. */
export function rulesOf(fault: Fault | undefined): readonly string[] {
  if (!fault) return [];
  const { kind, endpoint, nth } = fault;
  // Sending again is no new request, except in an outage, which takes what comes.
  return kind.name === 'outage'
    ? Array<string>(OUTAGE).fill(`${endpoint} ${kind.rule} nth=${nth}`)
    : [`${endpoint} ${kind.rule} attempt=1 nth=${nth}`];
}

/** A fault as its rules, and the death of a client in words, because a rule of `serve` ends the server. */
export function textsOf(fault: Fault | undefined): readonly string[] {
  return fault?.kind.ends === 'client'
    ? [`${fault.kind.when} of request ${fault.nth} to ${fault.endpoint}`]
    : rulesOf(fault);
}

/** Whether requests to an endpoint carry records. */
export const carriesRecords = (endpoint: string | null): boolean =>
  RESOURCES.some((resource) => resource === endpoint);

/**
 * The faults to try one after the other: each kind in the middle, at the beginning and at the end of each endpoint, then at all other
 * requests.
 * @param requests how many requests each endpoint gets undisturbed
 */
export function faultPlan(requests: ReadonlyMap<string, number>, restart: boolean): readonly Fault[] {
  const all = kindsOfFault(restart).flatMap((each) =>
    [...requests]
      .filter(([endpoint]) => each.on?.includes(endpoint) ?? true)
      .flatMap(([endpoint, count]) =>
        Array.from({ length: count }, (_, index): Fault => ({ kind: each, endpoint, nth: index + 1 })),
      ),
  );
  const roundOf = ({ nth, endpoint }: Fault): number => {
    const count = requests.get(endpoint)!;
    const first = [Math.ceil(count / 2), 1, count].indexOf(nth);
    const round = first < 0 ? 2 + nth : first;
    // Requests with records come first in each round.
    return carriesRecords(endpoint) ? round : round + 0.5;
  };
  return all.toSorted((one, other) => roundOf(one) - roundOf(other));
}
