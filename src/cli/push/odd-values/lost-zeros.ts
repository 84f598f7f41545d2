import { warning } from '../../../core/problem.ts';
import type { NumberLengths, RowTally, SourceLine } from '../ports/staging.ts';
import { reportTally, type StagedFile } from '../staged-file.ts';

/** Fewer numbers than this prove nothing. */
const LEAST = 20;

/** Numbers that prove something when some of them have zeros and others have not. */
const LEAST_WITH_ZEROS = 10;

/** The share of numbers that must have the same length before shorter numbers are odd. */
const USUAL_SHARE = 0.8;

interface LostZeros {
  /** Whether some numbers still have their zeros. */
  readonly isPart: boolean;
  /** Digits of the numbers that have lost none. */
  readonly usual: number;
}

/** Numbers of one shape by their digits, in the order of the digits. */
type Lengths = readonly Pick<NumberLengths, 'digits' | 'count' | 'zeroLed'>[];

/** Numbers that once had one length, so that the shorter ones have lost zeros: no number of full length begins with one. */
export function shortenedNumbers(all: Lengths): LostZeros | undefined {
  const longest = all.at(-1);
  if (!longest || all.length < 2 || totalOf(all) < LEAST || longest.count < totalOf(all) * USUAL_SHARE)
    return undefined;
  return longest.zeroLed > 0 ? undefined : { isPart: false, usual: longest.digits };
}

/** Numbers of the usual length begin with zeros, and shorter ones do not: filled up with zeros, all would be alike. */
export function partlyShortened(all: Lengths): LostZeros | undefined {
  const usual = all.toSorted((a, b) => b.count - a.count)[0];
  if (!usual || usual.zeroLed === 0 || totalOf(all) < LEAST_WITH_ZEROS || usual.count * 2 < totalOf(all))
    return undefined;
  const shorter = all.filter(({ digits }) => digits < usual.digits);
  return shorter.length > 0 && shorter.every(({ zeroLed }) => zeroLed === 0)
    ? { isPart: true, usual: usual.digits }
    : undefined;
}

const totalOf = (all: Lengths): number => all.reduce((sum, { count }) => sum + count, 0);

/** Reports numbers that have lost zeros. `shorter`: how many have fewer digits than the usual ones. */
export function reportShortened(
  file: StagedFile,
  attr: string,
  { all, found, shorter }: { all: Lengths; found: LostZeros; shorter: RowTally | undefined },
): void {
  const lengths = all
    .map(({ digits, count }) => `${count} of ${digits} digits`)
    .toReversed()
    .join(', ');
  reportTally(file, shorter, (count) =>
    found.isPart
      ? warning('leading_zeros_partly_lost', [attr], { count, lengths })
      : warning('leading_zeros_lost', [attr], { count, lengths }),
  );
}

/** With more shapes than this, the numbers have none. Memory stays bounded. */
const MOST_SHAPES = 200;

/**
 * Numbers that count up have several lengths, too. They are no reason for a warning when they are short, or when the long ones
 * begin with few digits: 95000 to 150000.
 */
const LONG_DIGITS = 6;
const MANY_FIRST_DIGITS = 7;

/** Numbers with one count of digits. */
interface LengthTally {
  readonly digits: number;
  count: number;
  zeroLed: number;
  readonly firstDigits: Set<string>;
  readonly first: SourceLine;
}

/** The last runs of digits of the texts of one field, by the text around them. */
export class LastDigits {
  private readonly shapes = new Map<string, Map<number, LengthTally>>();
  private readonly isName: boolean;

  /** `isName`: the field has numbers and references, and not ids. Ids of digits alone are a query of the run file. */
  constructor(isName: boolean) {
    this.isName = isName;
  }

  see(text: string, line: SourceLine): void {
    if (this.shapes.size > MOST_SHAPES) return;
    const { start, end } = lastRun(text);
    if (start === end || (!this.isName && end - start === text.length)) return;
    const digits = text.slice(start, end);
    const before = text.slice(0, start);
    const shape = `${HAS_DIGIT.test(before) ? before.replaceAll(/\d/g, '9') : before}#${text.slice(end)}`;
    const lengths = this.shapes.get(shape) ?? new Map<number, LengthTally>();
    this.shapes.set(shape, lengths);
    let tally = lengths.get(digits.length);
    if (!tally) {
      tally = { digits: digits.length, count: 0, zeroLed: 0, firstDigits: new Set(), first: line };
      lengths.set(digits.length, tally);
    }
    tally.count++;
    tally.firstDigits.add(digits[0]!);
    if (digits.startsWith('0')) tally.zeroLed++;
  }

  report(file: StagedFile, attr: string): void {
    if (this.shapes.size > MOST_SHAPES) return;
    for (const lengths of this.shapes.values()) {
      const all = [...lengths.values()].toSorted((a, b) => a.digits - b.digits);
      const found =
        partlyShortened(all) ?? (this.isName && isSpread(all.at(-1)!) ? shortenedNumbers(all) : undefined);
      if (!found) continue;
      const odd = all.filter(({ digits }) => digits < found.usual);
      const count = odd.reduce((sum, each) => sum + each.count, 0);
      const first = odd.map((each) => each.first).reduce((a, b) => (isEarlier(b, a) ? b : a));
      reportShortened(file, attr, { all, found, shorter: { count, first } });
    }
  }
}

const HAS_DIGIT = /\d/;

/** The last run of digits; empty without a digit. */
function lastRun(text: string): { start: number; end: number } {
  let end = text.length;
  while (end > 0 && !isDigit(text.charCodeAt(end - 1))) end--;
  let start = end;
  while (start > 0 && isDigit(text.charCodeAt(start - 1))) start--;
  return { start, end };
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

function isSpread({ digits, firstDigits }: LengthTally): boolean {
  return digits >= LONG_DIGITS && firstDigits.size >= MANY_FIRST_DIGITS;
}

/** Whether a line comes before another one in the order of the sources. */
export function isEarlier(a: SourceLine, b: SourceLine): boolean {
  return a.source < b.source || (a.source === b.source && a.line < b.line);
}
