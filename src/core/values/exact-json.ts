import { Decimal, isExactAsFloat, isSameNumber } from './decimal.ts';
import { isJsonObject } from './plain-json.ts';

/** A JSON number that is no decimal. Kept as text, so that its field is reported. */
export class UnreadableNumber {
  readonly text: string;
  /** The form to send instead; undefined when a plain decimal is meant. */
  readonly expected: string | undefined;

  constructor(text: string, expected?: string) {
    this.text = text;
    this.expected = expected;
  }

  /** The number as it was written, for answers that repeat the request. */
  toJSON(): unknown {
    return JSON.rawJSON(this.text);
  }
}

/** Where a text stops being JSON. The message never quotes the text, which may be about a customer. */
export class JsonSyntaxError extends Error {
  /** Zero-based offset in UTF-16 units. */
  readonly position: number;

  constructor(position: number, what = 'it stops being JSON') {
    super(`${what} at character ${position + 1}`);
    this.name = 'JsonSyntaxError';
    this.position = position;
  }
}

export interface JsonLimits {
  /** Levels of nested objects and arrays. */
  readonly depth: number;
  /** Keys of one object. */
  readonly keys: number;
  /** Rejects numbers that a reader with floats, as most readers are, would change. */
  readonly floats?: boolean;
}

/** The depth that the call stack allows. */
const ANY: JsonLimits = { depth: 500, keys: Infinity };

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** JSON strings contain no control characters. */
const FIRST_PRINTABLE = 0x20;
const KEYWORDS: Readonly<Record<string, readonly [text: string, value: boolean | null]>> = {
  t: ['true', true],
  f: ['false', false],
  n: ['null', null],
};

/**
 * Parses JSON with every number as a `Decimal` that keeps its digits. Strict RFC 8259; a key that occurs twice in an object is an error. It
 * reads each character once, so digits, keys and limits cost no pass of their own, and it stops where a document exceeds a limit. It takes
 * half the time of lossless-json for 100 rows; lossless-json has no limits and accepts a key twice with the same value.
 * @throws JsonSyntaxError
 */
export function parseExactJson(text: string, limits: JsonLimits = ANY): unknown {
  let at = 0;
  const document = value(1);
  if (next() !== undefined) throw new JsonSyntaxError(at);
  return document;

  /** The next character that is no white space. It is not consumed. */
  function next(): string | undefined {
    for (; ; at++) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return text[at];
    }
  }

  function value(depth: number): unknown {
    const first = next();
    if (first === '"') return string();
    if (first === '{' || first === '[') {
      if (depth > limits.depth) throw new JsonSyntaxError(at, `it is nested deeper than ${limits.depth}`);
      return first === '{' ? object(depth) : array(depth);
    }
    const [keyword, meant] = KEYWORDS[first ?? ''] ?? [];
    if (keyword === undefined) return number();
    if (!text.startsWith(keyword, at)) throw new JsonSyntaxError(at);
    at += keyword.length;
    return meant;
  }

  function object(depth: number): object {
    const members: Record<string, unknown> = {};
    let keys = 0;
    at++;
    if (next() === '}') return (at++, members);
    for (;;) {
      if (next() !== '"') throw new JsonSyntaxError(at);
      const start = at;
      const key = string();
      // The first question alone is quick, and nearly always answers.
      if (members[key] !== undefined && Object.hasOwn(members, key))
        throw new JsonSyntaxError(start, 'a key comes a second time');
      if (++keys > limits.keys)
        throw new JsonSyntaxError(start, `an object has more than ${limits.keys} keys`);
      if (next() !== ':') throw new JsonSyntaxError(at);
      at++;
      put(members, key, value(depth + 1));
      if (!hasMore('}')) return members;
    }
  }

  function array(depth: number): readonly unknown[] {
    const items: unknown[] = [];
    at++;
    if (next() === ']') return (at++, items);
    do items.push(value(depth + 1));
    while (hasMore(']'));
    return items;
  }

  /** Consumes a comma or the end of the list or object. */
  function hasMore(end: '}' | ']'): boolean {
    const found = next();
    if (found !== ',' && found !== end) throw new JsonSyntaxError(at);
    at++;
    return found === ',';
  }

  function string(): string {
    const start = at++;
    for (let isPlain = true; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) return isPlain ? text.slice(start + 1, at++) : unescaped(start, ++at);
      if (code === BACKSLASH) at++;
      if (code === BACKSLASH || code < FIRST_PRINTABLE) isPlain = false;
    }
    throw new JsonSyntaxError(text.length);
  }

  function unescaped(start: number, end: number): string {
    try {
      return JSON.parse(text.slice(start, end)) as string;
    } catch {
      throw new JsonSyntaxError(start);
    }
  }

  function number(): Decimal | UnreadableNumber {
    NUMBER.lastIndex = at;
    if (!NUMBER.test(text)) throw new JsonSyntaxError(at);
    const digits = text.slice(at, NUMBER.lastIndex);
    at = NUMBER.lastIndex;
    const read = Decimal.parse(digits);
    if (!read) return new UnreadableNumber(digits);
    if (limits.floats && !isExactAsFloat(read))
      return new UnreadableNumber(digits, 'text with the same digits, because a float would change them');
    return read;
  }
}

/** Assigning to `__proto__` would change the prototype of the object instead of adding a key. */
function put(members: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') members[key] = value;
  else Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
}

/** The value of a JSON text with every digit of its numbers. Undefined also for a key that occurs twice, because nobody knows which one counts. */
export function exactJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

/** Whether a value of exact JSON is a number. */
const isNumber = (value: unknown): value is Decimal | UnreadableNumber =>
  value instanceof Decimal || value instanceof UnreadableNumber;

/** The parts of an object or a list of exact JSON; undefined for any other value. */
export function partsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return !isNumber(value) && (isJsonObject(value) || Array.isArray(value))
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/** Whether two values of exact JSON are equal. Numbers are compared by value: 1.0 is 1.00, and 1e5 is 100000. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (isNumber(a) && isNumber(b)) return isSameNumber(a.text, b.text);
  const [left, right] = [partsOf(a), partsOf(b)];
  if (!left || !right || Array.isArray(a) !== Array.isArray(b)) return a === b;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSameJson(left[name], right[name]))
  );
}

/** A value of exact JSON whose numbers stay numbers when it is written, also those that a float would change. */
export function withNumbers(value: unknown): unknown {
  if (value instanceof Decimal) return isExactAsFloat(value) ? value : new UnreadableNumber(value.text);
  if (Array.isArray(value)) return value.map(withNumbers);
  const parts = partsOf(value);
  return parts
    ? Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, withNumbers(part)]))
    : value;
}
