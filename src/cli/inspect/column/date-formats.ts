import { isCalendarDate } from '../../../core/values/calendar-date.ts';
import { parseInstant } from '../../../core/values/instant.ts';
import { datePattern, type DateParts } from '../../mapping/language/date-format.ts';
import type { DateFormatFit } from './profiled-column.ts';

/** A way to write a date or a date-time, in the tokens of a mapping file. */
export interface DateFormat extends Pick<DateFormatFit, 'kind' | 'order' | 'hasShortYear' | 'hasOffset'> {
  /** As in `format:` of a mapping file. */
  readonly name: string;
  /** Whether another format reads the same text with day and month exchanged. */
  readonly hasRival: boolean;
  /** The parts of a text that has the shape of the format. */
  parts(text: string): DateParts | undefined;
}

const DATES = [
  'yyyy-MM-dd, dd.MM.yyyy, dd/MM/yyyy, MM/dd/yyyy, dd-MM-yyyy, MM-dd-yyyy, yyyy/MM/dd, yyyy.MM.dd',
  "yyyy'年'MM'月'dd'日', dd-MMM-yyyy, dd MMM yyyy, dd.MM.yy, dd/MM/yy, MM/dd/yy, dd-MM-yy, dd-MMM-yy, dd MMM yy",
  // Days and months of one digit. These formats also read the texts of those above, so they come later.
  "d.M.yyyy, d/M/yyyy, M/d/yyyy, d-M-yyyy, yyyy/M/d, yyyy'年'M'月'd'日', d MMM yyyy, d-MMM-yyyy, d. MMM yyyy",
  "d.MMM yyyy, d.MMM.yyyy, d 'de' MMM 'de' yyyy, d/MMM/yyyy, d.M.yy, d/M/yy, M/d/yy",
].flatMap((line) => line.split(', '));
/** Eight digits. Other numbers of eight digits are common, so every value has to be a day of 1900 to 2100. */
const COMPACT_DATES = ['yyyyMMdd', 'ddMMyyyy'];
/** Any century shows whether a day exists. */
const A_CENTURY = 2000;
const TIMES = [
  'HH:mm, HH:mm:ss, HH:mm:ss.SSS, H:mm, H:mm:ss',
  'hh:mm a, hh:mm:ss a, h:mm a, h:mm:ss a, h:mma, h:mm:ssa',
].flatMap((line) => line.split(', '));
/** Times with an offset. */
const MOMENTS = ['HH:mm:ssXXX', 'HH:mm:ss XXX', 'HH:mm:ss.SSSXXX', 'HH:mmXXX', 'HH:mm XXX'];

/** Every format that is tried. Of two formats that fit the same values the first is the stricter. Each begins with a number. */
export const DATE_FORMATS: readonly DateFormat[] = [
  ...DATES.map((name) => formatOf(name, 'date')),
  ...COMPACT_DATES.map((name) => formatOf(name, 'date')),
  ...[...DATES, 'yyyyMMdd'].flatMap((date) => TIMES.map((time) => formatOf(`${date} ${time}`, 'datetime'))),
  ...["yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd'T'HH:mm"].map((name) => formatOf(name, 'datetime')),
  { ...formatOf("yyyy-MM-dd'T'HH:mm:ss", 'datetime'), name: 'iso', hasOffset: true, parts: isoParts },
  ...[...DATES, 'yyyyMMdd'].flatMap((date) => MOMENTS.map((time) => formatOf(`${date} ${time}`, 'datetime'))),
  ...MOMENTS.map((time) => formatOf(`yyyy-MM-dd'T'${time}`, 'datetime')),
];

/** The formats that may fit a text: none where it does not begin with a digit. */
export const formatsFor = (text: string): readonly DateFormat[] => (/^\d/.test(text) ? DATE_FORMATS : []);

/** Whether the text is an existing day, at an existing time, written in this format. */
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
    // Nobody writes the month first and a full stop after it.
    hasRival: !hasNoOrder && DATES.some((date) => swapped.startsWith(date)),
    hasShortYear: pattern.hasShortYear,
    hasOffset: pattern.hasOffset,
    parts: (text) => pattern.parts(text, A_CENTURY),
  };
}

function isoParts(text: string): DateParts | undefined {
  // The instant in UTC shows whether it exists. Of the parts only the shape matters.
  return /^\d{4}-\d\d-\d\dT/.test(text) && parseInstant(text) !== undefined
    ? { year: text.slice(0, 4), month: text.slice(5, 7), day: text.slice(8, 10) }
    : undefined;
}
