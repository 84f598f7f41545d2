import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { likeness } from '../ports/identifier-text.ts';
import type { CountedRecord, RepeatedHashes, RowTally, SourceLine } from '../ports/staging.ts';
import type { StageJob } from '../stage-job.ts';
import { TextHash } from './text-hash.ts';

type Fields = Readonly<Record<string, unknown>>;
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Most accounts that are counted in memory. */
const MOST_ACCOUNTS = 2_000_000;

/** Begin the hashes of different kinds of texts, so that only texts of one kind are equal. */
const [KEY, ID, PATH] = [1, 2, 3];

/** Statement amounts that are not zero. */
interface GrossAmounts extends RowTally {
  /** Largest of them without its sign, in minor units. */
  readonly largest: number;
  /** How many of them are multiples of 100. */
  readonly hundreds: number;
}

/** Transactions of one type whose amounts are not zero. */
interface SignedAmounts extends RowTally {
  readonly type: string;
  /** How many of them are negative. */
  readonly negative: number;
}

/** Days that a program writes when a date is empty: the zero of Unix, of spreadsheets, and of other programs. */
export const EMPTY_DAYS = ['1970-01-01', '1899-12-30', '1900-01-01'] as const;

/** The dates of a field in one year, or on one of the `EMPTY_DAYS`. */
export interface DateGroup extends RowTally {
  /** `2026`, or `1970-01-01`. */
  readonly period: string;
}

/**
 * Counts what shows only over all records, as they go by. It also finds out whether identifiers repeat or are alike. Only a journal
 * can then find the records that belong together.
 */
export class RecordTallies {
  private readonly resource: StageJob['resource'];
  private readonly repeated: RepeatedHashes;
  private readonly hash = new TextHash();
  private readonly accounts = new Set<number>();
  private readonly alikeAccounts = new Set<number>();
  private areAccountsAlike = false;
  private readonly split = new Map<string, Writable<RowTally>>();
  private readonly days = new Map<string, Map<string, Writable<DateGroup>>>();
  private readonly signs = new Map<string, Writable<SignedAmounts>>();
  private gross: Writable<GrossAmounts> | undefined;

  constructor({ resource }: Pick<StageJob, 'resource'>, repeated: RepeatedHashes) {
    this.resource = resource;
    this.repeated = repeated;
  }

  /** Counts a record. Returns whether it is the first one of its account. */
  add(counted: CountedRecord, record: object): boolean {
    const { dates, plausibility } = DESCRIPTORS[this.resource];
    const fields = record as Fields;
    const { source, firstLine: line } = counted.position;
    this.addIdentity(counted);
    for (const { field } of dates) {
      const value = fields[field];
      if (typeof value === 'string') this.addDate(field, value, { source, line });
    }
    for (const check of plausibility) {
      if (check === 'amounts_all_negative') this.addSign(counted);
      else if (check === 'gross_amounts_look_like_major_units') this.addGross(counted);
      else if (check === 'statement_path_shared' && typeof fields['statement_path'] === 'string')
        this.repeated.add(this.hash.of(fields['statement_path'], PATH).value);
    }
    return this.addAccount(counted);
  }

  /** Whether identifiers repeat or are alike, or so many accounts occur that it is not known. */
  get hasRepeated(): boolean {
    return this.hasAlikeAccounts || this.repeated.hasRepeated();
  }

  /** Whether accounts are alike, or so many occur that it is not known. Known as the records go by. */
  get hasAlikeAccounts(): boolean {
    return this.areAccountsAlike || this.accounts.size > MOST_ACCOUNTS;
  }

  private addAccount({ account: { import_supplier, external_account_number } }: CountedRecord): boolean {
    const { accounts, alikeAccounts } = this;
    if (accounts.size > MOST_ACCOUNTS) return false;
    const known = accounts.size;
    if (accounts.add(this.hash.of(import_supplier).and(external_account_number).value).size === known)
      return false;
    const alike = alikeAccounts.size;
    alikeAccounts.add(this.hash.of(import_supplier).and(likeness(external_account_number)).value);
    if (alikeAccounts.size === alike) this.areAccountsAlike = true;
    return true;
  }

  private addIdentity({ account, identity, id }: CountedRecord): void {
    const { repetition, idField } = DESCRIPTORS[this.resource];
    if (!repetition.isKeyedById) {
      const { import_supplier, external_account_number } = account;
      const hash = this.hash.of(import_supplier, KEY).and(external_account_number).and(identity.key);
      this.repeated.add(hash.value);
    }
    if (idField !== null && id !== null) this.repeated.add(this.hash.of(likeness(id), ID).value);
  }

  private addDate(field: string, value: string, first: SourceLine): void {
    if (value.includes('.')) count(this.split, field, first);
    let groups = this.days.get(field);
    if (!groups) this.days.set(field, (groups = new Map()));
    const year = value.slice(0, 'yyyy'.length);
    const period = EMPTY_YEARS.has(year) ? emptyDayOf(value) : year;
    const group = groups.get(period);
    if (group) group.count++;
    else groups.set(period, { period, count: 1, first });
  }

  private addSign({ type, amount, position: { source, firstLine: line } }: CountedRecord): void {
    if (type === null || amount === null || !/[1-9]/.test(amount)) return;
    let found = this.signs.get(type);
    if (!found) this.signs.set(type, (found = { type, count: 0, negative: 0, first: { source, line } }));
    found.count++;
    if (amount.startsWith('-')) found.negative++;
  }

  /** Amounts of statements are whole numbers of at most 15 digits, which a float keeps exactly. */
  private addGross({ amount, position: { source, firstLine: line } }: CountedRecord): void {
    const gross = amount === null ? 0 : Number.parseInt(amount, 10);
    if (gross === 0) return;
    this.gross ??= { count: 0, largest: 0, hundreds: 0, first: { source, line } };
    this.gross.count++;
    this.gross.largest = Math.max(this.gross.largest, Math.abs(gross));
    if (gross % 100 === 0) this.gross.hundreds++;
  }

  /** Records whose date-time in the field has a fraction of a second. */
  splitSeconds(field: string): RowTally | undefined {
    return this.split.get(field);
  }

  /** By day for the days of `EMPTY_DAYS`, and by year for all others. */
  dateGroups(field: string): readonly DateGroup[] {
    return [...(this.days.get(field)?.values() ?? [])].toSorted((a, b) => byText(a.period, b.period));
  }

  grossAmounts(): GrossAmounts | undefined {
    return this.gross;
  }

  /** By type, in their order. */
  signedAmounts(): readonly SignedAmounts[] {
    return [...this.signs.values()].toSorted((a, b) => byText(a.type, b.type));
  }
}

/** The years of `EMPTY_DAYS`, so that no day is cut out of most dates. */
const EMPTY_YEARS: ReadonlySet<string> = new Set(EMPTY_DAYS.map((day) => day.slice(0, 'yyyy'.length)));

/** The day of a date, if it is one of `EMPTY_DAYS`, and otherwise its year. */
function emptyDayOf(value: string): string {
  return EMPTY_DAYS.find((day) => value.startsWith(day)) ?? value.slice(0, 'yyyy'.length);
}

function count<K>(tallies: Map<K, Writable<RowTally>>, key: K, first: SourceLine): void {
  const known = tallies.get(key);
  if (known) known.count++;
  else tallies.set(key, { count: 1, first });
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
