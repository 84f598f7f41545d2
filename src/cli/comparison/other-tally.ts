import { DecimalSum } from '../../core/values/decimal-sum.ts';
import { Decimal } from '../../core/values/decimal.ts';
import type { ComparedRecord } from './ports.ts';

/**
 * Where a record comes from that no row explains. `run`: a run of ours has sent it. `platform`: the platform has added it.
 * `allowed`: nobody knows, and a person has said that the accounts had records before. `account_without_rows`: its account has no
 * row, so it is not compared.
 */
export const ORIGINS = ['run', 'platform', 'allowed', 'account_without_rows'] as const;
export type OriginKind = (typeof ORIGINS)[number];
export type Origin = Readonly<{ kind: OriginKind; run: string | null }>;

/** Records of one type and one origin. */
export type OtherTotal = Origin & Readonly<{ type: string | null; count: number; sum: string | null }>;

/** Adds up records by origin and type. Memory grows with the number of runs only. */
export class OtherTally {
  private readonly byOrigin = new Map<
    string,
    Origin & { type: string | null; count: number; amounts: DecimalSum }
  >();

  add({ kind, run }: Origin, { type, amount }: ComparedRecord): void {
    const key = JSON.stringify([kind, run, type]);
    let total = this.byOrigin.get(key);
    if (!total) this.byOrigin.set(key, (total = { kind, run, type, count: 0, amounts: new DecimalSum() }));
    total.count++;
    if (amount !== null) total.amounts.add(Decimal.of(amount).text);
  }

  totals(): readonly OtherTotal[] {
    return [...this.byOrigin.values()].map(({ amounts, ...total }) => ({
      ...total,
      sum: amounts.total?.text ?? null,
    }));
  }
}
