import type { AccountKey } from '../../core/contract/account.ts';
import { DecimalSum } from '../../core/values/decimal-sum.ts';
import { Decimal } from '../../core/values/decimal.ts';
import type { ComparedRecord } from './ports.ts';

/** Count and exact sum of some records. */
export interface SideTotal {
  readonly count: number;
  /** Exact sum of the amounts as decimal text; null without amounts. */
  readonly sum: string | null;
}

/** The rows of one type, and the records of it that are there. */
export type TypeTotal = Readonly<{ type: string | null; source: SideTotal; found: SideTotal }>;

/**
 * Where a record comes from that no row explains. `run`: a run of ours has sent it. `platform`: the platform has added it.
 * `account_without_rows`: its account has no row, so it is not compared.
 */
export const ORIGINS = ['run', 'platform', 'account_without_rows'] as const;
export type OriginKind = (typeof ORIGINS)[number];
export type Origin = Readonly<{ kind: OriginKind; run: string | null }>;

/** Records of one type and one origin. */
export type OtherTotal = Origin & Readonly<{ type: string | null }> & SideTotal;

/** Adds up both sides by type, and counts accounts. Memory grows only with the number of types and origins. */
export class AccountTally {
  /** Accounts of which either side has a record, and those of them that differ. */
  accounts = 0;
  differing = 0;
  private account: AccountKey | undefined;
  private isDiffering = false;
  private readonly types = new Map<string | null, Record<'source' | 'found', Amounts>>();
  private readonly origins = new Map<string, Origin & { type: string | null; amounts: Amounts }>();
  /** Adds a record. Records of an account come one after the other. */
  add(side: 'source' | 'found', record: ComparedRecord): void {
    const { import_supplier, external_account_number } = record;
    if (
      this.account?.import_supplier !== import_supplier ||
      this.account.external_account_number !== external_account_number
    ) {
      this.account = { import_supplier, external_account_number };
      this.accounts++;
      this.isDiffering = false;
    }
    this.ofType(record)[side].add(record);
  }

  /** Adds a record of a known origin. An account that has no other record is not compared. */
  addOther({ kind, run }: Origin, record: ComparedRecord): void {
    this.ofType(record).found.add(record);
    const { type } = record;
    const key = JSON.stringify([kind, run, type]);
    let total = this.origins.get(key);
    if (!total) this.origins.set(key, (total = { kind, run, type, amounts: new Amounts() }));
    total.amounts.add(record);
  }

  /** Notes that the account of the last record differs. */
  noteDifference(): void {
    if (this.isDiffering || !this.account) return;
    this.isDiffering = true;
    this.differing++;
  }

  /** The totals by type, those without a type first. */
  totals(): readonly TypeTotal[] {
    return [...this.types]
      .map(([type, { source, found }]) => ({ type, source: source.total, found: found.total }))
      .toSorted((a, b) => ((a.type ?? '') < (b.type ?? '') ? -1 : 1));
  }

  others(): readonly OtherTotal[] {
    return [...this.origins.values()].map(({ amounts, ...origin }) => ({ ...origin, ...amounts.total }));
  }

  private ofType({ type }: ComparedRecord): Record<'source' | 'found', Amounts> {
    let sides = this.types.get(type);
    if (!sides) this.types.set(type, (sides = { source: new Amounts(), found: new Amounts() }));
    return sides;
  }
}

class Amounts {
  private count = 0;
  private readonly sum = new DecimalSum();

  add({ amount }: ComparedRecord): void {
    this.count++;
    if (amount !== null) this.sum.add(Decimal.of(amount));
  }

  get total(): SideTotal {
    return { count: this.count, sum: this.sum.total?.text ?? null };
  }
}
