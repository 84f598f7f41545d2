import { Decimal } from '../../core/values/decimal.ts';
import { parseExactJson, UnreadableNumber } from '../../core/values/exact-json.ts';
import { recordShape, type FieldShape } from '../mapping/language/fields.ts';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
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
  return RESOURCES.flatMap(choicesOf).flatMap(wordsIn);
}

/** The choices of the fields of a resource. */
function choicesOf(resource: Resource): readonly string[] {
  const walk = (shape: FieldShape): readonly string[] => {
    if (shape.kind === 'list') return walk(shape.item as FieldShape);
    if (shape.kind === 'object') return Object.values(shape.fields).flatMap(walk);
    const { facts, schema } = shape;
    return [...(facts.values ?? []), ...(facts.known ?? []), ...(schema._zod.values ?? [])].map(String);
  };
  return Object.values(recordShape(resource).fields).flatMap(walk);
}

/**
 * JSON with other values of the same form. Equal values stay equal, so what joins still joins. Sums over the items of a record depend on its
 * numbers, so those stay in the records of `exact`, by their ids. Undefined for a text that is no JSON.
 */
export function disguisedJson(
  text: string,
  disguise: Disguise,
  exact: ReadonlySet<unknown>,
): string | undefined {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    return undefined;
  }
  return JSON.stringify(walk(value, { ...disguise, exact, naming: NAMING }));
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
    if (isNumber || (naming.has(key) && (naming === OF_SEEDS || NAME.test(value)))) return value;
    if (!PROSE.has(key)) return disguised(value, walking);
    const parts = value.split(CODE);
    return parts.map((part, index) => (index % 2 === 1 ? part : disguised(part, walking))).join('');
  }
  if (Array.isArray(value)) return value.map((item) => walk(item, walking, key));
  if (!isExactObject(value)) return value;
  const keeps = keepsNumbers || hasItems(value) || exact.has(value['transaction_id']);
  const inside = { ...walking, keepsNumbers: keeps };
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      NAME.test(name) || /^\d{1,3}$/.test(name) ? name : disguised(name, walking),
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
