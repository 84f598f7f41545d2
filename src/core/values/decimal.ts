import Big from 'big.js';

/** Our own constructor of Big: `strict` rejects floats, so a number can never become money. */
const Exact = Big();
Exact.strict = true;

const PLAIN_DECIMAL = /^(-?)0*(\d+)(\.\d+)?$/;

/** Longest text that is parsed as a decimal: more than twice the widest bound of the contract (15 + 5 digits). */
const MAX_CHARACTERS = 64;

/**
 * An exact decimal that keeps the digits it was written with: `10.10` stays `10.10`.
 * In JSON it is a number with the same digits (interface.md 2.4, "Sent as a number"), or a decimal string when a reader with
 * floats would change the number. It never becomes a float here.
 */
export class Decimal {
  /** Canonical plain notation: no plus, no exponent, no leading zeros, no negative zero; trailing zeros are kept. */
  readonly text: string;
  /** Whether JSON has it as a string in any case. */
  readonly #isString: boolean;

  private constructor(text: string, isString = false) {
    this.text = text;
    this.#isString = isString;
  }

  /** Parses plain notation (`-12.30`); undefined for anything else, such as `1e5`, `.5`, `5.`, `+5` or ` 5`. */
  static parse(text: string): Decimal | undefined {
    return text.length > MAX_CHARACTERS ? undefined : Decimal.read(text);
  }

  /** Parses a decimal that the program itself wrote: a sum or product may be longer than input may be. @throws RangeError */
  static of(text: string): Decimal {
    const decimal = Decimal.read(text);
    if (!decimal) throw new RangeError('not a plain decimal');
    return decimal;
  }

  private static read(text: string): Decimal | undefined {
    const match = PLAIN_DECIMAL.exec(text);
    if (!match) return undefined;
    const digits = match[2]! + (match[3] ?? '');
    return new Decimal(match[1] === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits);
  }

  /** Digits before the point. A lone zero counts as no digit, as in the bounds of the platform. */
  get wholeDigits(): number {
    const start = this.isNegative ? 1 : 0;
    const point = this.text.indexOf('.');
    const length = (point < 0 ? this.text.length : point) - start;
    return length === 1 && this.text[start] === '0' ? 0 : length;
  }

  /** Digits after the point, trailing zeros included. */
  get places(): number {
    const point = this.text.indexOf('.');
    return point < 0 ? 0 : this.text.length - point - 1;
  }

  get isNegative(): boolean {
    return this.text.startsWith('-');
  }

  get isZero(): boolean {
    return !/[1-9]/.test(this.text);
  }

  /** The same decimal, which JSON has as a string with the same digits. */
  asString(): Decimal {
    return new Decimal(this.text, true);
  }

  /** The raw number for `JSON.stringify`, digit for digit. */
  toJSON(): unknown {
    return !this.#isString && isExactAsFloat(this) ? JSON.rawJSON(this.text) : this.text;
  }

  toString(): string {
    return this.text;
  }
}

/** Digits that every IEEE 754 double keeps. */
const SAFE_DIGITS = 15;

/** Whether a JSON reader that turns every number into a float keeps this one (RFC 8259, 6). */
export function isExactAsFloat({ text }: Decimal): boolean {
  if (text.length <= SAFE_DIGITS) return true;
  const float = Decimal.parse(String(Number(text)));
  return float !== undefined && compareDecimals(float, Decimal.of(text)) === 0;
}

/** Exact sum, with as many decimals as its longest part: `5.50` and `5` make `10.50`. An empty list sums to `0`. */
export function sum(decimals: readonly Decimal[]): Decimal {
  const places = decimals.reduce((most, decimal) => Math.max(most, decimal.places), 0);
  return Decimal.of(
    decimals.reduce((total, decimal) => total.plus(decimal.text), new Exact('0')).toFixed(places),
  );
}

/** Exact product. */
export function product(a: Decimal, b: Decimal): Decimal {
  return fromBig(new Exact(a.text).times(b.text));
}

/** Distance between two decimals, exact and never negative. */
export function distance(a: Decimal, b: Decimal): Decimal {
  return fromBig(new Exact(a.text).minus(b.text).abs());
}

/** -1, 0 or 1. Compares values, so `1.0` equals `1.00`. */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  // Most pairs differ in sign or in digits before the point, which takes a tenth of the time to see.
  const greater = a.isNegative ? -1 : 1;
  if (a.isNegative !== b.isNegative) return greater;
  if (a.wholeDigits !== b.wholeDigits) return a.wholeDigits > b.wholeDigits ? greater : (-greater as -1 | 1);
  return new Exact(a.text).cmp(b.text) as -1 | 0 | 1;
}

/**
 * The decimal with at least `places` digits after the point, for answers and reports (`5` → `5.00`).
 * Digits are added, never rounded away.
 */
export function withPlaces(decimal: Decimal, places: number): string {
  const missing = places - decimal.places;
  if (missing <= 0) return decimal.text;
  return `${decimal.text}${decimal.places === 0 ? '.' : ''}${'0'.repeat(missing)}`;
}

function fromBig(value: Big.Big): Decimal {
  return Decimal.of(value.toFixed());
}
