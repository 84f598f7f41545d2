import { createHash, hash, type Hash } from 'node:crypto';
import type { AccountKey } from '../../core/contract/account.ts';
import { DecimalSum } from '../../core/values/decimal-sum.ts';
import { compareDecimals, Decimal, sum } from '../../core/values/decimal.ts';
import type { ComparedRecord } from './ports.ts';

/** `other`: records beside those of the source, whose origin is known. */
export const SIDES = ['source', 'found', 'other'] as const;
export type Side = (typeof SIDES)[number];

/** Count, exact sum and content of some records of one side. */
export interface SideTotal {
  readonly count: number;
  /** Exact sum of the amounts as decimal text; null without amounts. */
  readonly sum: string | null;
  /** SHA-256 over the ids and contents, in hexadecimal. */
  readonly sha256: string;
}

/** The records of one type on all sides: of an account, or of all accounts. */
export type TypeTotal = { readonly type: string | null } & Readonly<Record<Side, SideTotal>>;

export type AccountTotal = AccountKey & { readonly types: readonly TypeTotal[] };

/** Adds up both sides, account by account and type by type. Memory grows only with the number of types. */
export class AccountTally {
  /** Accounts of which either side has a record, and accounts whose totals are equal. */
  accounts = 0;
  equal = 0;
  /** The first accounts whose totals differ. */
  readonly differing: AccountTotal[] = [];
  private account: AccountKey | undefined;
  private readonly ofAccount = new TypeTally();
  private readonly ofAll = new TypeTally();
  private readonly listed: number;

  /** `listed`: how many accounts whose totals differ are listed. */
  constructor(listed: number) {
    this.listed = listed;
  }

  /** Adds a record. `content`: the content that it counts with. Records of an account come one after the other. */
  add(side: Side, record: ComparedRecord, content: Buffer = record.content): void {
    const { import_supplier, external_account_number, key, type, amount } = record;
    if (
      this.account?.import_supplier !== import_supplier ||
      this.account.external_account_number !== external_account_number
    ) {
      this.finishAccount();
      this.account = { import_supplier, external_account_number };
    }
    this.ofAccount.add(side, type, { count: 1, amount, parts: [key, '\0', content] });
  }

  /** The totals of all accounts by type, once every record is in. */
  finish(): readonly TypeTotal[] {
    this.finishAccount();
    return this.ofAll.take();
  }

  private finishAccount(): void {
    const { account } = this;
    if (!account) return;
    const types = this.ofAccount.take();
    for (const { type, ...sides } of types)
      for (const side of SIDES) {
        const { count, sum: amount, sha256 } = sides[side];
        if (count === 0) continue;
        const parts = [account.import_supplier, '\0', account.external_account_number, '\0', sha256, '\0'];
        this.ofAll.add(side, type, { count, amount, parts });
      }
    // An account of other files alone is not compared.
    const isCompared = types.some(({ source, found }) => source.count + found.count > 0);
    const areEqual = types.every(isEqual);
    if (isCompared) this.accounts++;
    if (isCompared && areEqual) this.equal++;
    if (!areEqual && this.differing.length < this.listed) this.differing.push({ ...account, types });
    this.account = undefined;
  }
}

/** Everything that is there of a type: the records of the source and those of other origins. */
export function thereOf({ found, other }: TypeTotal): Omit<SideTotal, 'sha256'> {
  const sums = [found.sum, other.sum].flatMap((text) => (text === null ? [] : [Decimal.of(text)]));
  return { count: found.count + other.count, sum: sums.length === 0 ? null : sum(sums).text };
}

/** Whether both sides have the same records, as far as totals say it. Records of a known origin are no difference. */
export function isEqual({ source, found }: TypeTotal): boolean {
  const sums = [source.sum, found.sum].map((text) => Decimal.of(text ?? '0')) as [Decimal, Decimal];
  // 12.5 and 12.50 are the same money.
  return source.count === found.count && compareDecimals(...sums) === 0 && source.sha256 === found.sha256;
}

type Added = Readonly<{ count: number; amount: string | null; parts: readonly (string | Buffer)[] }>;

class TypeTally {
  private readonly types = new Map<string | null, Record<Side, SideTally>>();

  add(side: Side, type: string | null, added: Added): void {
    let sides = this.types.get(type);
    if (!sides) {
      sides = { source: new SideTally(), found: new SideTally(), other: new SideTally() };
      this.types.set(type, sides);
    }
    sides[side].add(added);
  }

  /** The totals in the order of the types. The next account begins without any. */
  take(): readonly TypeTotal[] {
    return [...this.types]
      .filter(([, { source, found, other }]) => source.count + found.count + other.count > 0)
      .map(([type, sides]) => ({
        type,
        source: sides.source.take(),
        found: sides.found.take(),
        other: sides.other.take(),
      }))
      .toSorted((a, b) => ((a.type ?? '') < (b.type ?? '') ? -1 : 1));
  }
}

class SideTally {
  count = 0;
  private amounts = new DecimalSum();
  private readonly content = new PartsHash();

  add({ count, amount, parts }: Added): void {
    this.count += count;
    if (amount !== null) this.amounts.add(Decimal.of(amount).text);
    for (const part of parts) this.content.add(part);
  }

  /** The total so far. The next record begins another total. */
  take(): SideTotal {
    const total = { count: this.count, sum: this.amounts.total?.text ?? null, sha256: this.content.take() };
    this.count = 0;
    this.amounts = new DecimalSum();
    return total;
  }
}

/** Bytes that are hashed together. Most accounts have fewer. */
const MOST_WAITING = 4096;

/** A character of a text takes at most so many bytes in UTF-8. */
const BYTES_OF_CHARACTER = 3;

/**
 * SHA-256 over many parts. Few bytes are hashed in one call, because a `Hash` for each account takes more time, and memory that is
 * only collected later.
 */
export class PartsHash {
  private readonly waiting = Buffer.allocUnsafeSlow(MOST_WAITING);
  private used = 0;
  private begun: Hash | undefined;

  add(part: string | Buffer): void {
    const isText = typeof part === 'string';
    const most = isText ? part.length * BYTES_OF_CHARACTER : part.length;
    if (this.used + most > MOST_WAITING) {
      this.begun = this.all();
      this.used = 0;
    }
    if (most > MOST_WAITING) this.begun!.update(part);
    else this.used += isText ? this.waiting.write(part, this.used) : part.copy(this.waiting, this.used);
  }

  /** The hash in hexadecimal. The next part begins another hash. */
  take(): string {
    const digest = this.begun ? this.all().digest('hex') : hash('sha256', this.bytes());
    this.begun = undefined;
    this.used = 0;
    return digest;
  }

  private all(): Hash {
    return (this.begun ?? createHash('sha256')).update(this.bytes());
  }

  private bytes(): Buffer {
    return this.waiting.subarray(0, this.used);
  }
}
