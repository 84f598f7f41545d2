import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { DecimalSum } from '../../../core/values/decimal-sum.ts';
import { currencyReader } from '../../mapping/language/currency-code.ts';
import type { UnusedColumn } from '../../mapping/mapping-plan.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import type { Behind } from '../ports/look.ts';

/** Different values that are kept of a column, and the most that are states, each with so many rows. */
const MOST_VALUES = 20;
const MOST_STATES = 6;
const ROWS_OF_STATE = 4;

const DATE =
  /^(?:(?:19|20)\d\d([-./]?)(?:0?[1-9]|1[0-2])\1\d\d?|\d\d?([-./])\d\d?\2(?:\d\d){1,2}|\d\d?[-. ]\p{L}{3,9}\.?[-. ]\d{2,4})(?!\d)/u;
const ZONE =
  /^(?:(?:UTC|GMT)?[+-]\d\d:?\d\d|UTC|GMT|Z|[CWE]ES?T|[BIJ]ST|[PMCE][SD]T|[A-Z][a-z]+\/[A-Z][\w/+-]+)$/;

/** Words of headers with which whole numbers are amounts, too. */
const { amount, debit, credit } = DESCRIPTORS.transactions.headerTerms;
const MONEY = new Set([amount, debit, credit].flatMap((terms) => terms?.split(', ') ?? []));

/** The cells of a column that feeds no field, over the rows of all files. Its memory is bounded. */
export class ColumnTally {
  private readonly column: UnusedColumn;
  private filled = 0;
  private rows = 0;
  private readonly values = new Set<string>();
  private readonly sum = new DecimalSum();
  private areNumbers = true;
  private hasDecimals = false;

  constructor(column: UnusedColumn) {
    this.column = column;
  }

  /** `column`: the same one, of the file of the row. */
  see(row: SourceRow, { textOf, readNumber }: UnusedColumn): void {
    this.rows++;
    const text = textOf?.(row)?.trim() ?? '';
    if (text === '') return;
    this.filled++;
    if (this.values.size <= MOST_VALUES) this.values.add(text);
    const number = this.areNumbers ? readNumber(text) : undefined;
    if (!number) this.areNumbers = false;
    else {
      this.sum.add(number.text);
      this.hasDecimals ||= number.places > 0;
    }
  }

  /** What is known of it; undefined for a column without a value. */
  behind(showsValues: boolean): Behind | undefined {
    const { column, filled, values, sum } = this;
    if (filled === 0 && column.textOf) return undefined;
    const holds = filled === 0 ? null : this.holds();
    return {
      what: 'column',
      name: column.header,
      count: column.textOf && filled,
      sum: (holds === 'amounts' && sum.total?.text) || null,
      holds,
      different: values.size > MOST_VALUES ? null : values.size,
      examples: showsValues ? [...values].slice(0, 2) : [],
      // Nobody who writes `all` has looked at each column.
      acknowledged:
        column.isIgnored === 'by_name' || (column.isIgnored === 'by_all' && (holds ?? 'texts') === 'texts'),
    };
  }

  private holds(): NonNullable<Behind['holds']> {
    const { column, filled, rows, values, areNumbers, hasDecimals } = this;
    const all = (is: (value: string) => boolean): boolean => [...values].every(is);
    if (all((value) => DATE.test(value))) return 'dates';
    const currencyOf = currencyReader(column.header);
    if (all((value) => currencyOf(value) !== undefined)) return 'currencies';
    if (all((value) => ZONE.test(value))) return 'zones';
    const words = column.header.toLowerCase().split(/[^\p{L}]+/u);
    if (areNumbers && (hasDecimals || words.some((word) => MONEY.has(word)))) return 'amounts';
    const states = values.size + (filled < rows ? 1 : 0);
    return states > 1 && states <= MOST_STATES && states * ROWS_OF_STATE <= rows ? 'states' : 'texts';
  }
}
