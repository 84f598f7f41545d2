import { DecimalSum, type Decimal } from '../../../core/values/decimal.ts';
import { numberReader, type NumberFormat } from '../../mapping/language/number-format.ts';
import { Tally } from './occurrences.ts';

/** Marks inside numbers, as keys of a mapping. */
export type NumberMarks = Pick<NumberFormat, 'decimal_mark' | 'thousands_mark'>;

/** Where a number has its sign; `suffix` is a text such as CR. */
type Sign = 'leading' | 'trailing' | 'parentheses' | 'plus' | 'suffix';

/** A regular expression of a mapping, and the text that replaces its matches. */
export type Replacement = Readonly<{ pattern: string; with: string }>;

/** Every pair of marks that is tried. Pairs without a mark for thousands come first, because they claim least. */
const MARKS: readonly NumberMarks[] = [
  { decimal_mark: '.' },
  { decimal_mark: ',' },
  ...([',', '.', 'space', "'", '’'] as const).flatMap((mark) =>
    ['.', ','].flatMap((decimal) =>
      decimal === mark ? [] : { decimal_mark: decimal, thousands_mark: mark },
    ),
  ),
  { decimal_mark: '.', thousands_mark: 'indian' },
];

/** ISO codes that are taken for currencies under any header. */
export const CURRENCY_CODES =
  'EUR GBP AUD NZD USD CAD CHF JPY PLN CZK HUF RON BGN SEK NOK DKK ISK TRY RUB UAH BRL MXN INR ZAR SGD HKD CNY KRW'.split(
    ' ',
  );
/** The longest first: `kr.` is one currency, and not `kr` with a full stop. */
const CURRENCIES = [
  ...'руб. грн. ден. дин. din. R$ kr. лв. руб грн ден дин lei din Fr. zł Kč Ft kr лв р. TL € $ £ ¥ ￥ ₹ ₺ ₽ ₴ ₩ ₪ ₸ KM р 円'.split(
    ' ',
  ),
  ...CURRENCY_CODES,
];
const SUFFIXES = ['CR', 'DR', 'Cr', 'Dr', 'cr', 'dr', 'C', 'D', 'H', 'S'];

/** The reader of a mapping for each pair of marks. */
const READERS = MARKS.map((marks) =>
  numberReader({
    ...marks,
    currency_signs: CURRENCIES,
    negative: ['leading', 'trailing', 'parentheses'],
    positive_suffixes: SUFFIXES,
    negative_suffixes: [],
  }),
);

/** No number of a mapping has a plus, so a draft writes a replacement for it. */
const WITHOUT_PLUS: Replacement = { pattern: String.raw`^\+`, with: '' };

/** A text that is a number in at least one way. Texts that differ in their digits alone are read in the same way. */
interface NumberShape {
  readonly isInteger: boolean;
  /** The indexes of MARKS that read it. */
  readonly fits: readonly number[];
  /** Whether one decimal mark alone reads it. */
  readonly isDeciding: boolean;
  readonly sign: Sign | undefined;
  /** As it was written. */
  readonly suffix: string | undefined;
  readonly currency: string | undefined;
}

const MAX_SHAPES = 1_000;
const LONGEST = 40;

export class NumberShapes {
  private readonly known = new Map<string, NumberShape | undefined>();

  /** Undefined for a text that is no number. */
  of(text: string): NumberShape | undefined {
    if (text.length > LONGEST || !/\d/.test(text)) return undefined;
    const key = text.replaceAll(/\d/g, '0');
    if (this.known.has(key)) return this.known.get(key);
    const shape = shapeOf(text);
    if (this.known.size < MAX_SHAPES) this.known.set(key, shape);
    return shape;
  }

  /** The number with a decimal mark; undefined where it cannot be read so, or where a suffix is its sign. */
  value(text: string, decimalMark: '.' | ',', shape = this.of(text)): Decimal | undefined {
    if (!shape || shape.suffix !== undefined) return undefined;
    const at = shape.fits.find((index) => MARKS[index]!.decimal_mark === decimalMark);
    return at === undefined ? undefined : READERS[at]!(withoutPlus(text));
  }
}

/** The mark that divides the thousands of a number: the dot of `41.109,54`. */
export const thousandsMarkOf = (text: string, decimalMark = '.'): NumberMarks['thousands_mark'] =>
  MARKS.find(({ decimal_mark: mark }, at) => mark === decimalMark && READERS[at]!(text))?.thousands_mark;

const withoutPlus = (text: string): string => text.replace(/^\+/, '');

function shapeOf(given: string): NumberShape | undefined {
  const text = withoutPlus(given);
  const fits = [...MARKS.keys()].filter((at) => READERS[at]!(text) !== undefined);
  if (fits.length === 0) return undefined;
  const [, before = '', core = '', behind = ''] = /^(\D*)(\d(?:.*\d)?)(\D*)$/u.exec(text) ?? [];
  const suffix = SUFFIXES.find((each) => behind.trim() === each);
  return {
    isInteger: /^\d+$/.test(core),
    fits,
    isDeciding: new Set(fits.map((at) => MARKS[at]!.decimal_mark)).size === 1,
    sign: text === given ? signOf(before, behind, suffix) : 'plus',
    suffix,
    currency: CURRENCIES.find((each) => before.includes(each) || behind.includes(each)),
  };
}

/** The signs that a mapping reads as a minus. */
const MINUS = /[-\u2212\u2013]/;

function signOf(before: string, behind: string, suffix: string | undefined): Sign | undefined {
  if (suffix !== undefined) return 'suffix';
  if (before.includes('(')) return 'parentheses';
  return MINUS.test(before) ? 'leading' : MINUS.test(behind) ? 'trailing' : undefined;
}

export class NumberCounter {
  count = 0;
  private readonly shapes = new NumberShapes();
  /** How many numbers each of MARKS reads. */
  private readonly fits = MARKS.map(() => 0);
  private readonly signs = new Tally<Sign>();
  private readonly suffixes = new Tally();
  private readonly currencies = new Tally();
  /** The sum with each decimal mark, and how many numbers it has. */
  private readonly sums = {
    '.': { sum: new DecimalSum(), count: 0 },
    ',': { sum: new DecimalSum(), count: 0 },
  };
  integers = 0;
  private deciding = 0;

  /** Counts the text if it is a number. @returns undefined when it is none */
  accept(text: string, line: number): 'integer' | 'decimal' | undefined {
    const shape = this.shapes.of(text);
    if (!shape) return undefined;
    this.count++;
    if (shape.isInteger) this.integers++;
    if (shape.isDeciding) this.deciding++;
    if (shape.sign !== undefined) this.signs.add(shape.sign, line);
    if (shape.suffix !== undefined) this.suffixes.add(shape.suffix, line);
    if (shape.currency !== undefined) this.currencies.add(shape.currency, line);
    for (const at of shape.fits) this.fits[at]!++;
    for (const mark of ['.', ','] as const) {
      const value = this.shapes.value(text, mark, shape);
      if (!value) continue;
      this.sums[mark].sum.add(value);
      this.sums[mark].count++;
    }
    return shape.isInteger ? 'integer' : 'decimal';
  }

  /** Exact sum of the numbers read with a decimal mark; undefined when one of them cannot be. */
  total(decimalMark: '.' | ','): Decimal | undefined {
    const { sum, count } = this.sums[decimalMark];
    return count === this.count ? (sum.total ?? undefined) : undefined;
  }

  result() {
    const signs = this.signs.ranked();
    return {
      count: this.count,
      integers: this.integers,
      // None when every number is whole and without marks.
      marks: this.integers === this.count ? [] : this.fittingMarks(),
      // Numbers that only one decimal mark can explain.
      deciding: this.deciding,
      signs,
      suffixes: this.suffixes.ranked(),
      currencies: this.currencies.ranked(),
      replace: signs.some(({ name }) => name === 'plus') ? [WITHOUT_PLUS] : [],
    };
  }

  /** Marks that read most of the numbers. A mark for thousands is left out unless it reads numbers that need it. */
  private fittingMarks() {
    const found = MARKS.map((marks, at) => ({ marks, fits: this.fits[at]! }));
    return found
      .filter(
        ({ marks: { decimal_mark: mark, thousands_mark: thousands }, fits }) =>
          fits * 2 >= this.count &&
          (thousands === undefined || fits > found.find(({ marks }) => marks.decimal_mark === mark)!.fits),
      )
      .toSorted((a, b) => b.fits - a.fits);
  }
}
