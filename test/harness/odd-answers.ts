import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { PlatformAnswer } from '../../src/cli/push/ports/platform.ts';
import { exactJson, exactText, type Exact } from './oracle/exact-json.ts';
import type { OracleResource } from './oracle/records.ts';
import { LIST_OF } from './simulated-answers.ts';
import { bytesOf, type RawAnswer } from './raw-server.ts';

type Answer = Extract<PlatformAnswer, { kind: 'answer' }>;

/** An answer as servers and proxies get it wrong. */
export interface OddAnswer {
  /** Whether the platform has stored the records. */
  readonly isStored: boolean;
  /** The bytes in place of the right answer. */
  readonly bytes: (right: Answer, resource: OracleResource) => RawAnswer;
}

/** Informational answers before the real one. */
const FLOOD = 1_000;

const whole = (bytes: Uint8Array): RawAnswer => ({ bytes, close: false });
const plain = (answer: Answer): RawAnswer => whole(bytesOf(answer, 'content-length'));

const flooded =
  (line: string) =>
  (answer: Answer): RawAnswer =>
    whole(
      Buffer.concat([
        Buffer.from(`HTTP/1.1 ${line}\r\n\r\n`.repeat(FLOOD)),
        bytesOf(answer, 'content-length'),
      ]),
    );

/** An answer with these headers, in place of those that describe its content. */
function labelled(
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  status = '201 Created',
): RawAnswer {
  const all = { 'content-type': 'application/json', ...headers, 'content-length': String(body.length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return whole(Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`), body]));
}

const trailed =
  (trailers: string) =>
  (answer: Answer): RawAnswer => {
    const chunked = Buffer.from(bytesOf(answer, 'chunked'));
    return whole(Buffer.concat([chunked.subarray(0, -2), Buffer.from(trailers)]));
  };

const CHUNKED = 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n';
const dripping = (head: string, drip: string) => (): RawAnswer => ({
  bytes: Buffer.from(head),
  close: false,
  drip: Buffer.from(drip),
});

/** The wire carries the answer in a way that no client has asked for. */
const ON_THE_WIRE: Readonly<Record<string, (answer: Answer) => RawAnswer>> = {
  'a flood of 100 Continue': flooded('100 Continue'),
  'a flood of 102 Processing': flooded('102 Processing'),
  'a flood of 103 Early Hints': flooded('103 Early Hints\r\nlink: </x>'),
  'trailers that say the contrary': trailed('x-status: TRANSACTION_IMPORT_ERROR\r\nstatus: 400\r\n\r\n'),
  'trailers with another length': trailed('content-length: 2\r\ncontent-encoding: gzip\r\n\r\n'),
  compressed: ({ body }) => labelled(gzipSync(body), { 'content-encoding': 'gzip' }),
  'compressed and cut': ({ body }) =>
    labelled(gzipSync(body).subarray(0, -8), { 'content-encoding': 'gzip' }),
  deflated: ({ body }) => labelled(deflateSync(body), { 'content-encoding': 'deflate' }),
  'deflated without a frame': ({ body }) => labelled(deflateRawSync(body), { 'content-encoding': 'deflate' }),
  'compressed by br': ({ body }) => labelled(brotliCompressSync(body), { 'content-encoding': 'br' }),
  'compressed in a way that nobody knows': ({ body }) =>
    labelled(gzipSync(body), { 'content-encoding': 'compress' }),
  'a 403 with a page that is not UTF-8': () =>
    labelled(Buffer.from('<p>Accès refusé</p>', 'latin1'), { 'content-type': 'text/html' }, '403 Forbidden'),
  'a 409 that is not UTF-8': () =>
    labelled(Buffer.from('{"detail":"schon verbucht für März"}', 'latin1'), {}, '409 Conflict'),
  'a 400 in UTF-16 with a code that nobody knows': () =>
    labelled(
      Buffer.from('{"detail":"x","code":"unique"}', 'utf16le'),
      { 'content-type': 'application/json; charset=utf-16' },
      '400 Bad Request',
    ),
  'a compressed 400 that is a list': () =>
    labelled(gzipSync('["x"]'), { 'content-encoding': 'gzip' }, '400 Bad Request'),
  'a client that stands still until its time is over': (answer) => ({ ...plain(answer), standsStill: true }),
  'a 400 that is compressed and cut': () =>
    labelled(gzipSync('{"detail":"x"}').subarray(0, -8), { 'content-encoding': 'gzip' }, '400 Bad Request'),
  'compressed without a label': ({ body }) => labelled(gzipSync(body), {}),
  'labelled as compressed': ({ body }) => labelled(Buffer.from(body), { 'content-encoding': 'gzip' }),
  'labelled as compressed by br': ({ body }) => labelled(Buffer.from(body), { 'content-encoding': 'br' }),
  'labelled as a page': ({ body }) => labelled(Buffer.from(body), { 'content-type': 'text/html' }),
  'labelled as UTF-16': ({ body }) =>
    labelled(Buffer.from(body, 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }),
  'a drip without end': dripping(`${CHUNKED}\r\n`, '1\r\n \r\n'),
  'a drip of headers without end': dripping(CHUNKED, 'x-more: 1\r\n'),
  'a drip of 103 Early Hints without end': dripping('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
};

/** What stands at the top of a body beside a list of successes. */
const CONTRADICTIONS: readonly Readonly<Record<string, Exact>>[] = [
  { status: 'TRANSACTION_IMPORT_ERROR' },
  { status: 'TRANSACTION_IMPORT_ERROR', error_detail: 'x' },
  { error_detail: 'x' },
  { errors: [{ detail: 'x', code: 'invalid', attr: null }] },
  { detail: 'x', code: 'error' },
  { non_field_errors: ['x'] },
  { dry_run: true },
];

/** A code of the platform beside a status that it does not have. */
const WRONG_PAIRS: readonly (readonly [number, string])[] = [
  [409, 'error'],
  [422, 'validation_error'],
  [405, 'error'],
  [403, 'invalid'],
  [400, 'throttled'],
  [404, 'invalid'],
  [415, 'validation_error'],
];

/** An `attr` that leads to nothing that was sent; LIST is the list of the resource. */
const UNUSABLE = [
  '',
  '__proto__.x',
  'constructor',
  'LIST.0.nonsense',
  'LIST.x.type',
  'LIST.99.type',
  'x.0',
  7,
];

/** A Retry-After that nobody can obey. */
export const ABSURD_WAITS = [
  '-5',
  '1e9',
  '0.5',
  'never',
  '',
  '99999999999999999999',
  'Thu, 01 Jan 1970',
  '1, 2',
];

const answered = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): RawAnswer =>
  plain({ kind: 'answer', status, headers, body: JSON.stringify(body) });

const stored = (bytes: OddAnswer['bytes']): OddAnswer => ({ isStored: true, bytes });

function contradiction(top: Readonly<Record<string, Exact>>, isStored: boolean): [string, OddAnswer] {
  const name = `success beside ${Object.keys(top).join(' and ')}, ${isStored ? 'stored' : 'not stored'}`;
  const bytes = (answer: Answer): RawAnswer => {
    const body = exactJson(answer.body);
    // Notes are answered with a list, which has no top.
    const beside = Array.isArray(body) ? top : { ...(body as object), ...top };
    return plain({ ...answer, body: exactText(beside) });
  };
  return [name, { isStored, bytes }];
}

/** Answers to a request, as servers and proxies get them wrong: each of them leaves the records in doubt, or says that they are there. */
export const ODD_ANSWERS: ReadonlyMap<string, OddAnswer> = new Map<string, OddAnswer>([
  ...Object.entries(ON_THE_WIRE).map(([name, bytes]): [string, OddAnswer] => [name, stored(bytes)]),
  ...CONTRADICTIONS.flatMap((top) => [contradiction(top, true), contradiction(top, false)]),
  ...WRONG_PAIRS.map(([status, code]): [string, OddAnswer] => [
    `${status} with the code ${code}`,
    stored(() => answered(status, { detail: 'x', code })),
  ]),
  ...UNUSABLE.map((attr): [string, OddAnswer] => [
    `a 400 with the attr ${JSON.stringify(attr)}`,
    stored((_, resource) => {
      const named =
        typeof attr === 'string' ? attr.replace('LIST', LIST_OF[resource] ?? 'transactions') : attr;
      const errors = [{ detail: 'x', code: 'invalid', attr: named }];
      return answered(400, { detail: 'x', code: 'validation_error', errors });
    }),
  ]),
  ...ABSURD_WAITS.map((wait): [string, OddAnswer] => [
    `a 503 with Retry-After: ${JSON.stringify(wait)}`,
    stored(() => answered(503, '', { 'retry-after': wait })),
  ]),
]);
