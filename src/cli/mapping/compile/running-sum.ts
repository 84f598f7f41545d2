import { failure, type Problem } from '../../../core/problem.ts';
import { sum, type Decimal } from '../../../core/values/decimal.ts';

/** Amounts that are kept before they are added up. */
const PORTION = 1000;

/** Says how many rows the filter leaves out of a total, if there are any. */
export function leftOutFact(filtered: number): string {
  return filtered === 0 ? '' : `; the filter leaves out ${filtered}`;
}

/** The exact sum of the amounts of a column. */
export class RunningSum {
  private amounts: Decimal[] = [];
  private unreadable = 0;
  /** The first line with an amount that cannot be read. */
  private firstLine = 0;
  private readonly portion: number;

  /** @param portion amounts that are kept before they are added up; small where there are many sums */
  constructor(portion = PORTION) {
    this.portion = portion;
  }

  /** @param amount undefined when the amount on this line cannot be read */
  add(amount: Decimal | undefined, line: number): void {
    if (!amount && ++this.unreadable === 1) this.firstLine = line;
    if (amount) this.amounts.push(amount);
    if (this.amounts.length >= this.portion) this.amounts = [sum(this.amounts)];
  }

  get total(): Decimal {
    return sum(this.amounts);
  }

  /** Why the sum proves nothing; undefined when every amount could be read. */
  problemIn(column: string): Problem | undefined {
    if (this.unreadable === 0) return undefined;
    const facts = { column, count: this.unreadable, first_line: this.firstLine };
    return failure('trailer_sum_unreadable', [], facts);
  }
}
