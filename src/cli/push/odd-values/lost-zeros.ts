import { warning } from '../../../core/problem.ts';
import { lastDigitsOf, longestDigitsOf, type IdentifierDigits } from '../ports/identifier-text.ts';
import { joined, togetherOf, type Suspicion, type Tally } from './tally.ts';

/** Fewer numbers than this prove nothing. */
const LEAST = 20;

/** Numbers that prove something when some of them have zeros and others have not. */
const LEAST_WITH_ZEROS = 10;

/** The share of numbers that must have the same length before shorter numbers are odd. */
const USUAL_SHARE = 0.8;

/** Numbers of one shape by their digits, in the order of the digits. */
type Lengths = readonly Pick<LengthTally, 'digits' | 'count' | 'zeroLed'>[];

/**
 * The digits that numbers once had, when the shorter ones have lost zeros: nearly all have this length, and no number of full
 * length begins with a zero.
 */
function shortenedNumbers(all: Lengths): number | undefined {
  const longest = all.at(-1);
  if (!longest || all.length < 2 || totalOf(all) < LEAST || longest.count < totalOf(all) * USUAL_SHARE)
    return undefined;
  return longest.zeroLed > 0 ? undefined : longest.digits;
}

/** The usual digits, when numbers of that length begin with zeros, and shorter ones do not: filled up with zeros, all would be alike. */
function partlyShortened(all: Lengths): number | undefined {
  const usual = all.toSorted((a, b) => b.count - a.count)[0];
  if (!usual || usual.zeroLed === 0 || totalOf(all) < LEAST_WITH_ZEROS || usual.count * 2 < totalOf(all))
    return undefined;
  const shorter = all.filter(({ digits }) => digits < usual.digits);
  return shorter.length > 0 && shorter.every(({ zeroLed }) => zeroLed === 0) ? usual.digits : undefined;
}

const totalOf = (all: Lengths): number => all.reduce((sum, { count }) => sum + count, 0);

/** With more shapes than this, the numbers have none. Memory stays bounded. */
const MOST_SHAPES = 200;

/**
 * Numbers that count up have several lengths, too. They are no reason for a warning when they are short, or when the long ones
 * begin with few digits: 95000 to 150000.
 */
const LONG_DIGITS = 6;
const MANY_FIRST_DIGITS = 7;

/** Numbers of one form, or of one count of digits. */
export type NumberTally = Tally & { zeroLed: number; readonly firstDigits: Set<string> };

type LengthTally = NumberTally & { readonly digits: number };

/** The numbers in the texts of one field, by the text around them. */
export class NumberLengths {
  private readonly shapes = new Map<string, Map<number, LengthTally>>();
  private readonly kind: 'account' | 'id' | 'name';

  /** `name`: the field has numbers and references. Ids may be of any length, unless some of them have zeros. */
  constructor(kind: NumberLengths['kind']) {
    this.kind = kind;
  }

  /** The run of digits that is the number of a text. */
  numberIn(text: string): IdentifierDigits {
    return this.kind === 'account' ? longestDigitsOf(text) : lastDigitsOf(text);
  }

  /** Adds the numbers of one form. Those of accounts are counted once for each account. */
  add({ shape, run }: IdentifierDigits, numbers: NumberTally): void {
    if (this.shapes.size > MOST_SHAPES || run === '' || numbers.count === 0) return;
    const lengths = this.shapes.get(shape) ?? new Map<number, LengthTally>();
    this.shapes.set(shape, lengths);
    const known = lengths.get(run.length);
    const zeroLed = (known?.zeroLed ?? 0) + numbers.zeroLed;
    const firstDigits = known?.firstDigits.union(numbers.firstDigits) ?? numbers.firstDigits;
    lengths.set(run.length, { ...joined(known, numbers), digits: run.length, zeroLed, firstDigits });
  }

  *found(attr: string): Generator<Suspicion> {
    if (this.shapes.size > MOST_SHAPES) return;
    for (const tallies of this.shapes.values()) {
      const all = [...tallies.values()].toSorted((a, b) => a.digits - b.digits);
      const partly = partlyShortened(all);
      const usual = partly ?? (this.mayBeShortened(all.at(-1)!) ? shortenedNumbers(all) : undefined);
      if (usual === undefined) continue;
      const lengths = all
        .map(({ digits, count }) => `${count} of ${digits} digits`)
        .toReversed()
        .join(', ');
      const zeros = `${partly === undefined ? 'none of which begins' : 'some of which begin'} with a zero`;
      const { count, first } = togetherOf(all.filter(({ digits }) => digits < usual));
      yield [warning('leading_zeros_lost', [attr], { count, lengths, zeros }), first];
    }
  }

  private mayBeShortened({ digits, firstDigits }: LengthTally): boolean {
    if (this.kind !== 'name') return this.kind === 'account';
    return digits >= LONG_DIGITS && firstDigits.size >= MANY_FIRST_DIGITS;
  }
}
