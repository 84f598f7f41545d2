import { chanceFrom, type Chance } from './chance.ts';
import { ACCOUNTS } from './served-platform.ts';

/** A request as bytes. */
export interface MutatedRequest {
  /** Each is written separately. */
  readonly packets: readonly Uint8Array[];
  /** Names of the mutations. */
  readonly mutations: readonly string[];
}

interface Sender {
  readonly token: string;
}

/** Changes the bytes of one or more requests. */
type Mutation = (bytes: Buffer, chance: Chance) => Buffer;

const HEADERS = [
  'Host: localhost',
  'Host: evil.com',
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: 99999999',
  'Content-Length: -1',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip',
  'Transfer-Encoding: identity',
  'Expect: 100-continue',
  'Expect: banana',
  'Connection: close',
  'Connection: Upgrade',
  'Upgrade: h2c',
  'Content-Type: text/plain',
  'Content-Type: application/json;',
  'Content-Encoding: gzip',
  'Authorization: Token x',
  'Authorization: Bearer x',
  'Origin: http://evil.com',
  'Sec-Fetch-Site: cross-site',
  'X-Forwarded-For: 1.2.3.4',
  '__proto__: x',
  'Cookie: a=b',
  ': x',
  'X\u00fc: y',
  ' folded',
  'X : y',
  'Trailer: X',
  'TE: trailers',
  `X-Long: ${'x'.repeat(20_000)}`,
];

const LINES = [
  'GET / HTTP/1.1',
  'GET / HTTP/1.0',
  'GET /',
  'TRACE / HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'CONNECT a:1 HTTP/1.1',
  'POST  / HTTP/1.1',
  'PRI * HTTP/2.0',
  'get / HTTP/1.1',
  'GET http://evil.com/ HTTP/1.1',
  'GET /%zz HTTP/1.1',
  'GET /%00 HTTP/1.1',
  'HEAD /_local/health HTTP/1.1',
  'DELETE /v1/data-import/notes/create/ HTTP/1.1',
  'GET /_local/ledger?kind=nothing HTTP/1.1',
  'GET /v1/data-import/account-transfer-status/ACME/%F0%9F%98%80/ HTTP/1.1',
  'QUERY / HTTP/1.1',
  'GET / HTTP/9.9',
];

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'bytes flipped': (bytes, chance) => {
    const changed = Buffer.from(bytes);
    for (let times = 1 + chance.below(4); times > 0; times--)
      changed[chance.below(changed.length)]! ^= 1 << chance.below(8);
    return changed;
  },
  'bytes replaced': (bytes, chance) => {
    const changed = Buffer.from(bytes);
    for (let times = 1 + chance.below(4); times > 0; times--)
      changed[chance.below(changed.length)] = chance.below(256);
    return changed;
  },
  'bytes removed': (bytes, chance) => {
    const [from, length] = [chance.below(bytes.length), 1 + chance.below(20)];
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);
  },
  'bytes doubled': (bytes, chance) => {
    const [from, length] = [chance.below(bytes.length), 1 + chance.below(40)];
    return Buffer.concat([bytes.subarray(0, from + length), bytes.subarray(from)]);
  },
  'bytes put in': (bytes, chance) => {
    const at = chance.below(bytes.length);
    const junk = Buffer.from(Array.from({ length: 1 + chance.below(8) }, () => chance.below(256)));
    return Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at)]);
  },
  'a header put in': (bytes, chance) => withLine(bytes, chance, chance.pick(HEADERS)),
  'a header doubled': (bytes, chance) => {
    const lines = bytes.toString('latin1').split('\r\n');
    const body = lines.indexOf('');
    return withLine(bytes, chance, lines[1 + chance.below(Math.max(1, body - 1))] ?? '');
  },
  'another first line': (bytes, chance) => {
    const end = bytes.indexOf('\r\n');
    return end < 0 ? bytes : Buffer.concat([Buffer.from(chance.pick(LINES)), bytes.subarray(end)]);
  },
  'line ends changed': (bytes, chance) =>
    Buffer.from(
      bytes
        .toString('latin1')
        .replaceAll('\r\n', () => (chance.below(4) === 0 ? chance.pick(['\n', '\r', '\r\r\n', '']) : '\r\n')),
      'latin1',
    ),
  'body cut': (bytes, chance) => bytes.subarray(0, 1 + chance.below(bytes.length)),
  'another behind it': (bytes) => Buffer.concat([bytes, bytes]),
  'junk behind it': (bytes, chance) => Buffer.concat([bytes, randomBytes(chance, 1 + chance.below(200))]),
};

/** The names of all mutations. */
export const MUTATION_NAMES = ['random bytes', ...Object.keys(MUTATIONS)];

/** The request of a seed: a valid request after some mutations, or 64 random bytes. */
export function mutatedRequest(seed: number, sender: Sender): MutatedRequest {
  const chance = chanceFrom(seed);
  if (chance.below(10) === 0) return { packets: [randomBytes(chance, 64)], mutations: ['random bytes'] };
  let bytes = goodRequest(seed, chance, sender);
  const mutations = Array.from({ length: 1 + chance.below(3) }, () => chance.pick(Object.keys(MUTATIONS)));
  for (const name of mutations) bytes = bytes.length === 0 ? bytes : MUTATIONS[name]!(bytes, chance);
  return { packets: split(bytes, chance), mutations };
}

/** A valid request with a unique record. */
function goodRequest(seed: number, chance: Chance, { token }: Sender): Buffer {
  const account = { import_supplier: 'ACME', external_account_number: `A-${chance.below(ACCOUNTS)}` };
  const id = `r-${seed}`;
  const [path, content] = chance.pick<readonly [string, unknown]>([
    ['notes/create/', { ...account, notes: [{ body: id }, { body: `${id} again` }] }],
    [
      'transactions/create/',
      {
        ...account,
        transactions: [
          { transaction_id: id, transaction_date: '2026-01-01', amount: '1.00', type: 'CHARGE' },
        ],
      },
    ],
    [
      'historical-statements/create/',
      {
        ...account,
        statements: [
          { statement_id: id, bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31' },
        ],
      },
    ],
    ['payment-instruction/create/', { ...account, vendor: 'STRIPE', reference: 'pi_1', type: 'CARD' }],
    ['account-transfer-status/ACME/A-1/', undefined],
    ['all-account-import-processes/ACME/', undefined],
  ]);
  const body = content === undefined ? '' : JSON.stringify(content);
  const isChunked = body !== '' && chance.below(4) === 0;
  const framed = isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  const framing =
    body === ''
      ? []
      : [
          isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
          'Content-Type: application/json',
        ];
  const head = [
    `${body === '' ? 'GET' : 'POST'} /v1/data-import/${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Token ${token}`,
    ...framing,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${framed}`);
}

function withLine(bytes: Buffer, chance: Chance, line: string): Buffer {
  const lines = bytes.toString('latin1').split('\r\n');
  const blank = lines.indexOf('');
  lines.splice(1 + chance.below(Math.max(1, blank)), 0, line);
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

/** Splits the bytes at random positions, most often not at all. */
function split(bytes: Buffer, chance: Chance): readonly Uint8Array[] {
  const cuts =
    chance.below(3) > 0
      ? []
      : Array.from({ length: 1 + chance.below(3) }, () => chance.below(bytes.length + 1));
  const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

function randomBytes(chance: Chance, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => chance.below(256)));
}
