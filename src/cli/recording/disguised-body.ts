import { Decimal } from '../../core/values/decimal.ts';
import { exactJson, UnreadableNumber } from '../../core/values/exact-json.ts';
import {
  recordShape,
  type FieldShape,
  type LeafShape,
  type ObjectShape,
} from '../mapping/language/fields.ts';
import type { FieldKind } from '../../core/contract/field.ts';
import { IMPORT_STATUSES } from '../../core/contract/account-import.ts';
import { DESCRIPTORS, RESOURCES } from '../../core/contract/resources.ts';
import { ERROR_CODES } from '../../core/error-codes/table.ts';
import { disguised, movedDate, wordsIn, type Disguise } from './disguise.ts';

/** Keys whose values are words of the interface or of the operator. */
const NAMING: ReadonlySet<string> = new Set(['attr', 'code', 'errorCode', 'errorType', 'status', 'type']);

/** A name or a path of names, as programs write them. A value of a customer with so many digits in a row is none. */
const NAME = /^(?!.*\d{4})[A-Za-z_][\w.[\]-]{0,100}$/;

/** Keys of a seed whose values are no values of customers. */
const OF_SEEDS: ReadonlySet<string> = new Set(['key', 'status', 'state', 'type', 'fails', 'behaviour']);

/** Keys whose values are sentences of the platform. Only the codes in them are the same everywhere. */
export const PROSE: ReadonlySet<string> = new Set(['detail', 'error_detail', 'errorDescription', 'message']);
const CODE = /([a-z]+(?:_[a-z]+)+)/;

/** Words of answers and headers that no code has. */
const COMMON = `after allow application attr authenticate basic bearer charset code column complete content data delete detail details error
  errorclass errorcode errordescription errors errortype extensions field get head html json limit line locations message non ongoing options
  patch path paused payload plain policy post problem put rate ratelimit realm refreshexpiresin refreshtoken remaining reset result results
  retailer retry status text token type utf validationerrors www x xml`;

/** What the interface has of names, words of choices and kinds of values, taken from its fields once. */
let known: ReturnType<typeof takenFromInterface> | undefined;
const interfaceHas = () => (known ??= takenFromInterface());

function takenFromInterface() {
  const leaves = RESOURCES.flatMap((resource) => leavesOf(recordShape(resource)));
  const namedBy = (...kinds: readonly FieldKind[]): ReadonlySet<string> =>
    new Set(leaves.flatMap(([names, { facts }]) => (kinds.includes(facts.kind) ? names.at(-1)! : [])));
  const choices = leaves.flatMap(([, { facts, schema }]) => [
    ...(facts.values ?? []),
    ...(facts.known ?? []),
    ...(schema._zod.values ?? []),
  ]);
  return {
    choices: choices.flatMap((choice) => wordsIn(String(choice))),
    dates: namedBy('date', 'datetime'),
    numbers: namedBy('decimal'),
    /** The words that names and codes are made of, in lower case. Any other word may be one of a person. */
    names: new Set(
      [
        COMMON,
        ...leaves.flatMap(([names]) => names),
        ...RESOURCES,
        ...Object.values(DESCRIPTORS).flatMap(({ answer }) => Object.keys(answer.statuses ?? {})),
        ...Object.keys(ERROR_CODES),
        ...IMPORT_STATUSES,
      ].flatMap((names) => wordsIn(names.toLowerCase())),
    ),
  };
}

/** The fields with a single value, at any depth, with the names on the way to them. */
function leavesOf(
  shape: FieldShape | ObjectShape,
  names: readonly string[] = [],
): readonly (readonly [readonly string[], LeafShape])[] {
  if (shape.kind === 'list') return leavesOf(shape.item as FieldShape, names);
  if (shape.kind === 'leaf') return [[names, shape]];
  return Object.entries(shape.fields).flatMap(([name, inner]) => leavesOf(inner, [...names, name]));
}

/** The words that a choice of the interface has. */
export const wordsOfInterface = (): readonly string[] => interfaceHas().choices;

/** A name, a code or a header with other words in place of those that no interface has. */
export const disguisedName = (text: string, disguise: Disguise): string =>
  disguised(text, { ...disguise, names: interfaceHas().names });

/**
 * JSON with other values of the same form. Equal values stay equal, so what joins still joins. Sums over the items of a record depend on its
 * numbers, so those stay in a record with items. Undefined for a text that is no JSON.
 */
export function disguisedJson(text: string, disguise: Disguise): string | undefined {
  const value = exactJson(text);
  return value === undefined ? undefined : JSON.stringify(walk(value, { ...disguise, naming: NAMING }));
}

/** A seed in the disguise of a recording. */
export function disguisedSeed(seed: unknown, disguise: Disguise): unknown {
  return walk(seed, { ...disguise, naming: OF_SEEDS });
}

interface Walk extends Disguise {
  readonly naming: ReadonlySet<string>;
  readonly keepsNumbers?: boolean;
}

function walk(value: unknown, walking: Walk, key = ''): unknown {
  const { naming } = walking;
  const { dates, numbers } = interfaceHas();
  const keepsNumbers = walking.keepsNumbers === true && numbers.has(key);
  if (value instanceof UnreadableNumber)
    return JSON.rawJSON(value.text.replaceAll(/\d+/g, (digits) => disguised(digits, walking)));
  if (value instanceof Decimal)
    return JSON.rawJSON(keepsNumbers ? value.text : disguised(value.text, walking));
  if (typeof value === 'string') {
    // Identifiers are digits, too: a number beside items has a point, or is no text.
    const isNumber = keepsNumbers && /^-?\d+\.\d+$/.test(value);
    if (isNumber || (naming === OF_SEEDS && naming.has(key))) return value;
    const isOfSeed = naming === OF_SEEDS && (key === 'from' || key === 'to');
    const date = isOfSeed || dates.has(key) ? movedDate(value) : undefined;
    if (date !== undefined) return date;
    if (naming.has(key) && NAME.test(value)) return disguisedName(value, walking);
    if (!PROSE.has(key)) return disguised(value, walking);
    const parts = value.split(CODE);
    return parts
      .map((part, index) => (index % 2 === 1 ? disguisedName(part, walking) : disguised(part, walking)))
      .join('');
  }
  if (Array.isArray(value)) return value.map((item) => walk(item, walking, key));
  if (!isExactObject(value)) return value;
  const keeps = walking.keepsNumbers === true || hasItems(value);
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
