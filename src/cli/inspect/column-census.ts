import { plainJson } from '../../core/values/plain-json.ts';
import { cellPattern } from './cell-pattern.ts';
import { DateCensus, type DateEvidence } from './date-census.ts';
import { DistinctValues } from './distinct-values.ts';
import { NumberCensus, type NumberEvidence } from './number-census.ts';
import { PlaceCount, Tally, type Places } from './places.ts';
import { damageOf, type Damage } from './spreadsheet-damage.ts';

/** What a cell is, in the first sense that fits. */
export const VALUE_KINDS = [
  'null_token',
  'damaged',
  'date',
  'datetime',
  'integer',
  'decimal',
  'json',
  'text',
] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

/** What the cells of one column have shown. */
export interface ColumnEvidence {
  /** Cells with something in them. */
  readonly filled: number;
  readonly empty: number;
  readonly distinct: { readonly count: number; readonly isExact: boolean };
  /** Values that occur more than once, as far as they are remembered. */
  readonly repeats: Places;
  /** Rows whose value is that of the row before: several rows of one record, or an export written twice. */
  readonly repeatsPrevious: Places;
  readonly kinds: readonly { readonly kind: ValueKind; readonly count: number }[];
  /** In characters, of filled cells. */
  readonly lengths: { readonly shortest: number; readonly longest: number };
  readonly patterns: readonly { readonly pattern: string; readonly count: number }[];
  readonly nullTokens: readonly { readonly token: string; readonly count: number }[];
  readonly numbers: NumberEvidence | null;
  readonly dates: DateEvidence | null;
  /** Whole numbers that begin with a zero. */
  readonly leadingZeros: number;
  /** How many digits whole numbers have. */
  readonly digitCounts: readonly { readonly digits: number; readonly count: number }[];
  readonly spacesAround: Places;
  readonly unusualSpaces: Places;
  readonly invisibleCharacters: Places;
  readonly lineBreaks: Places;
  readonly damage: readonly ({ readonly kind: Damage } & Places)[];
}

const NULL_TOKENS = new Set([
  'NULL',
  'null',
  'N/A',
  'n/a',
  '#N/A',
  '#NV',
  '-',
  '--',
  '(null)',
  'nil',
  'None',
  '\\N',
  'NaN',
]);
const MAX_EXAMPLES = 3;

/** Takes the cells of one column. */
export class ColumnCensus {
  readonly numbers = new NumberCensus();
  readonly distinct: DistinctValues;
  /** The first different values. */
  readonly examples: string[] = [];
  private readonly dates = new DateCensus();
  private readonly kinds = new Map<ValueKind, number>();
  private readonly patterns = new Tally();
  private readonly nullTokens = new Tally();
  private readonly digitCounts = new Tally<number>(40);
  private readonly damage = new Tally<Damage>();
  private readonly places = {
    repeats: new PlaceCount(),
    repeatsPrevious: new PlaceCount(),
    spacesAround: new PlaceCount(),
    unusualSpaces: new PlaceCount(),
    invisibleCharacters: new PlaceCount(),
    lineBreaks: new PlaceCount(),
  };
  private previous: string | undefined;
  filled = 0;
  private empty = 0;
  private leadingZeros = 0;
  private shortest = Infinity;
  private longest = 0;

  /** @param maxDistinct how many different values are remembered */
  constructor(maxDistinct: number) {
    this.distinct = new DistinctValues(maxDistinct);
  }

  accept(cell: string, line: number): void {
    const text = cell.trim();
    if (text === '') {
      this.empty++;
      if (cell !== '') this.places.spacesAround.add(line);
      this.previous = undefined;
      return;
    }
    this.filled++;
    if (cell.length !== text.length) this.places.spacesAround.add(line);
    this.shortest = Math.min(this.shortest, cell.length);
    this.longest = Math.max(this.longest, cell.length);
    if (cell === this.previous) this.places.repeatsPrevious.add(line);
    this.previous = cell;
    if (this.distinct.add(cell)) {
      if (this.examples.length < MAX_EXAMPLES) this.examples.push(cell);
    } else if (!this.distinct.isFull) this.places.repeats.add(line);
    this.lookAtCharacters(cell, line);
    const pattern = cellPattern(text);
    if (pattern !== null) this.patterns.add(pattern, line);
    const kind = this.kindOf(text, line);
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }

  result(): ColumnEvidence {
    const { places } = this;
    const numbers = this.numbers.result();
    const dates = this.dates.result();
    return {
      filled: this.filled,
      empty: this.empty,
      distinct: { count: this.distinct.count, isExact: !this.distinct.isFull },
      repeats: places.repeats.result(),
      repeatsPrevious: places.repeatsPrevious.result(),
      kinds: VALUE_KINDS.flatMap((kind) => {
        const count = this.kinds.get(kind);
        return count === undefined ? [] : [{ kind, count }];
      }),
      lengths: { shortest: this.filled === 0 ? 0 : this.shortest, longest: this.longest },
      patterns: this.patterns
        .ranked()
        .slice(0, 3)
        .map(({ name, count }) => ({ pattern: name, count })),
      nullTokens: this.nullTokens.ranked().map(({ name, count }) => ({ token: name, count })),
      numbers: numbers.count === 0 ? null : numbers,
      dates: dates.count + dates.centuryDays + dates.times.length === 0 ? null : dates,
      leadingZeros: this.leadingZeros,
      digitCounts: this.digitCounts
        .ranked()
        .map(({ name, count }) => ({ digits: name, count }))
        .toSorted((a, b) => a.digits - b.digits),
      spacesAround: places.spacesAround.result(),
      unusualSpaces: places.unusualSpaces.result(),
      invisibleCharacters: places.invisibleCharacters.result(),
      lineBreaks: places.lineBreaks.result(),
      damage: this.damage.ranked().map(({ name, count, lines }) => ({ kind: name, count, lines })),
    };
  }

  private lookAtCharacters(cell: string, line: number): void {
    if (!/[^\u0020-\u007E\u00A1-\u024F]/.test(cell)) return;
    if (/[\u00A0\u2000-\u200A\u202F\u205F\u3000\t]/.test(cell)) this.places.unusualSpaces.add(line);
    if (/[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/.test(cell))
      this.places.invisibleCharacters.add(line);
    if (/[\r\n]/.test(cell)) this.places.lineBreaks.add(line);
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

function isJson(text: string): boolean {
  return /^(\[.*\]|\{.*\})$/s.test(text) && plainJson(text) !== undefined;
}
