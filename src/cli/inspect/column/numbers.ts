import { Decimal, sum } from '../../../core/values/decimal.ts';
import { numberReader } from '../../mapping/language/number-format.ts';
import { Tally } from './occurrences.ts';

/** Marks inside numbers, as a mapping file names them. */
export interface NumberMarks {
  readonly decimalMark: '.' | ',';
  readonly thousandsMark: '.' | ',' | 'space' | "'" | '’' | 'indian' | null;
}

/** Where a number has its sign; `suffix` is a text such as CR. */
const SIGNS = ['none', 'leading', 'trailing', 'parentheses', 'plus', 'suffix'] as const;
export type Sign = (typeof SIGNS)[number];

/** A regular expression of a mapping, and the text that replaces its matches. */
export interface Replacement {
  readonly pattern: string;
  readonly with: string;
}

/** Every pair of marks that is tried. Pairs without a mark for thousands come first, because they claim least. */
const MARKS: readonly NumberMarks[] = [
  { decimalMark: '.', thousandsMark: null },
  { decimalMark: ',', thousandsMark: null },
  { decimalMark: '.', thousandsMark: ',' },
  { decimalMark: ',', thousandsMark: '.' },
  { decimalMark: '.', thousandsMark: 'space' },
  { decimalMark: ',', thousandsMark: 'space' },
  { decimalMark: '.', thousandsMark: "'" },
  { decimalMark: ',', thousandsMark: "'" },
  { decimalMark: '.', thousandsMark: '’' },
  { decimalMark: ',', thousandsMark: '’' },
  { decimalMark: '.', thousandsMark: 'indian' },
];

/** The longest first: `kr.` is one currency, and not `kr` with a full stop. */
const CURRENCIES = [
  ...'руб. R$ kr. лв. руб lei Fr. zł Kč Ft kr лв р. TL € $ £ ¥ ￥ ₹ ₺ ₽ ₴ ₩ р 円'.split(' '),
  ...'EUR GBP AUD NZD USD CAD CHF JPY PLN CZK HUF RON BGN SEK NOK DKK ISK TRY RUB UAH BRL MXN INR ZAR SGD HKD CNY KRW'.split(
    ' ',
  ),
];
const SUFFIXES = ['CR', 'DR', 'Cr', 'Dr', 'cr', 'dr', 'C', 'D', 'H', 'S'];

/** The reader of a mapping for each pair of marks. */
const READERS = MARKS.map(({ decimalMark, thousandsMark }) =>
  numberReader({
    decimal_mark: decimalMark,
    thousands_mark: thousandsMark ?? undefined,
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
  /** Whether each of MARKS reads it. */
  readonly fits: readonly boolean[];
  readonly sign: Sign;
  /** As it was written. */
  readonly suffix: string | undefined;
  readonly currency: string | undefined;
}

const MAX_SHAPES = 1_000;
const LONGEST = 40;

/** Reads texts as numbers, with the reader of a mapping. */
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
  value(text: string, decimalMark: '.' | ','): Decimal | undefined {
    const shape = this.of(text);
    if (!shape || shape.suffix !== undefined) return undefined;
    const at = MARKS.findIndex((marks, index) => marks.decimalMark === decimalMark && shape.fits[index]);
    return at < 0 ? undefined : READERS[at]!(withoutPlus(text));
  }
}

const withoutPlus = (text: string): string => text.replace(/^\+/, '');

function shapeOf(given: string): NumberShape | undefined {
  const text = withoutPlus(given);
  const fits = READERS.map((read) => read(text) !== undefined);
  if (!fits.includes(true)) return undefined;
  const [, before = '', core = '', behind = ''] = /^(\D*)(\d(?:.*\d)?)(\D*)$/u.exec(text) ?? [];
  const suffix = SUFFIXES.find((each) => behind.trim() === each);
  const currency = CURRENCIES.find((each) => before.includes(each) || behind.includes(each));
  const sign = text === given ? signOf(before, behind, suffix) : 'plus';
  return { isInteger: /^\d+$/.test(core), fits, sign, suffix, currency };
}

/** The signs that a mapping reads as a minus. */
const MINUS = /[-\u2212\u2013]/;

function signOf(before: string, behind: string, suffix: string | undefined): Sign {
  if (suffix !== undefined) return 'suffix';
  if (before.includes('(')) return 'parentheses';
  return MINUS.test(before) ? 'leading' : MINUS.test(behind) ? 'trailing' : 'none';
}

/** Looks at the numbers of one column. */
export class NumberCounter {
  count = 0;
  private readonly shapes = new NumberShapes();
  /** How many numbers each of MARKS reads. */
  private readonly fits = MARKS.map(() => 0);
  private readonly signs = new Map<Sign, number>();
  private readonly suffixes = new Tally();
  private readonly currencies = new Tally();
  private readonly sums = { '.': new RunningSum(), ',': new RunningSum() };
  private integers = 0;
  private deciding = 0;

  /** Counts the text if it is a number. @returns undefined when it is none */
  accept(text: string, line: number): 'integer' | 'decimal' | undefined {
    const shape = this.shapes.of(text);
    if (!shape) return undefined;
    this.count++;
    if (shape.isInteger) this.integers++;
    this.signs.set(shape.sign, (this.signs.get(shape.sign) ?? 0) + 1);
    if (shape.suffix !== undefined) this.suffixes.add(shape.suffix, line);
    if (shape.currency !== undefined) this.currencies.add(shape.currency, line);
    shape.fits.forEach((isRead, at) => {
      if (isRead) this.fits[at]!++;
    });
    if (new Set(MARKS.filter((_, at) => shape.fits[at]).map(({ decimalMark }) => decimalMark)).size === 1)
      this.deciding++;
    for (const mark of ['.', ','] as const) this.sums[mark].add(this.shapes.value(text, mark));
    return shape.isInteger ? 'integer' : 'decimal';
  }

  /** Exact sum of the numbers read with a decimal mark; undefined when one of them cannot be. */
  total(decimalMark: '.' | ','): Decimal | undefined {
    return this.sums[decimalMark].value();
  }

  result() {
    return {
      count: this.count,
      integers: this.integers,
      // None when every number is whole and without marks.
      marks: this.integers === this.count ? [] : this.fittingMarks(),
      // Numbers that only one decimal mark can explain.
      deciding: this.deciding,
      signs: SIGNS.flatMap((sign) => {
        const count = this.signs.get(sign);
        return count === undefined ? [] : [{ sign, count }];
      }),
      suffixes: this.suffixes.ranked(),
      currencies: this.currencies.ranked(),
      replace: this.signs.has('plus') ? [WITHOUT_PLUS] : [],
    };
  }

  /** Marks that read most of the numbers. A mark for thousands is left out unless it reads numbers that need it. */
  private fittingMarks() {
    const marks = MARKS.map((pair, at) => ({ ...pair, fits: this.fits[at]! }));
    const isNeeded = ({ decimalMark, thousandsMark, fits }: (typeof marks)[number]): boolean =>
      thousandsMark === null ||
      marks.every((each) => each.thousandsMark || each.decimalMark !== decimalMark || fits > each.fits);
    return marks
      .filter((each) => each.fits * 2 >= this.count && isNeeded(each))
      .toSorted((a, b) => b.fits - a.fits);
  }
}

/** Numbers that are added up together, because a sum of many takes less time than many sums. */
const PORTION = 500;

class RunningSum {
  private total = Decimal.of('0');
  private waiting: Decimal[] = [];
  private isBroken = false;

  add(value: Decimal | undefined): void {
    if (value === undefined) this.isBroken = true;
    if (this.isBroken) return;
    if (this.waiting.push(value!) >= PORTION) this.settle();
  }

  value(): Decimal | undefined {
    this.settle();
    return this.isBroken ? undefined : this.total;
  }

  private settle(): void {
    this.total = sum([this.total, ...this.waiting]);
    this.waiting = [];
  }
}
