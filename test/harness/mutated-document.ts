import { chanceFrom, type Chance } from './chance.ts';
import { ACCOUNTS } from './served-platform.ts';

/** A document as a tree of texts. A text need not be JSON. */
type Piece =
  | { kind: 'object'; members: [key: string, value: Piece][] }
  | { kind: 'array'; items: Piece[] }
  | { kind: 'text'; text: string };

export interface MutatedDocument {
  /** Below `/v1/data-import/`. */
  readonly path: string;
  readonly body: Uint8Array;
  readonly mutations: readonly string[];
}

/** Texts that replace a value. The last ones are no JSON. */
const VALUES = [
  'null',
  'true',
  '0',
  '-0',
  '1.10',
  '"1.10"',
  '1e5',
  '1e400',
  '-1e-400',
  '12345678901234567.89',
  '9007199254740993',
  '"12345678901234567.89"',
  '9'.repeat(400),
  `"${'9'.repeat(400)}"`,
  '""',
  '" "',
  '"x"',
  '[]',
  '{}',
  '[[]]',
  '[{}]',
  '{"0":{}}',
  '"2026-02-30"',
  '"2026-01-01T24:00:00Z"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\ud83d\\ude00"',
  '"\u{1f600}"',
  '"e\u0301"',
  '"\u200b"',
  `"${'x'.repeat(5_000)}"`,
  '"\' OR 1=1 --"',
  '"__proto__"',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '"../../etc/passwd"',
  '"-"',
  '"1,000.00"',
  '"\u0661"',
  'NaN',
  'Infinity',
  '01',
  '.5',
  '5.',
  '+1',
  '0x10',
  "'x'",
  '"\t"',
  '"\\x41"',
  '/* */',
  '',
  'undefined',
  'True',
  '"',
];

const KEYS = [
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"amo\\u0075nt"',
  '"Amount"',
  '"amount "',
  '"\\ud800"',
  '""',
  '"notes"',
  '"import_supplier"',
  '"\u200bbody"',
  'amount',
  "'a'",
  '"length"',
];

type Mutation = (root: Piece, chance: Chance) => void;

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a value swapped': (root, chance) =>
    replace(anywhere(root, chance), { kind: 'text', text: chance.pick(VALUES) }),
  'a key doubled': (root, chance) => {
    const object = anyObject(root, chance);
    if (object.members.length > 0)
      object.members.push([chance.pick(object.members)[0], chance.pick(object.members)[1]]);
  },
  'a key renamed': (root, chance) => {
    const object = anyObject(root, chance);
    if (object.members.length > 0) chance.pick(object.members)[0] = chance.pick(KEYS);
  },
  'a key put in': (root, chance) =>
    void anyObject(root, chance).members.push([
      chance.pick(KEYS),
      { kind: 'text', text: chance.pick(VALUES) },
    ]),
  'a key removed': (root, chance) => {
    const { members } = anyObject(root, chance);
    members.splice(chance.below(members.length + 1), 1);
  },
  'nested deeper': (root, chance) => {
    const piece = anywhere(root, chance);
    const [depth, isList] = [1 + chance.below(chance.pick([3, 40, 3_000])), chance.below(2) === 0];
    const inner = written(piece);
    const text = isList
      ? '['.repeat(depth) + inner + ']'.repeat(depth)
      : '{"a":'.repeat(depth) + inner + '}'.repeat(depth);
    replace(piece, { kind: 'text', text });
  },
  'records doubled': (root, chance) => {
    const lists = piecesIn(root).flatMap(({ value }) =>
      value.kind === 'array' && value.items.length > 0 ? [value] : [],
    );
    if (lists.length === 0) return;
    const list = chance.pick(lists);
    const { items } = list;
    list.items = Array.from(
      { length: items.length * chance.pick([2, 3, 40]) },
      (_, index) => items[index % items.length]!,
    );
  },
  'a number grown': (root, chance) => {
    const piece = anywhere(root, chance);
    const digits = Array.from({ length: 1 + chance.below(40) }, () => chance.below(10)).join('');
    replace(piece, {
      kind: 'text',
      text: chance.pick([
        digits,
        `-${digits}`,
        `0.${digits}`,
        `"${digits}.${digits}"`,
        `1e${digits}`,
        `"-${digits}"`,
      ]),
    });
  },
  'many keys': (root, chance) => {
    const { members } = anyObject(root, chance);
    const count = chance.pick([10, 900, 1_100]);
    for (let key = 0; key < count; key++) members.push([`"k${key}"`, { kind: 'text', text: '0' }]);
  },
};

const BYTE_MUTATIONS: Readonly<Record<string, (bytes: Buffer, chance: Chance) => Buffer>> = {
  'bytes replaced': (bytes, chance) => {
    const changed = Buffer.from(bytes);
    changed[chance.below(changed.length)] = chance.below(256);
    return changed;
  },
  cut: (bytes, chance) => bytes.subarray(0, chance.below(bytes.length)),
  'another encoding': (bytes, chance) =>
    Buffer.from(bytes.toString(), chance.pick(['utf16le', 'latin1'] as const)),
  'a mark before it': (bytes) => Buffer.concat([Buffer.from('efbbbf', 'hex'), bytes]),
  'something behind it': (bytes, chance) =>
    Buffer.concat([bytes, Buffer.from(chance.pick(['{}', ' x', ',', '\0', '\n{}', ']']))]),
};

/** The names of all mutations. */
export const DOCUMENT_MUTATIONS = [...Object.keys(MUTATIONS), ...Object.keys(BYTE_MUTATIONS)];

/** The document of a seed: a valid document with unique records, after some mutations. */
export function mutatedDocument(seed: number): MutatedDocument {
  const chance = chanceFrom(seed);
  const [path, good] = goodDocument(seed, chance);
  const root = pieceOf(good);
  const mutations = Array.from({ length: chance.below(4) }, () => chance.pick(Object.keys(MUTATIONS)));
  for (const name of mutations) MUTATIONS[name]!(root, chance);
  const body = Buffer.from(written(root));
  if (chance.below(5) > 0 || body.length === 0) return { path, body, mutations };
  const name = chance.pick(Object.keys(BYTE_MUTATIONS));
  return { path, body: BYTE_MUTATIONS[name]!(body, chance), mutations: [...mutations, name] };
}

function goodDocument(seed: number, chance: Chance): readonly [path: string, document: unknown] {
  const account = { import_supplier: 'ACME', external_account_number: `A-${chance.below(ACCOUNTS)}` };
  const id = `d-${seed}`;
  const item = {
    start_date: '2026-01-01',
    end_date: '2026-01-31',
    number_of_units: 4,
    net_amount: 44,
    price_per_unit: 11,
    units: [1, 5],
  };
  const tax = { amount: 9.24, tax_type: 'VAT', value_taxed: 44, rate: 0.21, unit_type: 'PROPORTION' };
  const supply = {
    transaction_id: `${id}-s`,
    transaction_date: '2026-02-01',
    amount: 53.24,
    type: 'SUPPLY_CHARGE',
    product_code: 'FLEX-12',
    line_items: [item],
    tax_items: [tax],
  };
  return chance.pick<readonly [string, unknown]>([
    [
      'notes/create/',
      {
        ...account,
        notes: [
          { body: id, created_at: '2026-01-05T10:00:00Z', is_pinned: true, unpin_at: '2026-02-05T10:00:00Z' },
          { document_paths: [{ document_path: id }] },
        ],
      },
    ],
    [
      'transactions/create/',
      {
        ...account,
        transactions: [
          {
            transaction_id: id,
            transaction_date: '2026-01-01',
            amount: '1.00',
            type: 'CHARGE',
            reason: 'IMPORTED_CHARGE',
          },
          supply,
        ],
      },
    ],
    [
      'historical-statements/create/',
      {
        ...account,
        statements: [
          {
            statement_id: id,
            bill_period_from_date: '2026-01-01',
            bill_period_to_date: '2026-01-31',
            gross_amount: 5324,
          },
        ],
      },
    ],
    ['payment-instruction/create/', { ...account, vendor: 'STRIPE', reference: 'pi_1', type: 'CARD' }],
  ]);
}

function pieceOf(value: unknown): Piece {
  if (Array.isArray(value)) return { kind: 'array', items: value.map(pieceOf) };
  if (typeof value !== 'object' || value === null) return { kind: 'text', text: JSON.stringify(value) };
  return {
    kind: 'object',
    members: Object.entries(value).map(([key, part]) => [JSON.stringify(key), pieceOf(part)]),
  };
}

function written(piece: Piece): string {
  if (piece.kind === 'text') return piece.text;
  if (piece.kind === 'array') return `[${piece.items.map(written).join(',')}]`;
  return `{${piece.members.map(([key, value]) => `${key}:${written(value)}`).join(',')}}`;
}

/** Every piece of a document, the outer ones first. */
function piecesIn(piece: Piece): readonly { readonly value: Piece }[] {
  const parts =
    piece.kind === 'array'
      ? piece.items
      : piece.kind === 'object'
        ? piece.members.map(([, value]) => value)
        : [];
  return [{ value: piece }, ...parts.flatMap(piecesIn)];
}

function anywhere(root: Piece, chance: Chance): Piece {
  return chance.pick(piecesIn(root)).value;
}

function anyObject(root: Piece, chance: Chance): { members: [string, Piece][] } {
  const objects = piecesIn(root).flatMap(({ value }) => (value.kind === 'object' ? [value] : []));
  return objects.length === 0 ? { members: [] } : chance.pick(objects);
}

/** Replaces a piece in place, because several lists may contain it. */
function replace(piece: Piece, other: Piece): void {
  for (const key of Object.keys(piece)) delete (piece as unknown as Record<string, unknown>)[key];
  Object.assign(piece, other);
}
