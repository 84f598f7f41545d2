import { isCalendarDate } from '../../core/values/calendar-date.ts';
import { Decimal, withoutLastZeros } from '../../core/values/decimal.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import { isSameSecond, parseInstant } from '../../core/values/instant.ts';
import { counted } from '../output/text/text.ts';
import { isExactObject, PROSE, type ExactObject } from '../recording/disguised-body.ts';
import { endpointOfExchange, type Exchange } from '../recording/exchange.ts';

/** One way in which an answer of the twin differs from the recorded one. */
export interface Difference {
  /** Stays the same in every play of a recording. A header differs in the same way at all endpoints. */
  readonly id: string;
  readonly kind:
    | 'status'
    | 'form'
    | 'name'
    | 'count'
    | 'order'
    | 'code'
    | 'attr'
    | 'word'
    | 'value'
    | 'header'
    | 'identity'
    | 'token life';
  /** Where, such as `results[].status`; empty for the answer as a whole. */
  readonly at: string;
  readonly recorded: string;
  readonly twin: string;
}

const MISSING = 'missing';

/** Keys whose values are words of the platform, by the kind of their difference. */
const WORDS: Readonly<Record<string, Difference['kind']>> = {
  code: 'code',
  errorCode: 'code',
  errorType: 'code',
  attr: 'attr',
  status: 'word',
  type: 'word',
};

/** By which an item of a list is found again, whatever its place. */
const IDENTITIES = [
  'transaction_id',
  'statement_id',
  'reference',
  'external_account_number',
  'attr',
  'body',
] as const;

/** Everything in which an answer differs from the recorded one, but for values that each platform makes up by itself. */
export function differencesOf(recorded: Exchange, twin: Exchange): readonly Difference[] {
  const found: Difference[] = [];
  const add: Place['add'] = (...difference): void => void found.push(differenceAt(recorded, ...difference));
  if (recorded.status !== twin.status) add('status', '', withCode(recorded), withCode(twin));
  for (const name of new Set([recorded, twin].flatMap(({ headers }) => Object.keys(headers)))) {
    const [ours, theirs] = [recorded, twin].map(({ headers }) =>
      withoutNumbers(Object.hasOwn(headers, name) ? headers[name]! : MISSING),
    );
    if (ours !== theirs) add('header', name, ours!, theirs!);
  }
  const [life, known] = [recorded.lifetime_s ?? null, twin.lifetime_s ?? null];
  // A token is read a moment after it was made.
  if (life !== null && known !== null && Math.abs(life - known) > 5 + known / 100)
    add('token life', '', `${roundedLife(life)} s`, `${known} s`);
  // A refusal has nothing in common with an answer of another status.
  if (recorded.status !== twin.status && !(isTaken(recorded) && isTaken(twin))) return found;
  if (recorded.answer !== null && twin.answer !== null) {
    const sent = new Set<string>();
    if (recorded.body !== null) collect(parseExactJson(recorded.body), sent);
    const place = { at: '', key: '', sent, isForToken: recorded.token !== undefined, add };
    compare(parseExactJson(recorded.answer), parseExactJson(twin.answer), place);
  } else if (recorded.answer !== twin.answer) {
    const [ours, theirs] = [recorded, twin].map(({ answer }) => (answer === null ? 'no JSON' : 'JSON'));
    add('form', '', ours!, theirs!);
  }
  return found;
}

/** A difference in the answer to an exchange. */
export function differenceAt(
  exchange: Exchange,
  ...[kind, at, recorded, twin]: Parameters<Place['add']>
): Difference {
  const endpoint = kind === 'header' ? '' : `${endpointOfExchange(exchange)}: `;
  const id = `${endpoint}${kind}${at === '' ? '' : ` at ${at}`}: ${recorded}, twin ${twin}`;
  return { id, kind, at, recorded, twin };
}

/** Headers of one kind differ in numbers from answer to answer. */
const withoutNumbers = (value: string): string =>
  value.toLowerCase().replaceAll(/\d+/g, 'n').replace(/;.*/, '');

/** `403 (code)`: the first code of a refusal. */
function withCode(exchange: Exchange): string {
  const code = isTaken(exchange) ? undefined : codesIn(exchange.answer ?? '')[0];
  return code === undefined ? String(exchange.status) : `${exchange.status} (${code})`;
}

/** The codes that an answer names, those of its errors first. */
export function codesIn(answer: string): readonly string[] {
  const codes = [...answer.matchAll(/"(?:code|errorCode)":\s*"([\w.-]+)"/g)].map((match) => match[1]!);
  return [...codes.filter((code) => !GENERAL.has(code)), ...codes.filter((code) => GENERAL.has(code))];
}

/** Codes of refusals whose errors have codes of their own. */
const GENERAL: ReadonlySet<string> = new Set(['validation_error', 'invalid']);

interface Place {
  readonly at: string;
  readonly key: string;
  /** Texts of all values of the request. */
  readonly sent: ReadonlySet<string>;
  readonly isForToken: boolean;
  add(kind: Difference['kind'], at: string, recorded: string, twin: string): void;
}

function compare(ours: unknown, theirs: unknown, place: Place): void {
  const { at, key, sent, add } = place;
  if (Array.isArray(ours) && Array.isArray(theirs)) return compareLists(ours, theirs, place);
  if (isExactObject(ours) && isExactObject(theirs)) return compareObjects(ours, theirs, place);
  const [left, right] = [String(ours), String(theirs)];
  const [a, b] = [shapeOf(ours), shapeOf(theirs)];
  const isText = typeof ours === 'string' && typeof theirs === 'string';
  const isNamed = isText && Object.hasOwn(WORDS, key);
  // Values that have nothing to do with the request are each platform's own.
  const isMadeUp = ![left, right].some((value) => sent.has(canonical(value)));
  if (!isNamed && a !== b && !(isText && isMadeUp && (a === TEXT || b === TEXT)))
    return add('form', at, a, b);
  if (PROSE.has(key)) return compareCodes(left, right, place);
  const [one, other] = [left, right].map(withoutPlaces);
  if (isNamed && one !== other) return add(WORDS[key]!, at, one!, other!);
  if (isNamed || left === right) return undefined;
  if (typeof ours === 'boolean') return add('value', at, left, right);
  if (isMadeUp) return undefined;
  const isTrimmed = left.trim() === right.trim();
  const kinds = [left, right].map((value) =>
    sent.has(canonical(value)) ? AS_SENT : isTrimmed ? TRIMMED : OTHER,
  );
  // Both platforms repeat the request, each another part of it.
  if (kinds.every((kind) => kind === AS_SENT)) return add('value', at, 'of another record', 'of its record');
  add('value', at, kinds[0]!, kinds[1]!);
}

const TEXT = 'a text';
const AS_SENT = 'as sent';
const OTHER = 'another value';

/** A text that differs by blanks alone. */
export const TRIMMED = 'without the blanks at its ends';

/** The words of a sentence are each platform's own, but for the codes in it. A platform may name none. */
function compareCodes(left: string, right: string, { at, add }: Place): void {
  const [ours, theirs] = [left, right].map((text) => new Set(text.match(/\b[a-z]+(?:_[a-z]+)+\b/g)));
  const only = (from: Set<string>, other: Set<string>): string => [...from.difference(other)].join(', ');
  if (ours!.size > 0 && theirs!.size > 0 && ours!.symmetricDifference(theirs!).size > 0)
    add('code', at, only(ours!, theirs!) || MISSING, only(theirs!, ours!) || MISSING);
}

function compareObjects(ours: ExactObject, theirs: ExactObject, place: Place): void {
  const { at, add } = place;
  const within = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const only = (from: ExactObject, other: ExactObject): string[] =>
    Object.keys(from).filter((name) => !Object.hasOwn(other, name));
  const [ourOnly, theirOnly] = [only(ours, theirs), only(theirs, ours)];
  const isOne = ourOnly.length === 1 && theirOnly.length === 1;
  for (const name of ourOnly) {
    // The same value under another name.
    const renamed = theirOnly.findIndex((other) => isOne || text(theirs[other]) === text(ours[name]));
    const [other = MISSING] = renamed < 0 ? [] : theirOnly.splice(renamed, 1);
    add('name', at, nameOf(name), nameOf(other));
  }
  for (const name of theirOnly) add('name', at, MISSING, nameOf(name));
  for (const name of Object.keys(ours))
    // What a token says of itself is each platform's own.
    if (Object.hasOwn(theirs, name) && !(place.isForToken && name === 'payload'))
      compare(ours[name], theirs[name], { ...place, at: within(nameOf(name)), key: name });
}

/** The mirror of a request has the places of its records as names. */
const nameOf = (name: string): string => (/^\d+$/.test(name) ? 'N' : name);

function compareLists(ours: readonly unknown[], theirs: readonly unknown[], place: Place): void {
  const { add } = place;
  const at = `${place.at}[]`;
  if (ours.length !== theirs.length) {
    const isLonger = ours.length > theirs.length;
    add('count', at, isLonger ? 'more items' : 'fewer items', isLonger ? 'fewer items' : 'more items');
  }
  const [left, right] = [ours.map(identityOf), theirs.map(identityOf)];
  const isKnown = new Set(left).size === ours.length && !left.includes(undefined);
  const common = left.filter((id) => right.includes(id));
  if (isKnown && common.join('\n') !== right.filter((id) => left.includes(id)).join('\n'))
    add('order', at, 'another order', 'its order');
  for (const [index, item] of ours.entries()) {
    const other = isKnown && right.includes(left[index]) ? theirs[right.indexOf(left[index])] : theirs[index];
    if (other !== undefined) compare(item, other, { ...place, at });
  }
}

function identityOf(item: unknown): string | undefined {
  if (!isExactObject(item)) return undefined;
  for (const name of IDENTITIES) {
    const value =
      item[name] ?? Object.values(item).flatMap((inner) => (isExactObject(inner) ? inner[name] : []))[0];
    if (typeof value === 'string') return `${value} ${text(item['code'])}`;
  }
  return undefined;
}

/** A number without the zeros at its end; any other text as it is. */
const canonical = (value: string): string => (/^-?\d+\.\d+$/.test(value) ? withoutLastZeros(value) : value);

/** The form of a value: how a number or a time is written. */
function shapeOf(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Decimal) return `a number${places(value.text)}`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'string') return isExactObject(value) ? 'an object' : 'true or false';
  if (/^-?\d+\.\d+$/.test(value)) return `a text with a number${places(value)}`;
  if (isCalendarDate(value)) return 'a date';
  if (parseInstant(value) === undefined || isSameSecond(value, value) !== true) return TEXT;
  return `a time as ${value.replaceAll(/\d/g, '0')}`;
}

function places(number: string): string {
  const digits = number.split('.')[1]?.length ?? 0;
  return digits === 0 ? '' : ` of ${counted(digits, 'decimal')}`;
}

const withoutPlaces = (value: string): string => value.replaceAll(/\b\d+\b/g, 'N');

function collect(value: unknown, into: Set<string>): void {
  if (typeof value === 'string' || value instanceof Decimal) into.add(canonical(String(value)));
  else if (Array.isArray(value)) for (const item of value) collect(item, into);
  else if (isExactObject(value)) for (const inner of Object.values(value)) collect(inner, into);
}

const text = (value: unknown): string => JSON.stringify(value) ?? '';

/** Whether a platform has answered with success. */
export const isTaken = (exchange: Exchange | undefined): boolean => (exchange?.status ?? 300) < 300;

/** The next whole minute or five seconds, where the time on the way explains the rest. */
function roundedLife(seconds: number): number {
  const next = (unit: number): number => Math.ceil(seconds / unit) * unit;
  if (next(60) - seconds <= 5) return next(60);
  return next(5) - seconds <= 2 ? next(5) : seconds;
}
