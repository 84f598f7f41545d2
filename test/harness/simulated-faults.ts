import type { PlatformAnswer } from '../../src/cli/push/ports/platform.ts';
import type { Chance } from './chance.ts';
import { exactJson, exactText, type Exact } from './oracle/exact-json.ts';
import type { AnswerClass } from './request-log.ts';
import { ABSURD_WAITS } from './odd-answers.ts';
import type { Arrived } from './simulated-request.ts';

/** Everything that an answer is made from. */
export interface Answering extends Arrived {
  /** Index of the first record that was not applied. */
  readonly left: number;
  /** The answer to the whole request. */
  foreseen(): PlatformAnswer;
  /** The last good answer to any request. */
  readonly before: PlatformAnswer;
  readonly chance: Chance;
  readonly nowMs: number;
}

/** One way for a request to go wrong. */
export interface SimulatedFault {
  readonly name: string;
  /** The part of the request that the platform applies. */
  readonly applied: 'no' | 'yes' | 'later' | 'prefix' | 'all but the last';
  readonly means: AnswerClass;
  readonly answer: (request: Answering) => PlatformAnswer;
  /** The wait that the answer asks for, in milliseconds. */
  readonly askedMs?: (answer: PlatformAnswer) => number;
  /** The extra time until the answer, in milliseconds. */
  readonly afterMs?: number;
  /** Whether the answer repeats a record with another value, which must not be reported as created. */
  readonly misquotes?: 'first' | 'last';
  /** Whether the answer goes to a request of another account, which gets this one. */
  readonly swaps?: true;
  /** Whether it can happen to this request. */
  readonly fits?: (arrived: Arrived) => boolean;
}

type Reply = SimulatedFault['answer'];

const lost: Reply = () => ({ kind: 'lost', reason: 'reset' });
const timedOut: Reply = () => ({ kind: 'lost', reason: 'no whole answer in time', timedOut: true });
const status =
  (code: number, body = '', headers: Readonly<Record<string, string>> = {}): Reply =>
  () => ({ kind: 'answer', status: code, headers, body });
const HTML = '<!doctype html><html><body>Please log in</body></html>';
const only =
  (...resources: readonly string[]) =>
  ({ resource, records }: Arrived): boolean =>
    resources.includes(resource) && records.length > 1;

/** The wait of Retry-After, parsed without code of the product. */
function asked(answer: PlatformAnswer): number {
  if (answer.kind !== 'answer') return 0;
  const { 'retry-after': text, date } = answer.headers;
  if (text === undefined) return 0;
  return /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.parse(date!);
}

const busy =
  (code: number): Reply =>
  ({ chance, nowMs }) => {
    const seconds = chance.pick([0, 1, 3, 30, 120, 3_000]);
    // The clock of the platform is wrong by an hour, so only its own Date may be used.
    const date = new Date(nowMs - 3_600_000);
    const until = new Date(date.getTime() + seconds * 1000);
    const headers = chance.pick<Readonly<Record<string, string>>>([
      { 'retry-after': String(seconds) },
      { 'retry-after': until.toUTCString(), date: date.toUTCString() },
      {},
    ]);
    return { kind: 'answer', status: code, headers, body: '' };
  };

/** A good answer with its items changed. */
const items =
  (change: (items: Exact[], request: Answering) => void): Reply =>
  (request) => {
    const answer = request.foreseen();
    if (answer.kind !== 'answer') return answer;
    const body = exactJson(answer.body);
    const list = (Array.isArray(body) ? body : Object.values(body as object).find(Array.isArray)) as Exact[];
    change(list, request);
    return { ...answer, body: exactText(body) };
  };

/** The field of a record that a misquoting answer changes, and its new value. */
const MISQUOTED: Readonly<Record<string, Readonly<Record<string, Exact>>>> = {
  transactions: { amount: '123456.78' },
  statements: { bill_period_to_date: '2031-12-31' },
};

const misquoting = (which: 'first' | 'last'): Reply =>
  items((list, { resource }) => {
    const at = which === 'first' ? 0 : list.length - 1;
    const item = list[at] as Readonly<Record<string, Exact>>;
    const change = MISQUOTED[resource]!;
    list[at] =
      resource === 'transactions'
        ? { ...item, transaction_data: { ...(item['transaction_data'] as object), ...change } }
        : { ...item, ...change };
  });

/** A good answer that names another account, in its first item or beside all items. */
const ofAnotherAccount: Reply = (request) => {
  const answer = request.foreseen();
  if (answer.kind !== 'answer') return answer;
  const body = exactJson(answer.body);
  const name = { external_account_number: 'another-account' };
  const named = Array.isArray(body)
    ? [{ ...(body[0] as object), ...name }, ...body.slice(1)]
    : { ...(body as object), ...name };
  return { ...answer, body: exactText(named as Exact) };
};

/** A good answer with an error at the top of its body. */
const beside =
  (failure: Readonly<Record<string, Exact>>): Reply =>
  (request) => {
    const answer = request.foreseen();
    if (answer.kind !== 'answer') return answer;
    return { ...answer, body: exactText({ ...(exactJson(answer.body) as object), ...failure }) };
  };

/** The body of an answer is an object, so that it can have an error at its top. */
const isObject = ({ resource }: Arrived): boolean => resource !== 'notes';

/** A 400 of the platform's shape whose `attr` leads to nothing that was sent. */
const unusable: Reply = ({ resource, chance }) => {
  const list = resource === 'payment-instructions' ? 'transactions' : resource;
  const attr = chance.pick(['', '__proto__.x', 'constructor', `${list}.0.nonsense`, `${list}.x.type`, 7]);
  const errors = [{ detail: 'x', code: 'invalid', attr }];
  const body = JSON.stringify({ detail: 'x', code: 'validation_error', errors });
  return { kind: 'answer', status: 400, headers: { 'content-type': 'application/json' }, body };
};

/** A Retry-After that nobody can obey. */
const absurd: Reply = ({ chance }) => ({
  kind: 'answer',
  status: 503,
  headers: { 'retry-after': chance.pick(ABSURD_WAITS) },
  body: '',
});

/** JSON of a gateway, with its content type. */
const gateway =
  (code: number, body: unknown, type = 'application/json'): Reply =>
  () => ({ kind: 'answer', status: code, headers: { 'content-type': type }, body: JSON.stringify(body) });

/** A refusal whose body ends early, with an end that looks like the end of the answer. */
const cutRefusal: Reply = (request) => {
  const answer = refusal(request, request.left, request.chance);
  if (answer.kind !== 'answer') return answer;
  const body = answer.body.slice(0, request.chance.below(answer.body.length));
  return { ...answer, headers: { 'content-type': 'application/json' }, body };
};

const failing = (list: Exact[], { left }: Answering): void => {
  list[left] = { ...(list[left] as object), status: 'TRANSACTION_IMPORT_ERROR' } as Exact;
};

/** A body that ends early, with an end that looks like the end of the answer. */
const shortened: Reply = (request) => {
  const answer = request.foreseen();
  if (answer.kind !== 'answer') return answer;
  return { ...answer, body: answer.body.slice(0, request.chance.below(answer.body.length)) };
};

/** A 400 because of one record, in any of the four shapes (deployments.md, "Responses"). */
export function refusal({ resource, records }: Arrived, wrong: number, chance: Chance): PlatformAnswer {
  const isAlone = resource === 'payment-instructions';
  const field = {
    notes: 'body',
    transactions: 'amount',
    statements: 'number',
    'payment-instructions': 'vendor',
  }[resource];
  const attr = isAlone ? field : `${resource}.${wrong}.${field}`;
  const shapes: unknown[] = [
    { detail: 'x', code: 'validation_error', errors: [{ detail: 'x', code: 'invalid', attr }] },
    { non_field_errors: ['x'] },
    isAlone ? { [field]: ['x'] } : { [resource]: { [String(wrong)]: { [field]: ['x'] } } },
  ];
  const one = JSON.parse(exactText(records[wrong]!)) as unknown;
  const shape4 = { status: 'TRANSACTION_IMPORT_ERROR', error_detail: 'x', transaction_data: one };
  if (resource === 'transactions') shapes.push(shape4, shape4);
  return { kind: 'answer', status: 400, headers: {}, body: JSON.stringify(chance.pick(shapes)) };
}

/** Such a 400 for a reason that is gone at the next attempt. */
const refused: Reply = (request) => refusal(request, request.left, request.chance);

/** The last good answer to another request. An answer to the same request would be no fault. */
const ofAnother: Reply = ({ before, foreseen }) => {
  const own = foreseen();
  const isOwn = before.kind === 'answer' && own.kind === 'answer' && sameRecords(before.body, own.body);
  return isOwn ? { kind: 'lost', reason: 'reset' } : before;
};

/**
 * Whether two answers are about the same records, as far as an answer shows. An answer to an earlier attempt is right. Notes have
 * no id, so an answer to notes with the same bodies or with the same times looks like the own answer.
 */
export function sameRecords(a: string, b: string): boolean {
  const bare = (text: string): string => text.replaceAll(/"(?:status|created_at)":"[^"]*"/g, '');
  return bare(a) === bare(b) || areAlikeNotes(JSON.parse(a), JSON.parse(b));
}

function areAlikeNotes(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return (a as readonly Partial<Record<'body' | 'created_at', string>>[]).every((one, index) => {
    const other = (b as readonly (typeof one)[])[index]!;
    return one.body === other.body || one.created_at === other.created_at;
  });
}

/** Every fault of one request that a run must survive. */
export const FAULTS: readonly SimulatedFault[] = [
  { name: 'lost before it arrived', applied: 'no', means: 'ambiguous', answer: lost },
  { name: 'answer lost', applied: 'yes', means: 'ambiguous', answer: lost },
  { name: 'answer lost, applied later', applied: 'later', means: 'ambiguous', answer: lost },
  { name: 'too slow, applied', applied: 'yes', means: 'ambiguous', answer: timedOut, afterMs: 120_000 },
  {
    name: 'too slow, applied later',
    applied: 'later',
    means: 'ambiguous',
    answer: timedOut,
    afterMs: 120_000,
  },
  {
    name: 'never left',
    applied: 'no',
    means: 'not_applied',
    answer: () => ({ kind: 'not_sent', reason: 'refused' }),
  },
  { name: '500 before commit', applied: 'no', means: 'ambiguous', answer: status(500, 'oops') },
  {
    name: '500 after commit',
    applied: 'yes',
    means: 'ambiguous',
    answer: status(500, '{"detail":"x","code":"error"}'),
  },
  {
    name: '500 after a part',
    applied: 'prefix',
    means: 'ambiguous',
    answer: status(500),
    fits: only('notes', 'transactions'),
  },
  { name: '502 with a page', applied: 'no', means: 'ambiguous', answer: status(502, HTML) },
  { name: '504 with a page, applied', applied: 'yes', means: 'ambiguous', answer: status(504, HTML) },
  { name: '504 with a page, applied later', applied: 'later', means: 'ambiguous', answer: status(504, HTML) },
  { name: '408 before commit', applied: 'no', means: 'ambiguous', answer: status(408) },
  { name: '408 after commit', applied: 'yes', means: 'ambiguous', answer: status(408) },
  { name: '503 with Retry-After', applied: 'no', means: 'ambiguous', answer: busy(503), askedMs: asked },
  {
    name: '503 with Retry-After, applied',
    applied: 'yes',
    means: 'ambiguous',
    answer: busy(503),
    askedMs: asked,
  },
  { name: '429', applied: 'no', means: 'not_applied', answer: busy(429), askedMs: asked },
  {
    name: '413',
    applied: 'no',
    means: 'too_large',
    answer: status(413, HTML),
    fits: ({ records }) => records.length > 1,
  },
  { name: 'captive portal', applied: 'no', means: 'ambiguous', answer: status(200, HTML) },
  { name: 'a page with 201, applied', applied: 'yes', means: 'ambiguous', answer: status(201, HTML) },
  { name: '202', applied: 'no', means: 'ambiguous', answer: status(202, '{}') },
  { name: '202, applied later', applied: 'later', means: 'ambiguous', answer: status(202) },
  { name: '204, applied', applied: 'yes', means: 'ambiguous', answer: status(204) },
  { name: '201 with an empty body', applied: 'no', means: 'ambiguous', answer: status(201) },
  { name: '201 that ends early, applied', applied: 'yes', means: 'ambiguous', answer: shortened },
  { name: '201 that ends early, not applied', applied: 'no', means: 'ambiguous', answer: shortened },
  { name: '201 of another request', applied: 'no', means: 'ambiguous', answer: ofAnother },
  { name: '201 of another request, applied', applied: 'yes', means: 'ambiguous', answer: ofAnother },
  {
    name: '201 with an item missing',
    applied: 'all but the last',
    means: 'ambiguous',
    answer: items((list, { left }) => list.splice(left, 1)),
    fits: only('notes', 'transactions'),
  },
  {
    name: '201 with an item instead of another',
    applied: 'all but the last',
    means: 'ambiguous',
    answer: items((list, { left }) => (list[left] = list[left === 0 ? 1 : 0]!)),
    fits: only('transactions'),
  },
  {
    name: '201 with an item twice',
    applied: 'yes',
    means: 'ambiguous',
    answer: items((list) => list.push(list[0]!)),
    fits: only('notes', 'transactions', 'statements'),
  },
  {
    name: '201 with an unknown status',
    applied: 'all but the last',
    means: 'ambiguous',
    answer: items((list, { left }) => (list[left] = { ...(list[left] as object), status: 'QUEUED' })),
    fits: only('notes', 'transactions'),
  },
  {
    name: '201 in another order with a failing item',
    applied: 'all but the last',
    means: 'stops',
    answer: items((list, request) => {
      failing(list, request);
      list.reverse();
    }),
    fits: only('transactions'),
  },
  { name: '400', applied: 'no', means: 'stops', answer: refused },
  {
    name: '400 after a part',
    applied: 'prefix',
    means: 'stops',
    answer: refused,
    fits: only('transactions'),
  },
  {
    name: '400 without a record after a part',
    applied: 'prefix',
    means: 'stops',
    answer: status(400, '{"non_field_errors":["x"]}'),
    fits: only('transactions'),
  },
  { name: '401', applied: 'no', means: 'stops', answer: status(401, '{"detail":"x"}') },
  { name: '403', applied: 'no', means: 'foreign', answer: status(403, '{"detail":"x"}') },
  { name: '404 with a page', applied: 'no', means: 'foreign', answer: status(404, HTML) },
  { name: '403 with a page, applied', applied: 'yes', means: 'foreign', answer: status(403, HTML) },
  {
    name: '403 of a gateway, applied',
    applied: 'yes',
    means: 'foreign',
    answer: status(403, '{"message":"Forbidden"}'),
  },
  {
    name: '307',
    applied: 'no',
    means: 'foreign',
    answer: status(307, '', { location: 'https://elsewhere.example/' }),
  },
  { name: '302, applied', applied: 'yes', means: 'foreign', answer: status(302, '', { location: '/' }) },
  {
    name: '400 of another transaction, applied',
    applied: 'yes',
    means: 'ambiguous',
    answer: status(
      400,
      '{"status":"TRANSACTION_IMPORT_ERROR","error_detail":"x","transaction_data":{"transaction_id":"?"}}',
    ),
    fits: only('transactions'),
  },
  {
    name: '201 that repeats another value of the first record, applied',
    applied: 'yes',
    means: 'ok',
    answer: misquoting('first'),
    misquotes: 'first',
    fits: ({ resource }) => resource in MISQUOTED,
  },
  {
    name: '201 that repeats another value of the last record, applied',
    applied: 'yes',
    means: 'ok',
    answer: misquoting('last'),
    misquotes: 'last',
    fits: ({ resource }) => resource in MISQUOTED,
  },
  {
    name: '201s of two accounts swapped, applied',
    applied: 'yes',
    means: 'ambiguous',
    answer: ({ foreseen }) => foreseen(),
    swaps: true,
  },
  { name: '201 of another account', applied: 'no', means: 'ambiguous', answer: ofAnotherAccount },
  { name: '201 of another account, applied', applied: 'yes', means: 'ambiguous', answer: ofAnotherAccount },
  { name: '400 that ends early', applied: 'no', means: 'ambiguous', answer: cutRefusal },
  {
    name: 'gateway: a problem, applied',
    applied: 'yes',
    means: 'foreign',
    answer: gateway(400, { type: 'about:blank', title: 'x', detail: 'x' }, 'application/problem+json'),
  },
  {
    name: 'gateway: words of another content type, applied',
    applied: 'yes',
    means: 'foreign',
    answer: gateway(404, { detail: 'Not found.' }, 'text/html'),
  },
  {
    name: 'gateway: a code of its own, applied',
    applied: 'yes',
    means: 'foreign',
    answer: gateway(400, { errors: [{ code: 'WAF1' }] }),
  },
  {
    name: 'gateway: no errors, applied',
    applied: 'yes',
    means: 'foreign',
    answer: gateway(400, { errors: [] }),
  },
  {
    name: '201 beside an error status',
    applied: 'no',
    means: 'ambiguous',
    answer: beside({ status: 'TRANSACTION_IMPORT_ERROR' }),
    fits: isObject,
  },
  {
    name: '201 beside an error status, applied',
    applied: 'yes',
    means: 'ambiguous',
    answer: beside({ status: 'TRANSACTION_IMPORT_ERROR', error_detail: 'x' }),
    fits: isObject,
  },
  {
    name: '201 beside errors',
    applied: 'no',
    means: 'ambiguous',
    answer: beside({ errors: [{ detail: 'x', code: 'invalid', attr: null }] }),
    fits: isObject,
  },
  {
    name: '201 beside error_detail after a part',
    applied: 'prefix',
    means: 'ambiguous',
    answer: beside({ error_detail: 'x' }),
    fits: only('transactions'),
  },
  ...[
    [409, 'error'],
    [422, 'validation_error'],
    [405, 'error'],
    [403, 'invalid'],
    [400, 'throttled'],
  ].map(([code, named]): SimulatedFault => ({
    name: `${code} with the code ${named}, applied`,
    applied: 'yes',
    means: 'foreign',
    answer: status(code as number, JSON.stringify({ detail: 'x', code: named }), {
      'content-type': 'application/json',
    }),
  })),
  {
    name: 'an attr that leads to nothing, applied',
    applied: 'yes',
    means: 'foreign',
    answer: unusable,
    fits: ({ resource }) => resource !== 'payment-instructions',
  },
  { name: 'an absurd Retry-After, applied', applied: 'yes', means: 'ambiguous', answer: absurd },
];
