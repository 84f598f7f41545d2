import Big from 'big.js';

/** A private constructor: `strict` refuses floats, so a number can never slip into money. */
const Exact = Big();
Exact.strict = true;

const PLAIN_DECIMAL = /^(-?)0*(\d+)(\.\d+)?$/;

/** Longest text read as a decimal; twice the widest bound of the contract (15 + 5 digits) with room for an honest message. */
const MAX_CHARACTERS = 64;

/**
 * An exact decimal that keeps the digits it was written with: `10.10` stays `10.10`.
 * It goes into JSON as a number with just those digits (interface.md 2.4, "Sent as a number") and never through a float;
 * as a decimal string when the other end would make another number of it.
 */
export class Decimal {
  /** Canonical plain notation: no plus, no exponent, no leading zeros, no negative zero; trailing zeros are kept. */
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Reads plain notation (`-12.30`); anything else, such as `1e5`, `.5`, `5.`, `+5` or ` 5`, is undefined. */
  static parse(text: string): Decimal | undefined {
    return text.length > MAX_CHARACTERS ? undefined : Decimal.read(text);
  }

  /** Reads a decimal that the program itself wrote; a sum or a product may be longer than what may come from outside. */
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

  /** Digits before the point; a lone zero counts as none, as digit bounds count. */
  get wholeDigits(): number {
    const whole = this.text.replace('-', '').split('.')[0]!;
    return whole === '0' ? 0 : whole.length;
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

  /** The raw number for `JSON.stringify`, digit for digit. */
  toJSON(): unknown {
    return isExactAsFloat(this) ? JSON.rawJSON(this.text) : this.text;
  }

  toString(): string {
    return this.text;
  }
}

/** Digits that every IEEE 754 double keeps. */
const SAFE_DIGITS = 15;

/** Whether a reader of JSON that makes a float of every number still has this one (RFC 8259, 6). */
export function isExactAsFloat({ text }: Decimal): boolean {
  if (text.length <= SAFE_DIGITS) return true;
  const float = Decimal.parse(String(Number(text)));
  return float !== undefined && compareDecimals(float, Decimal.of(text)) === 0;
}

/** Exact sum, with as many decimals as the longest of its parts: `5.50` and `5` make `10.50`. An empty list sums to `0`. */
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

/** -1, 0 or 1, as numbers compare: `1.0` equals `1.00`. */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
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
