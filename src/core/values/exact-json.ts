import { Decimal, isExactAsFloat } from './decimal.ts';

/** A JSON number that is not read: kept so that its field is reported, never as a float. */
export class UnreadableNumber {
  readonly text: string;
  /** What to send instead, where a plain decimal is not enough. */
  readonly expected: string | undefined;

  constructor(text: string, expected?: string) {
    this.text = text;
    this.expected = expected;
  }

  /** As it was written, for answers that show what was sent. */
  toJSON(): unknown {
    return JSON.rawJSON(this.text);
  }
}

/** Where a text stops being JSON; says nothing of the text itself, which may be a customer's. */
export class JsonSyntaxError extends Error {
  /** Zero-based offset in UTF-16 units. */
  readonly position: number;

  constructor(position: number, what = 'it stops being JSON') {
    super(`${what} at character ${position + 1}`);
    this.name = 'JsonSyntaxError';
    this.position = position;
  }
}

/** How much of a good thing a document may have. */
export interface JsonLimits {
  /** Objects and arrays inside one another. */
  readonly depth: number;
  /** Keys of one object. */
  readonly keys: number;
  /** Refuses numbers that a reader with floats, which most are, would change. */
  readonly floats?: boolean;
}

/** What a call of the stack can bear. */
const ANY: JsonLimits = { depth: 500, keys: Infinity };

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const CONTROL = /[\u0000-\u001F]/; // oxlint-disable-line no-control-regex -- those may not stand in a string
const KEYWORDS: Readonly<Record<string, readonly [text: string, value: boolean | null]>> = {
  t: ['true', true],
  f: ['false', false],
  n: ['null', null],
};

/**
 * Parses JSON with every number as a `Decimal` that keeps its digits. Strict RFC 8259; a key that occurs twice in an
 * object is an error. It looks at each character once: digits, keys and limits cost no pass of their own, and a
 * document past a limit is given up where it passes it. Of lossless-json's time for 100 rows it takes half; that
 * one knows no limits and lets a key pass twice with the same value.
 * @throws JsonSyntaxError
 */
export function parseExactJson(text: string, limits: JsonLimits = ANY): unknown {
  let at = 0;
  const document = value(1);
  if (next() !== undefined) throw new JsonSyntaxError(at);
  return document;

  /** The next character that is no white space, which is not consumed. */
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
      if (Object.hasOwn(members, key)) throw new JsonSyntaxError(start, 'a key comes a second time');
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

  /** Consumes a comma or the end of what it separates. */
  function hasMore(end: '}' | ']'): boolean {
    const found = next();
    if (found !== ',' && found !== end) throw new JsonSyntaxError(at);
    at++;
    return found === ',';
  }

  function string(): string {
    const start = at;
    const end = endOfString(text, start);
    if (end === undefined) throw new JsonSyntaxError(text.length);
    const content = text.slice(start + 1, end);
    at = end + 1;
    if (content.includes('\\')) return unescaped(start, at);
    if (CONTROL.test(content)) throw new JsonSyntaxError(start);
    return content;
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
    const [digits] = NUMBER.exec(text) ?? [];
    if (digits === undefined) throw new JsonSyntaxError(at);
    at += digits.length;
    const read = Decimal.parse(digits);
    if (!read) return new UnreadableNumber(digits);
    if (limits.floats && !isExactAsFloat(read))
      return new UnreadableNumber(
        digits,
        'a number that floats keep: too precise for a number; send a string',
      );
    return read;
  }
}

/** Where the quote is that ends the string which starts at `start`: the first one that is not escaped. */
function endOfString(text: string, start: number): number | undefined {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return undefined;
    let before = end - 1;
    while (text.charCodeAt(before) === 0x5c) before--;
    if ((end - before) % 2 === 1) return end;
  }
}

/** Assigning to `__proto__` would change the object instead of giving it a key. */
function put(members: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') members[key] = value;
  else Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true });
}
