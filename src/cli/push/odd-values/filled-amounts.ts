import { warning } from '../../../core/problem.ts';
import { counted } from '../../../core/values/counts.ts';
import type { CountedRecord } from '../ports/staging.ts';
import { reportTally, type Oddity, type SeenRecord, type StagedFile } from '../staged-file.ts';
import type { Tally } from './tally.ts';

/** Different amounts that repeat the one before. A fee that many accounts pay is one amount. */
const LEAST_AMOUNTS = 10;
/** How many times more often amounts follow each other than they would by chance. */
const BEYOND_CHANCE = 5;
/** Amounts that are counted. With more of them equal neighbours are rare by chance, and memory stays bounded. */
const MOST_AMOUNTS = 1_000;

/** Records with the amount of the record before, which is of another account, as where a spreadsheet has filled empty cells down. */
export class FilledAmounts implements Oddity {
  private records = 0;
  private last: Pick<CountedRecord, 'account' | 'amount'> | undefined;
  private filled: Tally | undefined;
  private readonly repeated = new Set<string>();
  private readonly amounts = new Map<string, number>();

  see({ counted: { account, amount }, line }: SeenRecord): void {
    const { last } = this;
    this.last = { account, amount };
    if (amount === null) return;
    this.records++;
    if (this.amounts.size < MOST_AMOUNTS || this.amounts.has(amount))
      this.amounts.set(amount, (this.amounts.get(amount) ?? 0) + 1);
    if (last?.amount !== amount || last.account.external_account_number === account.external_account_number)
      return;
    if (this.repeated.size < LEAST_AMOUNTS) this.repeated.add(amount);
    this.filled = counted(this.filled, line);
  }

  report(file: StagedFile): void {
    const { records, filled, repeated, amounts } = this;
    if (!filled || repeated.size < LEAST_AMOUNTS) return;
    const byChance = [...amounts.values()].reduce((sum, count) => sum + count ** 2, 0) / records;
    if (filled.count < BEYOND_CHANCE * byChance) return;
    reportTally(file, filled, (count) => warning('amounts_filled_down', ['amount'], { count, records }));
  }
}
