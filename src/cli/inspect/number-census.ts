import { Decimal, sum } from '../../core/values/decimal.ts';
import {
  NUMBER_MARKS,
  numberShape,
  plainNumber,
  SIGNS,
  type NumberMarks,
  type Sign,
} from './number-shape.ts';
import { PlaceCount, Tally, type Places } from './places.ts';

/** One pair of marks, and which numbers of a column it reads. */
export interface MarksEvidence extends NumberMarks {
  readonly fits: number;
  readonly exceptions: Places;
}

/** What the numbers of a column have shown. */
export interface NumberEvidence {
  readonly count: number;
  readonly integers: number;
  /** Pairs of marks that read most of the numbers, best first; none when every number is whole and without marks. */
  readonly marks: readonly MarksEvidence[];
  /** Numbers that only one decimal mark can explain; the others say nothing about it. */
  readonly deciding: number;
  /** Numbers such as 1.234, which are one thing with a decimal mark and another with a thousands mark. */
  readonly ambiguous: Places;
  readonly signs: readonly { readonly sign: Sign; readonly count: number }[];
  readonly suffixes: readonly { readonly suffix: string; readonly count: number }[];
  readonly currencies: readonly { readonly currency: string; readonly count: number }[];
}

/** Numbers are added a batch at a time. */
const BATCH = 500;

/** Takes the numbers of one column. */
export class NumberCensus {
  private readonly exceptions = NUMBER_MARKS.map(() => new PlaceCount());
  private readonly ambiguous = new PlaceCount();
  private readonly signs = new Map<Sign, number>();
  private readonly suffixes = new Tally();
  private readonly currencies = new Tally();
  private readonly totals = { '.': new RunningTotal(), ',': new RunningTotal() };
  count = 0;
  private integers = 0;
  private deciding = 0;

  /** Whether the text is a number; it is counted then. */
  accept(text: string, line: number): 'integer' | 'decimal' | undefined {
    const shape = numberShape(text);
    if (!shape) return undefined;
    this.count++;
    if (shape.isInteger) this.integers++;
    this.signs.set(shape.sign, (this.signs.get(shape.sign) ?? 0) + 1);
    if (shape.suffix !== null) this.suffixes.add(shape.suffix, line);
    if (shape.currency !== null) this.currencies.add(shape.currency, line);
    const readings = { '.': undefined, ',': undefined } as Record<'.' | ',', string | undefined>;
    NUMBER_MARKS.forEach((marks, at) => {
      if (!shape.fits[at]) this.exceptions[at]!.add(line);
      else readings[marks.decimalMark] ??= plainNumber(shape, marks);
    });
    if (readings['.'] === undefined || readings[','] === undefined) this.deciding++;
    else if (isAmbiguous(shape.core)) this.ambiguous.add(line);
    for (const mark of ['.', ','] as const)
      this.totals[mark].add(shape.sign === 'suffix' ? undefined : readings[mark]);
    return shape.isInteger ? 'integer' : 'decimal';
  }

  /** Exact sum of the numbers read with a decimal mark; undefined when one of them cannot be. */
  total(decimalMark: '.' | ','): Decimal | undefined {
    return this.totals[decimalMark].value();
  }

  result(): NumberEvidence {
    const marks = NUMBER_MARKS.map((pair, at) => {
      const exceptions = this.exceptions[at]!.result();
      return { ...pair, fits: this.count - exceptions.count, exceptions };
    });
    return {
      count: this.count,
      integers: this.integers,
      marks: this.integers === this.count ? [] : telling(marks, this.count),
      deciding: this.deciding,
      ambiguous: this.ambiguous.result(),
      signs: SIGNS.flatMap((sign) => {
        const count = this.signs.get(sign);
        return count === undefined ? [] : [{ sign, count }];
      }),
      suffixes: this.suffixes.ranked().map(({ name, count }) => ({ suffix: name, count })),
      currencies: this.currencies.ranked().map(({ name, count }) => ({ currency: name, count })),
    };
  }
}

/** A mark for thousands is told only when it reads numbers that cannot be read without. */
function telling(marks: readonly MarksEvidence[], count: number): readonly MarksEvidence[] {
  const without = (mark: MarksEvidence): number =>
    marks.find(
      ({ decimalMark, thousandsMark }) => thousandsMark === null && decimalMark === mark.decimalMark,
    )!.fits;
  return marks
    .filter((mark) => mark.fits * 2 >= count && (mark.thousandsMark === null || mark.fits > without(mark)))
    .toSorted((a, b) => b.fits - a.fits);
}

/** One mark, once, with three digits after it and one to three before it, of which the first is no zero. */
function isAmbiguous(core: string): boolean {
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(core);
}

class RunningTotal {
  private total = Decimal.of('0');
  private waiting: Decimal[] = [];
  private isBroken = false;

  add(text: string | undefined): void {
    if (this.isBroken) return;
    const decimal = text === undefined ? undefined : Decimal.parse(text);
    if (!decimal) {
      this.isBroken = true;
      return;
    }
    this.waiting.push(decimal);
    if (this.waiting.length >= BATCH) this.settle();
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
