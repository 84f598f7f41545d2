import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { warning } from '../../../core/problem.ts';
import { report, type Oddity, type SeenRecord, type StagedFile } from '../staged-file.ts';
import type { Tally } from './tally.ts';

/** Fewer amounts than this prove nothing. A negative type beside a positive one is less of a chance. */
const LEAST = 20;
const LEAST_BESIDE = 2;

/** A charge or a credit may be negative, as a reversal. When all are negative, the sign is most likely the supplier's. */
class AmountSigns implements Oddity {
  private readonly types = new Map<string, Tally & { negative: number }>();

  see({ counted: { type, amount }, line }: SeenRecord): void {
    if (type === null || amount === null || !/[1-9]/.test(amount)) return;
    let found = this.types.get(type);
    if (!found) this.types.set(type, (found = { count: 0, negative: 0, first: line }));
    found.count++;
    if (amount.startsWith('-')) found.negative++;
  }

  report(file: StagedFile): void {
    const { field } = DESCRIPTORS[file.job.resource].amount!;
    const hasPositive = this.types
      .values()
      .some(({ count, negative }) => negative === 0 && count >= LEAST_BESIDE);
    for (const [type, { count, negative, first }] of this.types)
      if (count >= (hasPositive ? LEAST_BESIDE : LEAST) && negative === count)
        report(file, warning('amounts_all_negative', [field], { count, what: type }), first);
  }
}

/** Whole minor units are taken for major units when every amount is below this: 10.00. */
const SMALL_GROSS = 1_000;

/** Amounts in whole minor units. A file in major units has either no cents at all or far too small amounts. */
class MinorAmounts implements Oddity {
  private tally: Tally | undefined;
  /** The largest amount without its sign. */
  private largest = 0;
  private hundreds = 0;

  /** Such amounts have at most 15 digits, which a float keeps exactly. */
  see({ counted: { amount }, line }: SeenRecord): void {
    const minor = amount === null ? 0 : Number.parseInt(amount, 10);
    if (minor === 0) return;
    this.tally ??= { count: 0, first: line };
    this.tally.count++;
    this.largest = Math.max(this.largest, Math.abs(minor));
    if (minor % 100 === 0) this.hundreds++;
  }

  report(file: StagedFile): void {
    const { tally, largest, hundreds } = this;
    if (!tally || tally.count < LEAST) return;
    const { count, first } = tally;
    const isSmall = largest < SMALL_GROSS;
    if (!isSmall && hundreds < count) return;
    const { field } = DESCRIPTORS[file.job.resource].amount!;
    const oddity = isSmall ? 'are below 1000, which is 10.00' : 'are multiples of 100';
    report(file, warning('gross_amounts_look_like_major_units', [field], { count, oddity }), first);
  }
}

/** What may be odd about the amounts of a resource. */
export function amountOddities(resource: Resource): readonly Oddity[] {
  const { amount } = DESCRIPTORS[resource];
  return amount === null ? [] : [amount.unit === 'minor' ? new MinorAmounts() : new AmountSigns()];
}
