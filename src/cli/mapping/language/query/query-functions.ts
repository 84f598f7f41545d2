import { sentenceOf } from '../../../../core/error-codes/sentence.ts';
import { compareDecimals, Decimal, product, sum } from '../../../../core/values/decimal.ts';
import { negated } from '../../../../core/values/decimal-shift.ts';
import { rounded } from '../../../../core/values/decimal-round.ts';
import { DecimalSum } from '../../../../core/values/decimal-sum.ts';
import { isTimeZone } from '../../../../core/values/local-time.ts';
import { datePattern, SPECIAL_FORMATS } from '../date-format.ts';
import { dateFormatNeeds, dateReader } from '../date-reader.ts';
import { numberReader, type NumberReader } from '../number-format.ts';
import { STEP_DEFAULTS, StepProblem } from '../step-problem.ts';

/** A value of SQLite: whole numbers are `bigint`, so that a `number` is a float. */
export type SqlValue = string | bigint | number | Uint8Array | null;

/** A value that a function could not read. */
export interface UnreadValue {
  readonly call: string;
  readonly text: string;
  readonly reason: string;
}

/** The functions of a query, over texts. */
export interface QueryFunctions {
  readonly scalars: Readonly<
    Record<string, { args: number; call: (...args: readonly SqlValue[]) => SqlValue }>
  >;
  /** An exact sum; null over no value. */
  readonly decimalSum: {
    start: () => { total: DecimalSum; unread: string | undefined };
    step: (state: { total: DecimalSum; unread: string | undefined }, value: SqlValue) => void;
    result: (state: { total: DecimalSum; unread: string | undefined }) => SqlValue;
  };
  /** The values that were not read, by the number in their mark. */
  readonly unread: readonly UnreadValue[];
}

/** Begins the text that stands for a value that could not be read. No file of texts has this noncharacter. */
const MARK = '\u{FDD0}';

/** The number of the value that a cell of the result could not be made of. */
export function unreadIn(cell: string): number | undefined {
  const found = /\u{FDD0}(\d+)/u.exec(cell)?.[1];
  return found === undefined ? undefined : Number.parseInt(found, 10);
}

/** Unread values that are kept apart. All others count for the last one. */
const MOST_UNREAD = 100;

class Unread extends Error {
  readonly value: SqlValue;

  constructor(value: SqlValue, reason: string) {
    super(reason);
    this.value = value;
  }
}

/** The functions that a query may call beside those of SQLite. They are pure and exact. */
export function queryFunctions(): QueryFunctions {
  const unread: UnreadValue[] = [];
  const numbers = new Map<string, string>();
  const markOf = (call: string, value: SqlValue, reason: string): string => {
    const text = String(value);
    const key = `${call} ${text}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (unread.length < MOST_UNREAD) unread.push({ call, text, reason });
    const mark = `${MARK}${unread.length - 1}`;
    if (numbers.size < MOST_UNREAD) numbers.set(key, mark);
    return mark;
  };
  /** Null makes null, and a value that was not read stays so. */
  const scalar = (name: string, args: number, act: (...args: readonly SqlValue[]) => SqlValue) => ({
    args,
    call: (...given: readonly SqlValue[]): SqlValue => {
      if (given.includes(null)) return null;
      const before = given.find((value) => typeof value === 'string' && value.startsWith(MARK));
      if (before !== undefined) return before;
      try {
        return act(...given);
      } catch (error) {
        if (!(error instanceof Unread)) throw error;
        return markOf(name, error.value, error.message);
      }
    },
  });
  const dates = new Map<string, (text: string) => string>();
  const formats = new Map<string, NumberReader>();
  const dateOf = (text: SqlValue, pattern: SqlValue, zone?: SqlValue): SqlValue => {
    if (text === '') return null;
    const key = JSON.stringify([String(pattern), zone === undefined ? null : String(zone)]);
    const read = dates.get(key) ?? dateReaderOf(String(pattern), zone);
    dates.set(key, read);
    return read(String(text));
  };
  return {
    unread,
    scalars: {
      dec_add: scalar('dec_add', 2, (a, b) => sum([decimal(a), decimal(b)]).text),
      dec_sub: scalar('dec_sub', 2, (a, b) => sum([decimal(a), negated(decimal(b))]).text),
      dec_mul: scalar('dec_mul', 2, (a, b) => product(decimal(a), decimal(b)).text),
      dec_round: scalar('dec_round', 2, (a, places) => rounded(decimal(a), placesOf(places)).text),
      dec_cmp: scalar('dec_cmp', 2, (a, b) => BigInt(compareDecimals(decimal(a), decimal(b)))),
      'date_of/2': scalar('date_of', 2, (text, pattern) => dateOf(text, pattern)),
      'date_of/3': scalar('date_of', 3, dateOf),
      number_of: scalar('number_of', 2, (text, format) => {
        if (text === '') return null;
        const read = formats.get(String(format)) ?? numberReader(formatOf(String(format)));
        formats.set(String(format), read);
        const number = read(String(text));
        if (!number) throw new Unread(text, `is no number like ${String(format)}`);
        return number.text;
      }),
    },
    decimalSum: {
      start: () => ({ total: new DecimalSum(), unread: undefined }),
      step(state, value) {
        if (value === null || state.unread !== undefined) return;
        try {
          if (typeof value === 'string' && value.startsWith(MARK)) state.unread = value;
          else state.total.add(decimal(value).text);
        } catch (error) {
          if (!(error instanceof Unread)) throw error;
          state.unread = markOf('dec_sum', value, error.message);
        }
      },
      result: ({ total, unread: mark }) => mark ?? total.total?.text ?? null,
    },
  };
}

function decimal(value: SqlValue): Decimal {
  const found =
    typeof value === 'bigint' || typeof value === 'string' ? Decimal.parse(String(value)) : undefined;
  if (!found) throw new Unread(value, value === '' ? 'is empty' : 'is no decimal such as -1234.50');
  return found;
}

function placesOf(value: SqlValue): number {
  const places = typeof value === 'bigint' ? Number.parseInt(String(value), 10) : -1;
  if (places < 0 || places > 20) throw new RangeError('dec_round takes a number of decimals from 0 to 20');
  return places;
}

/** @throws RangeError for a pattern that leaves something open */
function dateReaderOf(pattern: string, zone: SqlValue | undefined): (text: string) => string {
  const isSpecial = (SPECIAL_FORMATS as readonly string[]).includes(pattern);
  const parts = isSpecial ? undefined : datePattern(pattern);
  if (typeof parts === 'string')
    throw new RangeError(`date_of: ${pattern} is no pattern of a date: ${parts}`);
  const timeZone = zone === undefined ? undefined : String(zone);
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new RangeError(`date_of: ${timeZone} is no time zone such as Europe/London`);
  const kind = (parts ? parts.hasTime : timeZone !== undefined || pattern !== 'iso') ? 'datetime' : 'date';
  const zoned = timeZone !== undefined && { time_zone: timeZone };
  const spec = { ...STEP_DEFAULTS, format: [pattern], ...zoned };
  const [need] = dateFormatNeeds(kind, spec);
  if (need) throw new RangeError(`date_of: needs ${String(need.facts['needed'])}`);
  const read = dateReader(kind, spec);
  return (text) => {
    const result = read(text);
    if (result instanceof StepProblem)
      throw new Unread(text, sentenceOf(result.problem.code, result.problem.facts));
    return result;
  };
}

/** A number format by an example: 1234.56 as the file writes it. @throws RangeError */
function formatOf(example: string) {
  const found = /^(?<open>[-(])?1(?<thousands>[.,'’ ])?234(?:(?<mark>[.,])56)?(?<close>[-)])?$/u.exec(
    example,
  )?.groups;
  const { open, thousands, mark = '.', close } = found ?? {};
  if (!found || (open === '(') !== (close === ')') || thousands === mark)
    throw new RangeError(`number_of: ${example} is not the number 1234.56 in some form, such as 1.234,56`);
  const negative = open === '(' ? 'parentheses' : close === '-' ? 'trailing' : 'leading';
  return {
    ...STEP_DEFAULTS,
    decimal_mark: mark,
    thousands_mark: thousands === ' ' ? ('space' as const) : (thousands as '.' | ',' | "'" | '’' | undefined),
    negative: [negative] as ('parentheses' | 'trailing' | 'leading')[],
  };
}

/** Functions of SQLite that have the same result for the same texts, and calculate no float. */
const ALLOWED: ReadonlySet<string> = new Set(
  `-> char coalesce concat concat_ws count dec_add dec_cmp dec_mul dec_round dec_sub dec_sum date_of dense_rank first_value glob
  group_concat hex if ifnull iif instr json_array_length json_type json_valid lag last_value lead length like likelihood
  likely lower ltrim max min nth_value ntile nullif number_of quote rank replace row_number rtrim string_agg substr
  substring trim typeof unicode unlikely upper`.split(/\s+/),
);

const INSTEAD: Readonly<Record<string, string>> = {
  sum: 'dec_sum',
  total: 'dec_sum',
  avg: 'dec_sum and count, and calculate outside of the query',
  round: 'dec_round',
  abs: "iif(dec_cmp(x, '0') < 0, dec_sub('0', x), x)",
  printf: 'dec_round, and || for texts',
  format: 'dec_round, and || for texts',
  date: 'date_of',
  datetime: 'date_of',
  strftime: 'date_of',
  julianday: 'date_of',
  unixepoch: 'date_of',
};

/** Why a function is refused, as what to write instead; undefined for one that a query may call. */
export function refusedFunction(name: string): string | undefined {
  if (ALLOWED.has(name)) return undefined;
  return (
    INSTEAD[name] ??
    'a column that the file has, or one of dec_add, dec_sub, dec_mul, dec_round, dec_sum, dec_cmp'
  );
}
