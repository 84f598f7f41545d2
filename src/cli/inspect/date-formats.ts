import { isCalendarDate } from '../../core/values/calendar-date.ts';
import { parseInstant } from '../../core/values/instant.ts';
import { datePattern, type DateParts } from '../mapping/language/date-format.ts';

/** A way to write a date or a date-time, in the tokens of a mapping file. */
export interface DateFormat {
  /** As in `format:` of a mapping file. */
  readonly name: string;
  readonly kind: 'date' | 'datetime';
  /** Which of day and month comes first; null when the year does, or the month has a name. */
  readonly order: 'day_first' | 'month_first' | null;
  /** Whether the same text may be meant with day and month the other way round. */
  readonly hasRival: boolean;
  /** Two-digit years need a century. */
  readonly hasShortYear: boolean;
  /** Date-times without an offset need a zone. */
  readonly hasOffset: boolean;
  /** The parts of a text that has the shape of the format. */
  parts(text: string): DateParts | undefined;
}

const DATES = [
  'yyyy-MM-dd',
  'dd.MM.yyyy',
  'dd/MM/yyyy',
  'MM/dd/yyyy',
  'dd-MM-yyyy',
  'MM-dd-yyyy',
  'yyyy/MM/dd',
  'yyyy.MM.dd',
  "yyyy'年'MM'月'dd'日'",
  'dd-MMM-yyyy',
  'dd MMM yyyy',
  'dd.MM.yy',
  'dd/MM/yy',
  'MM/dd/yy',
  'dd-MM-yy',
  'dd-MMM-yy',
  'dd MMM yy',
  // Days and months of one digit: these take what stands above, too, so they come later.
  'd.M.yyyy',
  'd/M/yyyy',
  'M/d/yyyy',
  'd-M-yyyy',
  'yyyy/M/d',
  "yyyy'年'M'月'd'日'",
  'd MMM yyyy',
  'd-MMM-yyyy',
  'd. MMM yyyy',
  'd.MMM yyyy',
  'd.MMM.yyyy',
  "d 'de' MMM 'de' yyyy",
  'd/MMM/yyyy',
  'd.M.yy',
  'd/M/yy',
  'M/d/yy',
];
/** Eight digits; other numbers of eight digits are common, so these need every value to be a day of 1900 to 2100. */
const COMPACT_DATES = ['yyyyMMdd', 'ddMMyyyy'];
/** Any will do to see whether a day exists. */
const A_CENTURY = 2000;
const TIMES = ['HH:mm', 'HH:mm:ss', 'HH:mm:ss.SSS', 'H:mm', 'H:mm:ss'];

/** Every format that is tried; of two that fit the same values the first is the stricter. */
export const DATE_FORMATS: readonly DateFormat[] = [
  ...DATES.map((name) => formatOf(name, 'date')),
  ...COMPACT_DATES.map((name) => formatOf(name, 'date')),
  ...[...DATES, 'yyyyMMdd'].flatMap((date) => TIMES.map((time) => formatOf(`${date} ${time}`, 'datetime'))),
  ...["yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd'T'HH:mm"].map((name) => formatOf(name, 'datetime')),
  { ...formatOf("yyyy-MM-dd'T'HH:mm:ss", 'datetime'), name: 'iso', hasOffset: true, parts: isoParts },
];

/** Whether the text is a day that exists, at a time that exists, written in this format. */
export function fitsFormat(text: string, { parts, name }: DateFormat): boolean {
  const found = parts(text);
  if (!found) return false;
  const { year, month, day, hour = '00', minute = '00', second = '00' } = found;
  if (COMPACT_DATES.includes(name) && !/^(19|20)/.test(year)) return false;
  return isCalendarDate(`${year}-${month}-${day}`) && hour < '24' && minute < '60' && second < '60';
}

function formatOf(name: string, kind: DateFormat['kind']): DateFormat {
  const pattern = datePattern(name);
  if (typeof pattern === 'string') throw new TypeError(`${name}: ${pattern}`);
  const swapped = name.replaceAll(/d+|M+/g, (token) =>
    (token.startsWith('d') ? 'M' : 'd').repeat(token.length),
  );
  const hasNoOrder = name.startsWith('y') || name.includes('MMM');
  return {
    name,
    kind,
    order: hasNoOrder ? null : name.startsWith('d') ? 'day_first' : 'month_first',
    // Nobody writes the month first before a full stop.
    hasRival: !hasNoOrder && DATES.some((date) => swapped.startsWith(date)),
    hasShortYear: pattern.hasShortYear,
    hasOffset: pattern.hasOffset,
    parts: (text) => pattern.parts(text, A_CENTURY),
  };
}

function isoParts(text: string): DateParts | undefined {
  // The instant in UTC says whether it exists; its shape is all that is asked for.
  return /^\d{4}-\d\d-\d\dT/.test(text) && parseInstant(text) !== undefined
    ? { year: text.slice(0, 4), month: text.slice(5, 7), day: text.slice(8, 10) }
    : undefined;
}
