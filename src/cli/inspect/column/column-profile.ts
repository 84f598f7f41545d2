import { createHash } from 'node:crypto';
import type { Decimal } from '../../../core/values/decimal.ts';
import { plainJson } from '../../../core/values/plain-json.ts';
import { DateCounter } from './dates.ts';
import { NumberCounter } from './numbers.ts';
import { Occurrences, Tally } from './occurrences.ts';

/** The kind of a value: the first in this order that fits. */
type ValueKind =
  | 'word for nothing'
  | 'damaged'
  | 'date'
  | 'datetime'
  | 'integer'
  | 'decimal'
  | 'json'
  | 'PDF path'
  | 'text';

/** A column, counted from 1: its name, and what its cells are. */
export type ColumnProfile = Readonly<{ column: number }> & ReturnType<ColumnCounter['result']>;

const NULL_TOKENS = new Set(String.raw`NULL null N/A n/a #N/A #NV - -- (null) nil None \N NaN`.split(' '));
const SIGNS: ReadonlySet<string> = new Set(['+', '-']);
const MAX_EXAMPLES = 3;
/** A row whose text begins with one of these words is the balance of an account, and no booking. */
const BALANCE =
  /^(?:opening|closing|starting|ending|previous) balance|^balance (?:brought|carried) forward|^balance [bc]\/?f|^(?:anfangs|end|schluss|eröffnungs|alt|neu)saldo|^saldovortrag|^solde (?:initial|final|précédent|reporté)|^saldo (?:inicial|final|anterior|iniziale|finale|początkowe|końcowe)|^(?:begin|eind)saldo|^(?:前期|期首|期末|繰越)残高|^(?:前|次)期繰越/iu;

export class ColumnCounter {
  readonly name: string;
  filled = 0;
  private readonly numbers = new NumberCounter();
  private readonly dates = new DateCounter();
  /** How often each value is there, or what stands for it, and on which line first; up to a limit of values. */
  private readonly distinct = new Map<string, { count: number; readonly line: number }>();
  private readonly limit: number;
  private isFull = false;
  private hasLong = false;
  /** The first different values. */
  private readonly examples: string[] = [];
  private readonly kinds = new Tally<ValueKind>();
  private readonly nullTokens = new Tally();
  private readonly balances = new Tally(20);
  private readonly damage = new Tally<'formula' | 'java' | 'lost'>();
  private readonly found = {
    repeats: new Occurrences(),
    repeatsPrevious: new Occurrences(),
    spacesAround: new Occurrences(),
  };
  private previous: string | undefined;
  private empty = 0;
  private shortest = Infinity;
  private longest = 0;

  /**
   * @param name empty when the header has none
   * @param limit how many different values are remembered
   */
  constructor(name: string, limit: number) {
    this.name = name;
    this.limit = limit;
  }

  accept(cell: string, line: number): void {
    const { found } = this;
    const text = cell.trim();
    if (text === '') {
      this.empty++;
      if (cell !== '') found.spacesAround.add(line);
      this.previous = undefined;
      return;
    }
    this.filled++;
    if (cell.length !== text.length) found.spacesAround.add(line);
    this.shortest = Math.min(this.shortest, cell.length);
    this.longest = Math.max(this.longest, cell.length);
    if (cell === this.previous) found.repeatsPrevious.add(line);
    this.previous = cell;
    if (!this.isFull) this.remember(cell, line);
    const balance = BALANCE.exec(text)?.[0];
    if (balance !== undefined) this.balances.add(balance, line);
    this.kinds.add(this.kindOf(text, line), line);
  }

  /** Exact sum of the column with a decimal mark; undefined when a filled cell is no such number. */
  total(decimalMark: '.' | ','): Decimal | undefined {
    return this.numbers.count === this.filled ? this.numbers.total(decimalMark) : undefined;
  }

  /** Whether some numbers have decimals. */
  get isDecimal(): boolean {
    return this.numbers.integers < this.numbers.count;
  }

  result(showValues: boolean) {
    const numbers = this.numbers.result();
    const values = this.isFull || this.hasLong ? undefined : [...this.distinct.keys()];
    // Beside a plus, a minus is a sign and no word for nothing.
    const isSign = values?.length === 2 && values.every((value) => SIGNS.has(value.trim()));
    return {
      name: this.name,
      ...this.found,
      examples: showValues ? this.examples : null,
      // All different values, for drafting a mapping; never shown. Undefined when some are too many or too long to be kept.
      values,
      // The line on which each of them is first, and how often the most frequent one is there.
      firstLines: values ? Array.from(this.distinct.values(), ({ line }) => line) : [],
      usual: values ? Math.max(0, ...Array.from(this.distinct.values(), ({ count }) => count)) : 0,
      filled: this.filled,
      empty: this.empty,
      distinct: { count: this.distinct.size, isExact: !this.isFull },
      kinds: isSign
        ? [{ kind: 'text' as const, count: this.filled }]
        : this.kinds.ranked().map(({ name: kind, count }) => ({ kind, count })),
      lengths: { shortest: this.filled === 0 ? 0 : this.shortest, longest: this.longest },
      nullTokens: isSign ? [] : this.nullTokens.ranked(),
      numbers: numbers.count === 0 ? null : numbers,
      dates: this.dates.result(),
      balances: this.balances.ranked(),
      damage: this.damage.ranked(),
    };
  }

  private remember(cell: string, line: number): void {
    const isLong = cell.length > LONGEST_KEPT;
    // A copy: a cell itself would keep the whole row alive that it was cut from.
    const key = Buffer.from(isLong ? hashOf(cell) : cell).toString();
    const before = this.distinct.get(key);
    if (before) {
      before.count++;
      return this.found.repeats.add(line);
    }
    this.isFull = this.distinct.size >= this.limit;
    if (this.isFull) return;
    this.hasLong ||= isLong;
    this.distinct.set(key, { count: 1, line });
    if (this.examples.length < MAX_EXAMPLES) this.examples.push(cell);
  }

  private kindOf(text: string, line: number): ValueKind {
    if (NULL_TOKENS.has(text)) {
      this.nullTokens.add(text, line);
      return 'word for nothing';
    }
    const damage = FORMULA.test(text) ? 'formula' : JAVA.test(text) ? 'java' : LOST.test(text) && 'lost';
    if (damage) {
      this.damage.add(damage, line);
      return 'damaged';
    }
    const date = this.dates.accept(text, line);
    const number = this.numbers.accept(text, line);
    if (number === 'integer' && /^\d+$/.test(text)) return 'integer';
    return date ?? number ?? (isJson(text) ? 'json' : /\.pdf$/i.test(text) ? 'PDF path' : 'text');
  }
}

const isJson = (text: string): boolean => /^(\[.*\]|\{.*\})$/s.test(text) && plainJson(text) !== undefined;

/** What a spreadsheet shows in place of a value: 1.23457E+12, whose last digits are lost, hashes, or an error. */
const LOST =
  /^(?:-?\d(?:(?:[.,]\d+)?E[+-]|[.,]\d+E)\d{1,3}|#{2,}|#(?:REF|VALUE|NAME|DIV\/0|NUM|NULL|SPILL|WERT|BEZUG|ZAHL)[!?]?)$/i;
/** Java and JSON write 8.0E7 for a number that is exact. A spreadsheet writes a sign and two digits behind the E. */
const JAVA = /^-?\d\.\d+E-?[1-9]\d?$/;
/** ="00123" keeps zeros in a spreadsheet and is no value outside of it. */
const FORMULA = /^=(?:"|[A-Z]+\()/;

const LONGEST_KEPT = 200;
const hashOf = (value: string): string => createHash('sha256').update(value).digest('base64');
