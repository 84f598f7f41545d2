import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { regularFields, togetherOf } from '../odd-values/odd-values.ts';
import { digitsOf, foldedText, IS_NUMBER, withoutZeros } from '../ports/identifier-text.ts';
import {
  EMPTY_DAYS,
  type CountedRecord,
  type DateGroup,
  type GrossAmounts,
  type MissingValues,
  type NumberedField,
  type NumberLengths,
  type RepeatedHashes,
  type Repetitions,
  type RowTally,
  type SignedAmounts,
  type SourceLine,
  type WholeFile,
} from '../ports/staging.ts';
import type { StageJob } from '../stage-job.ts';
import { HashSet, TextHash } from './text-hash.ts';

type Fields = Readonly<Record<string, unknown>>;
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Most different shapes of identifiers that are counted, so that memory stays bounded. */
const MOST_SHAPES = 100_000;

/** Most accounts that are counted in memory. */
const MOST_ACCOUNTS = 2_000_000;

/** Begin the hashes of different kinds of texts, so that only texts of one kind are equal. */
const [KEY, ID, PATH, BILL] = [1, 2, 3, 4];

/** Identifiers of one shape with one number of digits, and the first of them. */
type Lengths = Writable<NumberLengths> & { readonly first: SourceLine };

/**
 * Counts what the rules between rows ask, as the records of a run go by. The counts are enough while no identifier repeats and no two are
 * alike, as in most files. Otherwise the run file has to answer, because only it can find the records that belong together.
 */
export class RecordTallies implements WholeFile {
  private readonly resource: StageJob['resource'];
  private readonly repeated: RepeatedHashes;
  private readonly hash = new TextHash();
  /** The records of each type. */
  private readonly records = new Map<string | null, number>();
  private ids = 0;
  private isOverfull = false;
  private readonly accounts = new HashSet();
  private readonly accountNumbers = new HashSet();
  private areAccountsAlike = false;
  private readonly lengths: Readonly<Record<NumberedField, Map<string, Lengths>>> = {
    account: new Map(),
    id: new Map(),
  };
  private readonly regular: readonly string[];
  /** By type. */
  private readonly missing = new Map<string, Map<string | null, Writable<RowTally>>>();
  private readonly split = new Map<string, Writable<RowTally>>();
  private readonly days = new Map<string, Map<string, Writable<DateGroup>>>();
  private readonly signs = new Map<string, Writable<SignedAmounts>>();
  private gross: Writable<GrossAmounts> | undefined;

  constructor(job: Pick<StageJob, 'resource' | 'check'>, repeated: RepeatedHashes) {
    this.resource = job.resource;
    this.repeated = repeated;
    this.regular = regularFields(job);
    for (const name of this.regular) this.missing.set(name, new Map());
  }

  add(counted: CountedRecord, record: object): void {
    const { dates, plausibility } = DESCRIPTORS[this.resource];
    const fields = record as Fields;
    const { source, firstLine: line } = counted.position;
    const { type } = counted;
    this.records.set(type, (this.records.get(type) ?? 0) + 1);
    this.addAccount(counted);
    this.addIdentity(counted);
    for (const name of this.regular)
      if (fields[name] === undefined || fields[name] === null)
        count(this.missing.get(name)!, type, { source, line });
    for (const { field } of dates) {
      const value = fields[field];
      if (typeof value === 'string') this.addDate(field, value, { source, line });
    }
    for (const check of plausibility) {
      if (check === 'amounts_all_negative') this.addSign(counted);
      else if (check === 'gross_amounts_look_like_major_units') this.addGross(counted);
      else if (check === 'statement_path_shared' && typeof fields['statement_path'] === 'string')
        this.repeated.add(this.hash.of(fields['statement_path'], PATH));
      else if (check === 'statements_superseded') this.addBill(counted, fields);
    }
  }

  /** Whether the counts answer every question. Otherwise the run file has to. */
  areEnough(): boolean {
    return this.mayBeEnough && !this.repeated.hasRepeated();
  }

  /** False once the records so far show that the counts will not be enough. */
  get mayBeEnough(): boolean {
    return !this.isOverfull && !this.areAccountsAlike;
  }

  private addAccount({
    account: { import_supplier, external_account_number },
    position,
  }: CountedRecord): void {
    if (!this.mayBeEnough || !this.accounts.add(this.hash.of(import_supplier).and(external_account_number)))
      return;
    if (this.accounts.size > MOST_ACCOUNTS) this.isOverfull = true;
    const { shape, run } = digitsOf(foldedText(external_account_number));
    if (!this.accountNumbers.add(this.hash.of(shape).and(withoutZeros(run)))) this.areAccountsAlike = true;
    if (run !== '') this.addLength('account', digitsOf(external_account_number), position);
  }

  private addIdentity({ account, identity, id, position }: CountedRecord): void {
    const { repetition, idField } = DESCRIPTORS[this.resource];
    if (!repetition.isKeyedById) {
      const { import_supplier, external_account_number } = account;
      this.repeated.add(this.hash.of(import_supplier, KEY).and(external_account_number).and(identity.key));
    }
    if (idField === null || id === null) return;
    this.ids++;
    const isNumber = IS_NUMBER.test(id);
    this.repeated.add(this.hash.of(isNumber ? withoutZeros(id) : foldedText(id), ID));
    if (isNumber) this.addLength('id', { shape: '#', run: id }, position);
  }

  /** A number, period and account, which revisions of one statement share. */
  private addBill(
    { account: { import_supplier, external_account_number } }: CountedRecord,
    fields: Fields,
  ): void {
    const { number, bill_period_from_date: from, bill_period_to_date: to } = fields;
    if (typeof number !== 'string' || number === '') return;
    const hash = this.hash.of(import_supplier, BILL).and(external_account_number).and(number);
    this.repeated.add(hash.and(String(from)).and(String(to)));
  }

  private addLength(
    field: NumberedField,
    { shape, run }: { shape: string; run: string },
    { source, firstLine: line }: CountedRecord['position'],
  ): void {
    const lengths = this.lengths[field];
    const key = `${run.length} ${shape}`;
    let found = lengths.get(key);
    if (!found) {
      if (lengths.size === MOST_SHAPES) this.isOverfull = true;
      if (this.isOverfull) return;
      found = { shape, digits: run.length, count: 0, zeroLed: 0, first: { source, line } };
      lengths.set(key, found);
    }
    found.count++;
    if (run.startsWith('0')) found.zeroLed++;
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

  idsAreApart(): boolean {
    return this.ids > 0;
  }

  // No identifier repeats, and no two are alike, so there is nothing to report about these questions.
  repetitions(): Repetitions {
    return { laterNotes: () => undefined, page: () => [] };
  }
  collidingIds(): undefined {
    return undefined;
  }
  collidingAccounts(): undefined {
    return undefined;
  }
  idsOnSeveralAccounts(): undefined {
    return undefined;
  }
  numbersWithAndWithoutZeros(): undefined {
    return undefined;
  }
  sharedTexts(): undefined {
    return undefined;
  }
  supersededStatements(): undefined {
    return undefined;
  }

  numberLengths(field: NumberedField): readonly NumberLengths[] {
    return [...this.lengths[field].values()]
      .toSorted((a, b) => byText(a.shape, b.shape) || a.digits - b.digits)
      .map(({ shape, digits, count, zeroLed }) => ({ shape, digits, count, zeroLed }));
  }

  numbersBelow(field: NumberedField, shape: string, digits: number): RowTally | undefined {
    const below = [...this.lengths[field].values()].filter(
      (each) => each.shape === shape && each.digits < digits,
    );
    return below.length === 0 ? undefined : togetherOf(below);
  }

  splitSeconds(field: string): RowTally | undefined {
    return this.split.get(field);
  }

  missingValues(field: string): readonly MissingValues[] {
    return [...(this.missing.get(field) ?? [])]
      .map(([type, tally]) => ({ type, ...tally, records: this.records.get(type)! }))
      .toSorted((a, b) => byText(a.type ?? '', b.type ?? ''));
  }

  dateGroups(field: string): readonly DateGroup[] {
    return [...(this.days.get(field)?.values() ?? [])].toSorted((a, b) => byText(a.period, b.period));
  }

  grossAmounts(): GrossAmounts | undefined {
    return this.gross;
  }

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
