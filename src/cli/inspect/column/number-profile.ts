import { Decimal, sum } from '../../../core/values/decimal.ts';
import { SIGNS, type NumberProfile, type Sign } from './profiled-column.ts';
import { NUMBER_MARKS, numberShape, plainNumber } from './number-shape.ts';
import { OccurrenceCount, Tally } from './occurrences.ts';

/** Looks at the numbers of one column. */
export class NumberCounter {
  count = 0;
  private readonly exceptions = NUMBER_MARKS.map(() => new OccurrenceCount());
  private readonly ambiguous = new OccurrenceCount();
  private readonly signs = new Map<Sign, number>();
  private readonly suffixes = new Tally();
  private readonly currencies = new Tally();
  private readonly totals = { '.': new RunningTotal(), ',': new RunningTotal() };
  private integers = 0;
  private deciding = 0;

  /** Counts the text if it is a number. @returns undefined when it is none */
  accept(text: string, line: number): 'integer' | 'decimal' | undefined {
    const shape = numberShape(text);
    if (!shape) return undefined;
    this.count++;
    if (shape.isInteger) this.integers++;
    this.signs.set(shape.sign, (this.signs.get(shape.sign) ?? 0) + 1);
    if (shape.suffix !== null) this.suffixes.add(shape.suffix, line);
    if (shape.currency !== null) this.currencies.add(shape.currency, line);
    const readings: Record<'.' | ',', string | undefined> = { '.': undefined, ',': undefined };
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

  result(): NumberProfile {
    return {
      count: this.count,
      integers: this.integers,
      marks: this.integers === this.count ? [] : this.fittingMarks(),
      deciding: this.deciding,
      ambiguous: this.ambiguous,
      signs: SIGNS.flatMap((sign) => {
        const count = this.signs.get(sign);
        return count === undefined ? [] : [{ sign, count }];
      }),
      suffixes: this.suffixes.ranked().map(({ name, count }) => ({ suffix: name, count })),
      currencies: this.currencies.ranked().map(({ name, count }) => ({ currency: name, count })),
    };
  }

  /** Marks that read most of the numbers. A mark for thousands is left out unless it reads numbers that need it. */
  private fittingMarks(): NumberProfile['marks'] {
    const marks = NUMBER_MARKS.map((pair, at) => {
      const exceptions = this.exceptions[at]!;
      return { ...pair, fits: this.count - exceptions.count, exceptions };
    });
    const fitsAlone = (mark: '.' | ','): number =>
      marks.find(({ decimalMark, thousandsMark }) => thousandsMark === null && decimalMark === mark)!.fits;
    return marks
      .filter(({ fits, thousandsMark, decimalMark }) => {
        return fits * 2 >= this.count && (thousandsMark === null || fits > fitsAlone(decimalMark));
      })
      .toSorted((a, b) => b.fits - a.fits);
  }
}

/** One mark, once, with three digits after it and one to three before it, of which the first is no zero. */
const isAmbiguous = (core: string): boolean => /^[1-9]\d{0,2}[.,]\d{3}$/.test(core);

/** Numbers that are added up together. */
const PORTION = 500;

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
    if (this.waiting.length >= PORTION) this.settle();
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
