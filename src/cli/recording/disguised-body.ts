import { Decimal } from '../../core/values/decimal.ts';
import { exactJson, UnreadableNumber } from '../../core/values/exact-json.ts';
import {
  recordShape,
  type FieldShape,
  type LeafShape,
  type ObjectShape,
} from '../mapping/language/fields.ts';
import { IMPORT_STATUSES } from '../../core/contract/account-import.ts';
import { DESCRIPTORS, RESOURCES } from '../../core/contract/resources.ts';
import { FIELD_CODES, HTTP_CODES, RULE_CODES } from '../../core/error-codes/platform-codes.ts';
import { disguised, wordsIn, type Disguise } from './disguise.ts';

/** Keys whose values are words of the interface or of the operator. */
const NAMING: ReadonlySet<string> = new Set(['attr', 'code', 'errorCode', 'errorType', 'status', 'type']);

/** A name or a path of names, as programs write them. A value of a customer with so many digits in a row is none. */
const NAME = /^(?!.*\d{4})[A-Za-z_][\w.-]{0,100}$/;

/** Keys of a seed whose values are no values of customers. */
const OF_SEEDS: ReadonlySet<string> = new Set(['key', 'status', 'state', 'type', 'fails', 'behaviour']);

/** Keys whose values are sentences of the platform. Only the codes in them are the same everywhere. */
export const PROSE: ReadonlySet<string> = new Set(['detail', 'error_detail', 'errorDescription', 'message']);
const CODE = /([a-z]+(?:_[a-z]+)+)/;

/** The words that a choice of the interface has. */
export function wordsOfInterface(): readonly string[] {
  return RESOURCES.flatMap((resource) => leavesOf(recordShape(resource)))
    .flatMap(([, { facts, schema }]) => [
      ...(facts.values ?? []),
      ...(facts.known ?? []),
      ...(schema._zod.values ?? []),
    ])
    .flatMap((choice) => wordsIn(String(choice)));
}

/** The fields with a single value, at any depth, by the names on the way to them. */
function leavesOf(shape: FieldShape | ObjectShape, names = ''): readonly (readonly [string, LeafShape])[] {
  if (shape.kind === 'list') return leavesOf(shape.item as FieldShape, names);
  if (shape.kind === 'leaf') return [[names, shape]];
  return Object.entries(shape.fields).flatMap(([name, inner]) => leavesOf(inner, `${names} ${name}`));
}

/** Words in names, codes, statuses and headers of platforms, beside those of the interface and of this program. */
const COMMON = `account added allow allowed already application apr are at attr aug basic bearer blank by charset
  choices closed code completed conflict count created creation credentials customer data dec delete
  denied detail details dry duplicate empty error errors exists expired extensions external failed feb
  field fields found fri gateway get gmt head html iat id identifier import in invalid is issued item
  items jan json jul jun key ledger length limit locked mar matches max may message method min missing mon
  next no non not note notes nov null number oct of on ongoing options or out own parse patch path paths
  pending permission plain platform policy possible post previous problem progress provided put realm
  reason refused rejected remaining required reset result results retailer retry run sat sep statement
  statements status sub success sun supplier text throttled thu timeout title to token too total
  transaction transactions tue type unauthorized unexpected unique unknown unsupported url utf valid value
  version via wed with xml`;

/** The words that names and codes are made of, in lower case. Any other word may be one of a person. */
let wordsOfNames: ReadonlySet<string> | undefined;
function namesOfInterface(): ReadonlySet<string> {
  return (wordsOfNames ??= new Set(
    [
      COMMON,
      ...RESOURCES.flatMap((resource) => leavesOf(recordShape(resource)).map(([names]) => names)),
      ...Object.values(DESCRIPTORS).flatMap(({ list, answer }) => [
        list ?? '',
        ...Object.keys(answer.statuses ?? {}),
      ]),
      ...Object.keys({ ...FIELD_CODES, ...RULE_CODES, ...HTTP_CODES }),
      ...IMPORT_STATUSES,
    ].flatMap((names) => wordsIn(names.toLowerCase())),
  ));
}

/** A name, a code or a header with other words in place of those that no interface has. */
export const disguisedName = (text: string, disguise: Disguise): string =>
  disguised(text, { ...disguise, names: namesOfInterface() });

/**
 * JSON with other values of the same form. Equal values stay equal, so what joins still joins. Sums over the items of a record depend on its
 * numbers, so those stay in the records of `exact`, by their ids. Undefined for a text that is no JSON.
 */
export function disguisedJson(
  text: string,
  disguise: Disguise,
  exact: ReadonlySet<unknown>,
): string | undefined {
  const value = exactJson(text);
  return value === undefined
    ? undefined
    : JSON.stringify(walk(value, { ...disguise, exact, naming: NAMING }));
}

/** The ids of the records of a request that have items, as they are sent. */
export function idsWithItems(body: unknown): ReadonlySet<unknown> {
  const records = isExactObject(body) ? Object.values(body).flat() : [];
  return new Set(
    records.flatMap((record) =>
      isExactObject(record) && hasItems(record) ? (record['transaction_id'] ?? []) : [],
    ),
  );
}

/** A seed in the disguise of a recording. */
export function disguisedSeed(seed: unknown, disguise: Disguise): unknown {
  return walk(seed, { ...disguise, exact: new Set(), naming: OF_SEEDS });
}

interface Walk extends Disguise {
  readonly exact: ReadonlySet<unknown>;
  readonly naming: ReadonlySet<string>;
  readonly keepsNumbers?: boolean;
}

function walk(value: unknown, walking: Walk, key = ''): unknown {
  const { naming, exact, keepsNumbers = false } = walking;
  if (value instanceof UnreadableNumber) return value;
  if (value instanceof Decimal)
    return JSON.rawJSON(keepsNumbers ? value.text : disguised(value.text, walking));
  if (typeof value === 'string') {
    // Identifiers are digits, too: a number beside items has a point, or is no text.
    const isNumber = keepsNumbers && /^-?\d+\.\d+$/.test(value);
    if (isNumber || (naming === OF_SEEDS && naming.has(key))) return value;
    if (naming.has(key) && NAME.test(value)) return disguisedName(value, walking);
    if (!PROSE.has(key)) return disguised(value, walking);
    const parts = value.split(CODE);
    return parts
      .map((part, index) => (index % 2 === 1 ? disguisedName(part, walking) : disguised(part, walking)))
      .join('');
  }
  if (Array.isArray(value)) return value.map((item) => walk(item, walking, key));
  if (!isExactObject(value)) return value;
  const keeps = keepsNumbers || hasItems(value) || exact.has(value['transaction_id']);
  const inside = { ...walking, keepsNumbers: keeps };
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      naming === OF_SEEDS ? name : disguisedName(name, walking),
      walk(inner, inside, name),
    ]),
  );
}

/** An object of JSON that was parsed with all digits of its numbers. */
export type ExactObject = Readonly<Record<string, unknown>>;

export function isExactObject(value: unknown): value is ExactObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

function hasItems({ line_items: items }: ExactObject): boolean {
  return Array.isArray(items) && items.length > 0;
}
