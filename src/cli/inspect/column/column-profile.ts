import { createHash } from 'node:crypto';
import type { Decimal } from '../../../core/values/decimal.ts';
import { plainJson } from '../../../core/values/plain-json.ts';
import { cellPattern, damageOf } from './cell-shape.ts';
import { DateCounter } from './date-profile.ts';
import { VALUE_KINDS, type ColumnProfile, type Damage, type ValueKind } from './profiled-column.ts';
import { NumberCounter } from './number-profile.ts';
import { OccurrenceCount, Tally } from './occurrences.ts';

const NULL_TOKENS = new Set(String.raw`NULL null N/A n/a #N/A #NV - -- (null) nil None \N NaN`.split(' '));
const SIGNS: ReadonlySet<string> = new Set(['+', '-']);
const MAX_EXAMPLES = 3;

/** Looks at the cells of one column. */
export class ColumnCounter {
  filled = 0;
  private readonly numbers = new NumberCounter();
  private readonly dates = new DateCounter();
  private readonly distinct: DistinctValues;
  /** The first different values. */
  private readonly examples: string[] = [];
  private readonly kinds = new Map<ValueKind, number>();
  private readonly patterns = new Tally();
  private readonly nullTokens = new Tally();
  private readonly digitCounts = new Tally<number>(40);
  private readonly damage = new Tally<Damage>();
  private readonly found = {
    repeats: new OccurrenceCount(),
    repeatsPrevious: new OccurrenceCount(),
    spacesAround: new OccurrenceCount(),
    unusualSpaces: new OccurrenceCount(),
    invisibleCharacters: new OccurrenceCount(),
    lineBreaks: new OccurrenceCount(),
  };
  private previous: string | undefined;
  private empty = 0;
  private leadingZeros = 0;
  private shortest = Infinity;
  private longest = 0;

  /** @param maxDistinct how many different values are remembered */
  constructor(maxDistinct: number) {
    this.distinct = new DistinctValues(maxDistinct);
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
    if (this.distinct.add(cell)) {
      if (this.examples.length < MAX_EXAMPLES) this.examples.push(cell);
    } else if (!this.distinct.isFull) found.repeats.add(line);
    this.lookAtCharacters(cell, line);
    const pattern = cellPattern(text);
    if (pattern !== null) this.patterns.add(pattern, line);
    const kind = this.kindOf(text, line);
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }

  /** Exact sum of the column with a decimal mark; undefined when a filled cell is no such number. */
  total(decimalMark: '.' | ','): Decimal | undefined {
    return this.numbers.count === this.filled ? this.numbers.total(decimalMark) : undefined;
  }

  result(showValues: boolean): Omit<ColumnProfile, 'column' | 'name'> {
    const numbers = this.numbers.result();
    const dates = this.dates.result();
    const values = this.distinct.values();
    // Beside a plus, a minus is a sign and no word for nothing.
    const isSign = values?.length === 2 && values.every((value) => SIGNS.has(value.trim()));
    return {
      ...this.found,
      examples: showValues ? this.examples : null,
      values,
      filled: this.filled,
      empty: this.empty,
      distinct: { count: this.distinct.count, isExact: !this.distinct.isFull },
      kinds: VALUE_KINDS.flatMap((kind) => {
        if (isSign) return kind === 'text' ? [{ kind, count: this.filled }] : [];
        const count = this.kinds.get(kind);
        return count === undefined ? [] : [{ kind, count }];
      }),
      lengths: { shortest: this.filled === 0 ? 0 : this.shortest, longest: this.longest },
      patterns: this.patterns
        .ranked()
        .slice(0, 3)
        .map(({ name, count }) => ({ pattern: name, count })),
      nullTokens: (isSign ? [] : this.nullTokens.ranked()).map(({ name, count }) => ({ token: name, count })),
      numbers: numbers.count === 0 ? null : numbers,
      dates: dates.count + dates.centuryDays + dates.times.length === 0 ? null : dates,
      leadingZeros: this.leadingZeros,
      digitCounts: this.digitCounts
        .ranked()
        .map(({ name, count }) => ({ digits: name, count }))
        .toSorted((a, b) => a.digits - b.digits),
      damage: this.damage.ranked().map(({ name, count, lines }) => ({ kind: name, count, lines })),
    };
  }

  private lookAtCharacters(cell: string, line: number): void {
    const { found } = this;
    if (!/[^\u0020-\u007E\u00A1-\u024F]/.test(cell)) return;
    if (/[\u00A0\u2000-\u200A\u202F\u205F\u3000\t]/.test(cell)) found.unusualSpaces.add(line);
    if (/[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/.test(cell)) found.invisibleCharacters.add(line);
    if (/[\r\n]/.test(cell)) found.lineBreaks.add(line);
  }

  private kindOf(text: string, line: number): ValueKind {
    if (NULL_TOKENS.has(text)) {
      this.nullTokens.add(text, line);
      return 'null_token';
    }
    const damage = damageOf(text);
    if (damage !== undefined) {
      this.damage.add(damage, line);
      return 'damaged';
    }
    const date = this.dates.accept(text, line);
    const number = this.numbers.accept(text, line);
    if (number === 'integer' && /^\d+$/.test(text)) {
      if (text.length > 1 && text.startsWith('0')) this.leadingZeros++;
      this.digitCounts.add(text.length, line);
      return 'integer';
    }
    return date ?? number ?? (isJson(text) ? 'json' : 'text');
  }
}

const isJson = (text: string): boolean => /^(\[.*\]|\{.*\})$/s.test(text) && plainJson(text) !== undefined;

/** The different values of a column, exactly, up to a limit. */
class DistinctValues {
  /** Whether the column has more different values than are kept. */
  isFull = false;
  private readonly kept = new Set<string>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  get count(): number {
    return this.kept.size;
  }

  /** Keeps a value. @returns whether it is new; false once no more values are kept */
  add(value: string): boolean {
    if (this.isFull) return false;
    const key = keyOf(value);
    if (this.kept.has(key)) return false;
    if (this.kept.size >= this.limit) {
      this.isFull = true;
      return false;
    }
    this.kept.add(key);
    return true;
  }

  /** The values in the order in which they came; undefined when some were too many or too long to be kept. */
  values(): readonly string[] | undefined {
    if (this.isFull || [...this.kept].some((key) => key.startsWith(HASHED))) return undefined;
    return [...this.kept].map((key) => Buffer.from(key, 'latin1').toString('utf8'));
  }
}

const HASHED = '#\0';
const LONGEST_KEPT = 200;

/** A copy of the string. A cell itself would keep the whole piece of the file alive that it was cut from. */
function keyOf(value: string): string {
  if (value.length > LONGEST_KEPT) return HASHED + createHash('sha256').update(value).digest('base64');
  return Buffer.from(value, 'utf8').toString('latin1');
}
