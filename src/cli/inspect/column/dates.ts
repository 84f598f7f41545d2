import { datePattern, type DatePattern } from '../../mapping/language/date-format.ts';
import { dateReader } from '../../mapping/language/date-reader.ts';
import { monthNamesWith, withEnglishMonth } from './month-names.ts';
import { OccurrenceCount, Tally } from './occurrences.ts';

/** Formats of days that are tried. `d` and `M` read two digits, too. Each begins with a number. */
const DAYS = [
  'yyyy-M-d, d.M.yyyy, d/M/yyyy, M/d/yyyy, d-M-yyyy, M-d-yyyy, yyyy/M/d, yyyy.M.d',
  "yyyy'年'M'月'd'日', d-MMM-yyyy, d MMM yyyy, d/MMM/yyyy, d. MMM yyyy, d.MMM yyyy, d.MMM.yyyy",
  "d 'de' MMM 'de' yyyy, d.M.yy, d/M/yy, M/d/yy, d-M-yy, d-MMM-yy, d MMM yy, yyyyMMdd, ddMMyyyy",
].flatMap((line) => line.split(', '));
/** Eight digits. Other numbers of eight digits are common, so every value has to be a day of 1900 to 2099. */
const COMPACT = ['yyyyMMdd', 'ddMMyyyy'];
const TIMES = [
  'H:mm, H:mm:ss, H:mm:ss.SSS, h:mm a, h:mm:ss a, h:mma, h:mm:ssa',
  'H:mm:ssXXX, H:mm:ss XXX, H:mm:ss.SSSXXX, H:mmXXX, H:mm XXX',
].flatMap((line) => line.split(', '));
/** What is between a day and its time, and how a format writes it. */
const BETWEEN: Readonly<Record<string, string>> = { ' ': ' ', ', ': ', ', T: "'T'" };

const patternOf = (format: string): DatePattern => datePattern(format) as DatePattern;
const DAY_PATTERNS = DAYS.map((name) => ({ name, pattern: patternOf(name) }));
const TIME_PATTERNS = TIMES.map((name) => ({ name, pattern: patternOf(`d/M/yyyy ${name}`) }));

/** Any century shows whether a day exists. */
const A_CENTURY = 2000;
const MAX_SHAPES = 1_000;
const LONGEST = 40;

/** A day and its time, as a text has them. */
type Halves = readonly [day: string, between: string, time: string];

function halvesOf(text: string): Halves {
  const [, day, between, time] = /^(.+?)(, |[T ])(\d{1,2}:.*)$/.exec(text) ?? [];
  return day === undefined ? [text, '', ''] : [day, between!, time!];
}

/** A format that is tried, and what the reader of a mapping makes of a text with it. */
class Format {
  readonly day: string;
  readonly between: string;
  readonly time: string;
  readonly pattern: DatePattern;
  readonly read: ReturnType<typeof dateReader>;

  constructor(day: string, between: string, time: string) {
    this.day = day;
    this.between = between;
    this.time = time;
    // The parts of a text do not include the zone or a longer fraction.
    this.pattern = patternOf(this.isIso ? "yyyy-M-d'T'H:mm:ss" : `${day}${between}${time}`);
    const kind = this.hasOffset ? 'datetime' : 'date';
    this.read = dateReader(kind, {
      format: [`${day}${between}${time}`],
      century: A_CENTURY,
      decimal_mark: '.',
    });
  }

  get isIso(): boolean {
    return this.day === 'iso';
  }

  get hasOffset(): boolean {
    return this.isIso || this.time.endsWith('X');
  }

  get kind(): 'date' | 'datetime' {
    return this.isIso || this.time !== '' ? 'datetime' : 'date';
  }

  /** Whether day or month comes first; null when the year does, or the month has a name. */
  get order(): 'day_first' | 'month_first' | null {
    if (this.isIso || this.day.startsWith('y') || this.day.includes('MMM')) return null;
    return this.day.startsWith('d') ? 'day_first' : 'month_first';
  }

  /** Year, month, day and time of a text. Undefined if there is no such day or time. */
  parts(text: string): ReturnType<DatePattern['parts']> {
    const parts = this.pattern.parts(this.isIso ? text.slice(0, 19).replace(' ', 'T') : text, A_CENTURY);
    const isDay = parts && typeof this.read(text) === 'string';
    return isDay && (!COMPACT.includes(this.day) || /^(?:19|20)/.test(parts.year)) ? parts : undefined;
  }
}

/** The values that a format has read. */
interface Fit {
  fits: number;
  /** Values with a time other than midnight. */
  timed: number;
  /** Values whose hour is 0 or above 12. Without one, the hours may count to 12. */
  beyondNoon: number;
  hasShortDay: boolean;
  hasShortHour: boolean;
  readonly hours: Set<string>;
  readonly exceptions: OccurrenceCount;
}

/** Looks at the values of one column that may be dates. */
export class DateCounter {
  private readonly formats = new Map<string, Format>();
  private readonly found = new Map<Format, Fit>();
  private readonly formatsOfShape = new Map<string, readonly Format[]>();
  private readonly seen = new OccurrenceCount();
  private readonly times = new Tally();
  private readonly monthNames = new Set<string>();
  private count = 0;
  private decidingOrder = 0;
  private unusualSpaces = false;

  /** The kind of the value; undefined when no format reads it. Every value of the column has to be given. */
  accept(text: string, line: number): Format['kind'] | undefined {
    const read = /^\d/.test(text) && text.length <= LONGEST ? this.fitting(text) : [];
    const time = timeFormatOf(text);
    if (time !== undefined) this.times.add(time, line);
    for (const [format, { exceptions }] of this.found) if (!read.includes(format)) exceptions.add(line);
    this.seen.add(line);
    const [first] = read;
    if (!first) return undefined;
    this.count++;
    // Nobody writes the month first and full stops.
    const orders = new Set(read.flatMap(({ day, order }) => (/[/-]/.test(day) && order ? [order] : [])));
    if (orders.size === 1) this.decidingOrder++;
    return first.kind;
  }

  result() {
    // Of formats that read the same values the first is believed.
    const rank = ({ day }: Format): number => DAYS.indexOf(day);
    const fits = [...this.found]
      .toSorted(([a, { fits: inA }], [b, { fits: inB }]) => inB - inA || rank(a) - rank(b))

      .map(fitOf)
      .filter((each) => each.fits * 2 >= this.seen.count);
    return {
      count: this.count,
      // Formats that read most of the values, best first.
      formats: fits,
      decidingOrder: this.decidingOrder,
      months: this.monthNames.size === 0 ? null : (monthNamesWith(this.monthNames) ?? null),
      times: this.times.ranked(),
      hasUnusualSpaces: this.unusualSpaces,
    };
  }

  /** The formats that read a text, which are counted. */
  private fitting(given: string): readonly Format[] {
    const spaced = given.replaceAll(UNUSUAL_SPACES, ' ');
    const english = withEnglishMonth(spaced);
    const text = english?.text ?? spaced;
    const halves = halvesOf(text);
    const read = this.formatsOf(text, halves).filter((format) => {
      const parts = format.parts(text);
      if (parts) this.countFit(format, parts, halves);
      return parts !== undefined;
    });
    if (read.length > 0 && english) this.monthNames.add(english.month);
    if (read.length > 0 && spaced !== given) this.unusualSpaces = true;
    return read;
  }

  private countFit(
    format: Format,
    { hour, minute, second }: NonNullable<ReturnType<Format['parts']>>,
    [days, , times]: Halves,
  ): void {
    let fit = this.found.get(format);
    // All values before the first that fits are exceptions.
    if (!fit) {
      const none = { fits: 0, timed: 0, beyondNoon: 0, hasShortDay: false, hasShortHour: false };
      this.found.set(format, (fit = { ...none, hours: new Set(), exceptions: this.seen.copy() }));
    }
    fit.fits++;
    if (/[1-9]/.test(`${hour ?? ''}${minute ?? ''}${second ?? ''}`)) fit.timed++;
    if (hour !== undefined && (hour === '00' || hour > '12')) fit.beyondNoon++;
    if (hour !== undefined) fit.hours.add(hour);
    fit.hasShortDay ||= /(?<!\d)\d(?!\d)/.test(days);
    fit.hasShortHour ||= /^\d:/.test(times);
  }

  /** The formats with the shape of a text. Whether its day exists depends on its digits, and its shape does not. */
  private formatsOf(text: string, [day, between, time]: Halves): readonly Format[] {
    const shape = text.replaceAll(/\d/g, '1');
    const known = this.formatsOfShape.get(shape);
    if (known) return known;
    const times =
      time === ''
        ? ['']
        : TIME_PATTERNS.filter(({ pattern }) => pattern.parts(`1/1/2000 ${time}`, A_CENTURY)).map(
            ({ name }) => name,
          );
    const days = DAY_PATTERNS.filter(({ pattern }) => pattern.parts(day, A_CENTURY));
    const formats = [
      ...(ISO.test(text) ? [this.format('iso', '', '')] : []),
      ...days.flatMap(({ name }) => times.map((each) => this.format(name, BETWEEN[between] ?? '', each))),
    ];
    if (this.formatsOfShape.size < MAX_SHAPES) this.formatsOfShape.set(shape, formats);
    return formats;
  }

  private format(day: string, between: string, time: string): Format {
    const name = `${day}${between}${time}`;
    const format = this.formats.get(name) ?? new Format(day, between, time);
    this.formats.set(name, format);
    return format;
  }
}

const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Spaces in place of which a draft puts plain ones. */
const UNUSUAL_SPACES = /[\u00A0\u2009\u202F]/g;

/** A format as a mapping names it, and the values that it reads. */
export type DateFormatFit = ReturnType<typeof fitOf>;

function fitOf([format, fit]: readonly [Format, Fit]) {
  const { day, between, time, kind, order, hasOffset } = format;
  const { hasShortDay, hasShortHour, hours, ...counts } = fit;
  const doubled = (token: string): string => (token.length === 1 ? token + token : token);
  const days = hasShortDay ? day : day.replaceAll(/'[^']*'|(?<!\w)[dM](?!\w)/g, doubled);
  const times = hasShortHour ? time : time.replace(/^[Hh]/, doubled);
  const hasShortYear = /(?<!y)yy(?!y)/.test(day);
  return {
    ...counts,
    format: `${days}${between}${times}`,
    kind,
    order,
    hasShortYear,
    hasOffset,
    hours: hours.size,
  };
}

/** The format of a time of day without a date; undefined for other texts. */
function timeFormatOf(text: string): string | undefined {
  const [, hour, second] = /^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.exec(text) ?? [];
  if (hour === undefined) return undefined;
  return `${hour.length === 1 ? 'H' : 'HH'}:mm${second === undefined ? '' : ':ss'}`;
}
