import { isCalendarDate } from '../../core/values/calendar-date.ts';
import { Decimal, withoutLastZeros } from '../../core/values/decimal.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import { isSameSecond, parseInstant } from '../../core/values/instant.ts';
import { counted } from '../output/text/text.ts';
import { isExactObject, PROSE, type ExactObject } from '../recording/disguised-body.ts';
import type { Exchange } from '../recording/exchange.ts';
import { headersThatMatter } from '../recording/recorder.ts';
import { roundedLife } from './shown-behaviour.ts';
import type { PlayedAnswer } from './twin.ts';

/** One way in which an answer of the twin differs from the recorded one. */
export interface Difference {
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
export function differencesOf(recorded: Exchange, twin: PlayedAnswer): readonly Difference[] {
  const found: Difference[] = [];
  const add: Place['add'] = (kind, at, ours, theirs): void =>
    void found.push({ kind, at, recorded: ours, twin: theirs });
  if (recorded.status !== twin.status)
    add('status', '', withCode(recorded.status, recorded.answer), withCode(twin.status, twin.answer));
  compareHeaders(recorded, twin, add);
  const life = recorded.lifetime_s ?? null;
  // A token is read a moment after it was made.
  const known = twin.lifetimeS ?? null;
  if (life !== null && known !== null && Math.abs(life - known) > 5 + known / 100)
    add('token life', '', `${roundedLife(life)} s`, `${known} s`);
  // A refusal has nothing in common with an answer of another status.
  if (recorded.status !== twin.status && !(isSuccess(recorded.status ?? 0) && isSuccess(twin.status)))
    return found;
  if ((recorded.answer === null) !== (twin.answer === null)) {
    add('form', '', formOf(recorded.answer), formOf(twin.answer));
  } else if (recorded.answer !== null && twin.answer !== null) {
    const sent = new Set<string>();
    if (recorded.body !== null) collect(parseExactJson(recorded.body), sent);
    const place = { at: '', key: '', sent, isForToken: recorded.token !== undefined, add };
    compare(parseExactJson(recorded.answer), parseExactJson(twin.answer), place);
  }
  return found;
}

const isSuccess = (status: number): boolean => status < 300;
const formOf = (answer: string | null): string => (answer === null ? 'no JSON' : 'JSON');

/** `403 (code)`: the first code of a refusal. */
function withCode(status: number | null, answer: string | null): string {
  const code = answer !== null && status !== null && status >= 300 ? codesIn(answer)[0] : undefined;
  return code === undefined ? String(status) : `${status} (${code})`;
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
  const { at, key, add } = place;
  if (Array.isArray(ours) && Array.isArray(theirs)) return compareLists(ours, theirs, place);
  if (isExactObject(ours) && isExactObject(theirs)) return compareObjects(ours, theirs, place);
  const [a, b] = [shapeOf(ours), shapeOf(theirs)];
  const isNamed = Object.hasOwn(WORDS, key);
  const isOwn = typeof ours === 'string' && typeof theirs === 'string' && isMadeUp(ours, theirs, place);
  if (!isNamed && a !== b && !(isOwn && (a === TEXT || b === TEXT))) return add('form', at, a, b);
  if (typeof ours !== 'string' && !(ours instanceof Decimal))
    return ours === theirs || (typeof ours === 'object' && ours !== null)
      ? undefined
      : add('value', at, String(ours), String(theirs));
  const [left, right] = [String(ours), String(theirs)];
  if (PROSE.has(key)) return compareCodes(left, right, place);
  if (left === right) return undefined;
  if (isNamed) {
    const [one, other] = [withoutPlaces(left), withoutPlaces(right)];
    if (one !== other) add(WORDS[key]!, at, one, other);
  } else if (!isMadeUp(left, right, place)) {
    const [one, other] = [kindOfValue(left, right, place), kindOfValue(right, left, place)];
    // Both platforms repeat the request, each another part of it.
    if (one === AS_SENT && other === AS_SENT) return add('value', at, 'of another record', 'of its record');
    add('value', at, one, other);
  }
}

/** Whether two values have nothing to do with the request, so that each platform has made its own. */
function isMadeUp(left: string, right: string, { sent }: Place): boolean {
  return !sent.has(canonical(left)) && !sent.has(canonical(right));
}

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
  for (const name of ourOnly) {
    // The same value under another name.
    const renamed =
      theirOnly.find((other) => text(theirs[other]) === text(ours[name])) ??
      (ourOnly.length === 1 && theirOnly.length === 1 ? theirOnly[0] : undefined);
    if (renamed !== undefined) theirOnly.splice(theirOnly.indexOf(renamed), 1);
    add('name', at, nameOf(name), renamed === undefined ? MISSING : nameOf(renamed));
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
  if (isKnown && left.join('\n') !== right.join('\n')) {
    const common = left.filter((id) => right.includes(id));
    if (common.join('\n') !== right.filter((id) => left.includes(id)).join('\n'))
      add('order', at, 'another order', 'its order');
  }
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

function compareHeaders(recorded: Exchange, twin: PlayedAnswer, add: Place['add']): void {
  const theirs = headersThatMatter(twin.headers);
  for (const name of new Set([...Object.keys(recorded.headers), ...Object.keys(theirs)])) {
    const [left, right] = [recorded.headers, theirs].map((headers) =>
      withoutNumbers(Object.hasOwn(headers, name) ? headers[name]! : MISSING),
    );
    if (left !== right) add('header', name, left!, right!);
  }
}

/** Headers of one kind differ in numbers from answer to answer. */
const withoutNumbers = (value: string): string =>
  value.toLowerCase().replaceAll(/\d+/g, 'n').replace(/;.*/, '');

/** What can be said of a value without showing it. */
function kindOfValue(value: string, other: string, { sent }: Place): string {
  if (sent.has(canonical(value))) return AS_SENT;
  return value.trim() === other.trim() ? TRIMMED : OTHER;
}

const TEXT = 'a text';
const AS_SENT = 'as sent';
const OTHER = 'another value';

/** A text that differs by blanks alone. */
export const TRIMMED = 'without the blanks at its ends';

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
