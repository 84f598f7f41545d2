import { warning } from '../../../core/problem.ts';
import { counted, total } from '../../../core/values/counts.ts';
import type { Decimal } from '../../../core/values/decimal.ts';
import type { SeenRecord } from '../staged-file.ts';
import type { Oddity, Suspicion, Tally } from './tally.ts';

/** Fewer amounts than this prove nothing. In a smaller file a negative type beside a positive one is no chance. */
const LEAST = 20;
const LEAST_BESIDE = 2;

/** A charge or a credit may be negative, as a reversal. When all are negative, the sign is most likely the supplier's. */
export class AmountSigns implements Oddity {
  private readonly types = new Map<string, Tally & { negative: number }>();

  see(value: unknown, { counted: { type }, line }: SeenRecord): void {
    const amount = value as Decimal;
    if (type === null || amount.isZero) return;
    let found = this.types.get(type);
    if (!found) this.types.set(type, (found = { count: 0, negative: 0, first: line }));
    found.count++;
    if (amount.isNegative) found.negative++;
  }

  *found(field: string): Generator<Suspicion> {
    const all = [...this.types.values()];
    const isSmall = total(all, ({ count }) => count) < LEAST && all.some(({ negative }) => negative === 0);
    for (const [type, { count, negative, first }] of this.types)
      if (count >= (isSmall ? LEAST_BESIDE : LEAST) && negative === count)
        yield [warning('amounts_all_negative', [field], { count, what: type }), first];
  }
}

/** Whole minor units are taken for major units when every amount is below this: 10.00. */
const SMALL_GROSS = 1_000;

/** Amounts in whole minor units. A file in major units has either no cents at all or far too small amounts. */
export class MinorAmounts implements Oddity {
  private tally: Tally | undefined;
  /** The largest amount without its sign. */
  private largest = 0;
  private hundreds = 0;

  see(value: unknown, { line }: SeenRecord): void {
    const { units, isZero } = value as Decimal;
    if (isZero) return;
    this.tally = counted(this.tally, line);
    this.largest = Math.max(this.largest, Math.abs(units));
    if (units % 100 === 0) this.hundreds++;
  }

  *found(field: string): Generator<Suspicion> {
    const { tally, largest, hundreds } = this;
    if (!tally || tally.count < LEAST) return;
    const { count, first } = tally;
    const isSmall = largest < SMALL_GROSS;
    if (!isSmall && hundreds < count) return;
    const oddity = isSmall ? 'are below 1000, which is 10.00' : 'are multiples of 100';
    yield [warning('gross_amounts_look_like_major_units', [field], { count, oddity }), first];
  }
}

/** Different amounts that repeat the one before. A fee that many accounts pay is one amount. */
const LEAST_AMOUNTS = 10;
/** How many times more often amounts follow each other than they would by chance. */
const BEYOND_CHANCE = 5;
/** Amounts that are counted. With more of them equal neighbours are rare by chance, and memory stays bounded. */
const MOST_AMOUNTS = 1_000;

/** Records with the amount of the record before, which is of another account, as where a spreadsheet has filled empty cells down. */
export class FilledAmounts implements Oddity {
  private records = 0;
  private readonly last = { account: '', amount: '' };
  private filled: Tally | undefined;
  private readonly repeated = new Set<string>();
  /** By their units, because a new text takes longer to look up. */
  private readonly amounts = new Map<number, number>();

  see(value: unknown, { counted: { account }, line }: SeenRecord): void {
    const { last, amounts } = this;
    const { units, text } = value as Decimal;
    const number = account.external_account_number;
    this.records++;
    const count = amounts.get(units);
    if (count !== undefined || amounts.size < MOST_AMOUNTS) amounts.set(units, (count ?? 0) + 1);
    const isRepeated = last.amount === text && last.account !== number;
    last.account = number;
    last.amount = text;
    if (!isRepeated) return;
    if (this.repeated.size < LEAST_AMOUNTS) this.repeated.add(text);
    this.filled = counted(this.filled, line);
  }

  *found(field: string): Generator<Suspicion> {
    const { records, filled, repeated, amounts } = this;
    if (!filled || repeated.size < LEAST_AMOUNTS) return;
    const byChance = [...amounts.values()].reduce((sum, count) => sum + count ** 2, 0) / records;
    if (filled.count < BEYOND_CHANCE * byChance) return;
    yield [warning('amounts_filled_down', [field], { count: filled.count, records }), filled.first];
  }
}
