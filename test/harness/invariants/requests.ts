import type { AnswerClass, SeenRequest } from '../request-log.ts';
import { violation, type Violation } from './violation.ts';

/** Checks I5, I7, I9 and I16 for requests in the order of their starts. */
export function requestViolations(
  seen: readonly SeenRequest[],
  limits: {
    readonly retryForMs: number;
    /** Whether refused records are set aside. Default: false. */
    readonly setsAside?: boolean;
    /** Most bytes of the records of a request. Default: any number. */
    readonly batchBytes?: number;
  },
): readonly Violation[] {
  return [
    ...overlaps(seen),
    ...pastDoubt(seen),
    ...afterEnd(seen, limits.setsAside ?? false),
    ...tooEarly(seen),
    ...tooLong(seen, limits),
    ...tooLarge(seen, limits.batchBytes ?? Infinity),
  ];
}

/** A record that is larger by itself is sent alone. */
function tooLarge(seen: readonly SeenRequest[], batchBytes: number): readonly Violation[] {
  return seen.flatMap(({ account, body, keys }) => {
    const records = body.slice(body.indexOf('[') + 1, body.lastIndexOf(']'));
    const bytes = Buffer.byteLength(records) - (keys.length - 1);
    return keys.length > 1 && bytes > batchBytes
      ? [
          violation(
            'I16',
            `${account}: ${bytes} bytes of records in one request, and ${batchBytes} are allowed`,
          ),
        ]
      : [];
  });
}

/** Two requests of one account in flight at the same time. Requests of a dead client do not count. */
function overlaps(seen: readonly SeenRequest[]): readonly Violation[] {
  return pairs(seen, sameAccount).flatMap(([one, next]) =>
    one.life === next.life && (one.end === undefined || next.start.order < one.end.order)
      ? [violation('I5', `${next.account}: a request began while another was in flight`)]
      : [],
  );
}

/** After an ambiguous answer the next request of the account must be about the same records. Refused records may be among them. */
function pastDoubt(seen: readonly SeenRequest[]): readonly Violation[] {
  return pairs(seen, sameAccount).flatMap(([one, next]) => {
    const isInDoubt = one.answer === 'ambiguous' || one.answer === undefined;
    return isInDoubt && !next.keys.includes(one.keys[0]!)
      ? [violation('I5', `${next.account}: a request of other records began while one was in doubt`)]
      : [];
  });
}

function afterEnd(seen: readonly SeenRequest[], setsAside: boolean): readonly Violation[] {
  return seen.flatMap((one) => {
    const { end, answer } = one;
    if ((answer !== 'stops' && answer !== 'foreign') || !end) return [];
    const isHeld = setsAside && answer === 'foreign' && !isThirdInARow(one, seen);
    const later = seen.filter(
      (other) =>
        other.life === one.life &&
        other.start.order > end.order &&
        (!isHeld || sameAccount(other) === sameAccount(one)),
    );
    return later.length > 0
      ? [violation('I7', `${later.length} requests began after an answer that ends the run`)]
      : [];
  });
}

/** Whether the two answers before a foreign one were foreign, too. Requests that are sent again have no answer yet. */
function isThirdInARow(one: SeenRequest, seen: readonly SeenRequest[]): boolean {
  const before = seen
    .filter(
      ({ life, end, answer }) =>
        life === one.life && end && end.order < one.end!.order && SETTLED.has(answer!),
    )
    .toSorted((a, b) => b.end!.order - a.end!.order)
    .slice(0, 2);
  return before.length === 2 && before.every(({ answer }) => answer === 'foreign');
}

const SETTLED: ReadonlySet<AnswerClass> = new Set(['ok', 'stops', 'foreign', 'present']);

function tooEarly(seen: readonly SeenRequest[]): readonly Violation[] {
  return seen.flatMap((one) => {
    const { end } = one;
    if (one.askedMs <= 0 || !end) return [];
    const early = seen.filter(
      (other) =>
        other.life === one.life && other.start.order > end.order && other.start.atMs < end.atMs + one.askedMs,
    );
    return early.length > 0
      ? [violation('I9', `${early.length} requests began before the ${one.askedMs} ms asked for were over`)]
      : [];
  });
}

function tooLong(
  seen: readonly SeenRequest[],
  { retryForMs }: { readonly retryForMs: number },
): readonly Violation[] {
  const begun = new Map<string, number>();
  return seen.flatMap(({ life, account, body, start, answer }) => {
    const batch = `${life} ${account} ${body}`;
    const first = begun.get(batch) ?? start.atMs;
    begun.set(batch, first);
    // Equal bodies after an answer that settles are another batch, of equal notes.
    if (answer !== 'ambiguous' && answer !== 'not_applied') begun.delete(batch);
    const triedMs = start.atMs - first;
    return triedMs > retryForMs ? [violation('I9', `a batch was still tried after ${triedMs} ms`)] : [];
  });
}

function sameAccount(request: SeenRequest): string {
  return `${request.resource} ${request.account}`;
}

/** Each request with the next request of its group. */
function pairs(
  seen: readonly SeenRequest[],
  groupOf: (request: SeenRequest) => string,
): readonly (readonly [SeenRequest, SeenRequest])[] {
  const last = new Map<string, SeenRequest>();
  return seen.flatMap((request) => {
    const before = last.get(groupOf(request));
    last.set(groupOf(request), request);
    return before ? [[before, request] as const] : [];
  });
}
