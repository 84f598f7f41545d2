import { failure, type Problem } from '../../../core/problem.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import { DecimalSum } from '../../../core/values/decimal-sum.ts';

/** Says how many rows the filter leaves out of a total, if there are any. */
export function leftOutFact(filtered: number): string {
  return filtered === 0 ? '' : `; the filter leaves out ${filtered}`;
}

/** The exact sum of the amounts of a column. */
export class RunningSum {
  private readonly sum = new DecimalSum();
  private unreadable = 0;
  /** The first line with an amount that cannot be read. */
  private firstLine = 0;

  /** @param amount undefined when the amount on this line cannot be read */
  add(amount: Decimal | undefined, line: number): void {
    if (amount) this.sum.add(amount.text);
    else if (++this.unreadable === 1) this.firstLine = line;
  }

  get total(): Decimal {
    return this.sum.total ?? Decimal.of('0');
  }

  /** Why the sum proves nothing; undefined when every amount could be read. */
  problemIn(column: string): Problem | undefined {
    if (this.unreadable === 0) return undefined;
    const facts = { column, count: this.unreadable, first_line: this.firstLine };
    return failure('trailer_sum_unreadable', [], facts);
  }
}
