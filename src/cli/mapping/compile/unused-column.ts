import { Decimal } from '../../../core/values/decimal.ts';
import { DecimalSum } from '../../../core/values/decimal-sum.ts';
import { currencyOfWord, isCurrencyCode, namesCurrency } from '../language/currency-code.ts';
import { numberReader, type NumberFormat, type NumberReader } from '../language/number-format.ts';
import type { UnusedKind } from '../mapping-plan.ts';

/** Different values that are kept of a column, and the most that are states. */
const MOST_VALUES = 20;
const MOST_STATES = 6;
/** Rows for each state. Fewer rows have few values by chance. */
const ROWS_OF_STATE = 4;

const DATE =
  /^(?:(?:19|20)\d\d([-./]?)\d\d?\1\d\d?|\d\d?([-./])\d\d?\2\d{2}(?:\d\d)?|\d\d?[-. ]\p{L}{3,9}\.?[-. ]\d{2,4})(?![\p{L}\d])/u;
const DIGITS_OF_DATE = /^\d{8}$|\D/;
const ZONE =
  /^(?:(?:UTC|GMT)?[+-]\d\d:?\d\d|UTC|GMT|Z|[CWE]ES?T|[BIJ]ST|[PMCE][SD]T|[A-Z][a-z]+\/[A-Z][\w/+-]+)$/;

/** The cells of a column that feeds no field, over all rows. Its memory is bounded. */
export class UnusedColumn {
  filled = 0;
  /** The different values; null when there are too many. */
  values: Set<string> | null = new Set();
  private readonly firstValues: string[] = [];
  private areDates = true;
  private readonly sum = new DecimalSum();
  private areNumbers = true;
  private hasDecimals = false;
  private readonly read: NumberReader;

  constructor(read: NumberReader) {
    this.read = read;
  }

  see(cell: string): void {
    const text = cell.trim();
    if (text === '') return;
    this.filled++;
    if (this.values && !this.values.has(text)) this.keep(text);
    if (this.areDates) this.areDates = DATE.test(text) && DIGITS_OF_DATE.test(text);
    if (!this.areNumbers) return;
    const number = this.read(text);
    if (!number) this.areNumbers = false;
    else {
      this.sum.add(number);
      if (number.places > 0) this.hasDecimals = true;
    }
  }

  private keep(text: string): void {
    if (this.firstValues.length < 2) this.firstValues.push(text);
    if (this.values!.size < MOST_VALUES) this.values!.add(text);
    else this.values = null;
  }

  /** What its cells are, of so many rows. `isMoney`: whether the header says that whole numbers are amounts, too. */
  kind(header: string, { rows, isMoney }: { rows: number; isMoney: boolean }): UnusedKind {
    const { values, filled } = this;
    if (this.areDates) return 'dates';
    const areAll = (is: (value: string) => boolean): boolean => values !== null && [...values].every(is);
    const isNamed = namesCurrency(header);
    if (areAll((value) => (isNamed ? currencyOfWord(value) !== undefined : isCurrencyCode(value))))
      return 'currencies';
    if (areAll((value) => ZONE.test(value))) return 'zones';
    if (this.areNumbers && (this.hasDecimals || isMoney)) return 'amounts';
    const states = (values?.size ?? Infinity) + (filled < rows ? 1 : 0);
    return states > 1 && states <= MOST_STATES && states * ROWS_OF_STATE <= rows ? 'states' : 'texts';
  }

  /** The sum of its cells when they are numbers. */
  get total(): string | null {
    return this.areNumbers ? (this.sum.total?.text ?? null) : null;
  }

  /** The first two of its different values. */
  get examples(): readonly string[] {
    return this.firstValues;
  }
}

/** Reads the numbers of a column as a source writes them, plain ones without a regular expression. */
export function columnNumbers(format: NumberFormat): NumberReader {
  const read = numberReader(format);
  return format.decimal_mark === '.' ? (text) => Decimal.parse(text) ?? read(text) : read;
}
