import Big from 'big.js';

/** Our own constructor of Big: `strict` rejects floats, so a number can never become money. */
const Exact = Big();
Exact.strict = true;

const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** Longest text that is parsed as a decimal: more than twice the widest bound of the contract (15 + 5 digits). */
const MAX_CHARACTERS = 64;

/**
 * An exact decimal that keeps the digits it was written with: `10.10` stays `10.10`.
 * In JSON it is a number with the same digits (interface.md 2.4, "Sent as a number"), or a decimal string when a reader with
 * floats would change the number. It never becomes a float here.
 */
export class Decimal {
  /** Digits after the point, trailing zeros included. */
  readonly places: number;
  /** The decimal in units of its last place, as a float: exact up to 15 digits. */
  readonly units: number;
  #text: string | undefined;
  /** Whether JSON has it as a string in any case. */
  readonly #isString: boolean;

  private constructor(units: number, places: number, text?: string, isString = false) {
    this.units = units;
    this.places = places;
    this.#text = text;
    this.#isString = isString;
  }

  /** A decimal that was calculated, in units of its last place that a float keeps. Most are compared and never written. */
  static ofUnits(units: number, places: number): Decimal {
    // A negative zero becomes a zero.
    return new Decimal(units + 0, places);
  }

  /** Canonical plain notation: no plus, no exponent, no leading zeros, no negative zero; trailing zeros are kept. */
  get text(): string {
    return (this.#text ??= textOfUnits(this.units, this.places));
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

  /** Reads each character once: a regular expression takes twice the time for a value that every row has. */
  private static read(text: string): Decimal | undefined {
    const start = text.charCodeAt(0) === MINUS ? 1 : 0;
    let [point, units, at] = [-1, 0, start];
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code >= ZERO && code <= NINE) units = units * 10 + (code - ZERO);
      else if (code === POINT && point < 0 && at > start) point = at;
      else return undefined;
    }
    if (at === start || point === at - 1) return undefined;
    const places = point < 0 ? 0 : at - point - 1;
    const isNegative = start === 1 && units !== 0;
    let first = start;
    while (text.charCodeAt(first) === ZERO && first + 1 < (point < 0 ? at : point)) first++;
    const digits = first === 0 ? text : text.slice(first);
    const plain = isNegative ? (first === 1 ? text : `-${digits}`) : digits;
    return new Decimal(isNegative ? -units : units, places, plain);
  }

  /** Digits before the point. A lone zero counts as no digit, as in the bounds of the platform. */
  get wholeDigits(): number {
    const start = this.isNegative ? 1 : 0;
    const point = this.text.indexOf('.');
    const length = (point < 0 ? this.text.length : point) - start;
    return length === 1 && this.text[start] === '0' ? 0 : length;
  }

  get isNegative(): boolean {
    return this.units < 0;
  }

  get isZero(): boolean {
    return this.units === 0;
  }

  /** The same decimal, which JSON has as a string with the same digits. */
  asString(): Decimal {
    return new Decimal(this.units, this.places, this.text, true);
  }

  /** The decimal in units of the given place, at least its own; undefined where a float may not keep them. */
  unitsAt(places: number): number | undefined {
    const units = places === this.places ? this.units : this.units * 10 ** (places - this.places);
    return Math.abs(units) <= SAFE_UNITS ? units : undefined;
  }

  /** Whether JSON has it as a string. */
  get isText(): boolean {
    return this.#isString || !isExactAsFloat(this);
  }

  /** The raw number for `JSON.stringify`, digit for digit. */
  toJSON(): unknown {
    return this.isText ? this.text : JSON.rawJSON(this.text);
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

/** Most units of a decimal in whole numbers. Two of them have a sum that a float keeps, too. */
const SAFE_UNITS = 10 ** SAFE_DIGITS;

// Nearly all amounts fit into whole numbers, which take a tenth of the time of big.js. Larger sums are added as big integers, and big.js does the rest.

/** Exact sum, with as many decimals as its longest part: `5.50` and `5` make `10.50`. An empty list sums to `0`. */
export function sum(decimals: readonly Decimal[]): Decimal {
  let places = 0;
  for (const decimal of decimals) places = Math.max(places, decimal.places);
  let total = 0;
  for (const decimal of decimals) {
    const units = decimal.unitsAt(places);
    total += units ?? NaN;
    if (!(Math.abs(total) <= SAFE_UNITS)) return largeSum(decimals, places);
  }
  return Decimal.ofUnits(total, places);
}

/** In whole numbers of any size, because big.js takes several times as long. */
function largeSum(decimals: readonly Decimal[], places: number): Decimal {
  const units = decimals.map((decimal) => BigInt(withPlaces(decimal, places).replace('.', '')));
  return Decimal.of(
    textOfUnits(
      units.reduce((all, each) => all + each),
      places,
    ),
  );
}

/** The exact sum of decimals that come one after the other. */
export class DecimalSum {
  /** Null before the first decimal. */
  total: Decimal | null = null;

  add(decimal: Decimal): void {
    this.total = this.total ? sum([this.total, decimal]) : decimal;
  }
}

/** Exact product. */
export function product(a: Decimal, b: Decimal): Decimal {
  const units = (a.unitsAt(a.places) ?? NaN) * (b.unitsAt(b.places) ?? NaN);
  if (Math.abs(units) <= SAFE_UNITS) return shortest(units, a.places + b.places);
  return fromBig(new Exact(a.text).times(b.text));
}

/** Distance between two decimals, exact and never negative. */
export function distance(a: Decimal, b: Decimal): Decimal {
  const places = Math.max(a.places, b.places);
  const units = (a.unitsAt(places) ?? NaN) - (b.unitsAt(places) ?? NaN);
  if (!Number.isNaN(units)) return shortest(Math.abs(units), places);
  return fromBig(new Exact(a.text).minus(b.text).abs());
}

/** -1, 0 or 1. Compares values, so `1.0` equals `1.00`. */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const places = Math.max(a.places, b.places);
  const units = (a.unitsAt(places) ?? NaN) - (b.unitsAt(places) ?? NaN);
  if (!Number.isNaN(units)) return units < 0 ? -1 : units > 0 ? 1 : 0;
  return new Exact(a.text).cmp(b.text) as -1 | 0 | 1;
}

/** Whether two numbers of JSON are equal, also with exponents. */
export const isSameNumber = (a: string, b: string): boolean => new Exact(a).eq(b);

/** Whole units of a place as a decimal. */
export function textOfUnits(units: number | bigint, places: number): string {
  const digits = String(units)
    .replace('-', '')
    .padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${units < 0 ? '-' : ''}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`;
}

/** Without zeros at the end, as big.js writes what it has calculated. */
function shortest(units: number, places: number): Decimal {
  while (places > 0 && units % 10 === 0) {
    units /= 10;
    places--;
  }
  return Decimal.ofUnits(units, places);
}

/**
 * The decimal with at least `places` digits after the point, for answers and reports (`5` → `5.00`). Digits are added, never rounded away.
 */
export function withPlaces(decimal: Decimal, places: number): string {
  const missing = places - decimal.places;
  if (missing <= 0) return decimal.text;
  return `${decimal.text}${decimal.places === 0 ? '.' : ''}${'0'.repeat(missing)}`;
}

/** Whether a number is a whole multiple of a step, by the digits with which both are written. */
export const isMultiple = (value: number, step: number): boolean =>
  Number.isFinite(value) && step > 0 && new Exact(String(value)).mod(String(step)).eq('0');

const fromBig = (value: Big.Big): Decimal => Decimal.of(value.toFixed());

/** Whether two amounts are equal by value, or both missing. */
export function isSameMoney(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return a === b;
  return compareDecimals(Decimal.of(a), Decimal.of(b)) === 0;
}

/** A number in plain notation without the zeros at the end of its decimals, so that equal amounts have equal texts. */
export function withoutLastZeros(text: string): string {
  return text.endsWith('0') && text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
