import type { SignMark } from '../inspection.ts';
import { numberShape } from '../column/number-shape.ts';

/** Marks such as S and H, D and C, CR and DR, + and -. */
const MARK = /^(?:\p{L}{1,2}|[+-])$/u;

/** Two values of a mark, and how often amounts of each sign have them. */
type Signs = Map<string, { positive: number; negative: number }>;

/**
 * Looks for columns that repeat the sign of an amount, such as D and C. Columns that have another value, or amounts that are no
 * numbers, are left out from then on, so that a row costs no more than a look at the columns that are left.
 */
export class SignMarkCounter {
  private marks: number[];
  private amounts: number[];
  private readonly signs = new Map<string, Signs>();

  constructor(columns: number) {
    this.marks = Array.from({ length: columns }, (_, at) => at);
    this.amounts = [...this.marks];
  }

  accept(cells: readonly string[]): void {
    this.marks = this.marks.filter((at) => cells[at] === '' || MARK.test(cells[at]!));
    if (this.marks.length === 0) return;
    this.amounts = this.amounts.filter((at) => cells[at] === '' || numberShape(cells[at]!) !== undefined);
    for (const mark of this.marks) {
      for (const amount of this.amounts)
        if (cells[mark] !== '') this.count(cells[mark]!, { mark, amount, cells });
    }
  }

  result(): readonly SignMark[] {
    return this.marks.flatMap((mark) =>
      this.amounts.flatMap((amount) => {
        const found = [...(this.signs.get(`${mark} ${amount}`) ?? [])];
        const positive = found.filter(([, { negative }]) => negative === 0);
        const negative = found.filter(([, { positive: others }]) => others === 0);
        if (found.length !== 2 || positive.length !== 1 || negative.length !== 1) return [];
        const counts = { positive: positive[0]![1].positive, negative: negative[0]![1].negative };
        if (Math.min(counts.positive, counts.negative) < LEAST) return [];
        return [
          {
            column: mark + 1,
            amount: amount + 1,
            positive: positive[0]![0],
            negative: negative[0]![0],
            rows: counts.positive + counts.negative,
          },
        ];
      }),
    );
  }

  private count(
    text: string,
    { mark, amount, cells }: { mark: number; amount: number; cells: readonly string[] },
  ): void {
    const cell = cells[amount]!;
    // A zero has no side.
    if (!/[1-9]/.test(cell)) return;
    const key = `${mark} ${amount}`;
    const signs: Signs = this.signs.get(key) ?? new Map();
    this.signs.set(key, signs);
    const seen = signs.get(text) ?? { positive: 0, negative: 0 };
    signs.set(text, seen);
    if (/[-\u2212]|^\(/.test(cell)) seen.negative++;
    else seen.positive++;
  }
}

/** Fewer amounts of a sign prove nothing. */
const LEAST = 2;
