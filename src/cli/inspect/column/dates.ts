import { datePattern, type DatePattern } from '../../mapping/language/date-format.ts';
import { dateReader } from '../../mapping/language/date-reader.ts';

/** Formats of days that are tried. `d` and `M` read two digits, too. Each begins with a number. */
const DAYS = [
  'yyyy-M-d, d.M.yyyy, d/M/yyyy, M/d/yyyy, d-M-yyyy, M-d-yyyy, yyyy/M/d, yyyy.M.d',
  "yyyy'年'M'月'd'日', d-MMM-yyyy, d MMM yyyy, d/MMM/yyyy, d. MMM yyyy, d.MMM yyyy, d.MMM.yyyy",
  "d 'de' MMM 'de' yyyy, d.M.yy, d/M/yy, M/d/yy, d-M-yy, d-MMM-yy, d MMM yy, yyyyMMdd, ddMMyyyy",
].flatMap((line) => line.split(', '));
/** Eight digits. Other numbers of eight digits are common, so every value has to be a day of 1900 to 2099. */
const COMPACT = /^(?:yyyyMMdd|ddMMyyyy)/;
const TIMES = [
  'H:mm, H:mm:ss, H:mm:ss.SSS, h:mm a, h:mm:ss a, h:mma, h:mm:ssa',
  'H:mm:ssXXX, H:mm:ss XXX, H:mm:ss.SSSXXX, H:mmXXX, H:mm XXX',
].flatMap((line) => line.split(', '));
/** What is between a day and its time, and how a format writes it. */
const BETWEEN: Readonly<Record<string, string>> = { ' ': ' ', ', ': ', ', T: "'T'" };

const patternOf = (format: string): DatePattern => datePattern(format) as DatePattern;
const DAY_PATTERNS = DAYS.map(patternOf);
const TIME_PATTERNS = TIMES.map((name) => patternOf(`d/M/yyyy ${name}`));

/** Any century shows whether a day exists. */
const A_CENTURY = 2000;
const MAX_SHAPES = 1_000;
const LONGEST = 40;

/** A day and its time, as a text has them, and what is between them. */
function halvesOf(text: string): readonly [day: string, between: string, time: string] {
  const [, day, between, time] = /^(.+?)(, |[T ])(\d{1,2}:.*)$/.exec(text) ?? [];
  return day === undefined ? [text, '', ''] : [day, between!, time!];
}

/** Keys with which a time stays as it is written, unless it has an offset. */
const AS_WRITTEN = { century: A_CENTURY, time_zone: 'UTC', at: '00:00:00', decimal_mark: '.' };

/** A format that is tried, and the values that it has read. */
class Format {
  readonly name: string;
  readonly kind: 'date' | 'datetime';
  private readonly read: ReturnType<typeof dateReader>;
  /** The line of the first value that is not read. */
  firstException: number | undefined;
  fits = 0;
  private timed = 0;
  private hasShortDay = false;
  private hasShortHour = false;

  constructor(name: string, kind: Format['kind'], firstException: number | undefined) {
    this.name = name;
    this.kind = kind;
    this.firstException = firstException;
    this.read = dateReader(kind, { ...AS_WRITTEN, format: [name] });
  }

  /** Whether day or month comes first; null when the year does, or the month has a name. */
  get order(): 'day_first' | 'month_first' | null {
    if (/^[iy]|MMM/.test(this.name)) return null;
    return this.name.startsWith('d') ? 'day_first' : 'month_first';
  }

  /** Counts a text. @returns false if there is no such day or time */
  accept(text: string): boolean {
    const value = this.read(text);
    if (typeof value !== 'string' || (COMPACT.test(this.name) && !/^(?:19|20)/.test(value))) return false;
    this.fits++;
    if (/[1-9]/.test(value.slice(11, 19))) this.timed++;
    this.hasShortDay ||= /(?<!\d)\d(?![\d:])/.test(text);
    this.hasShortHour ||= /(?<!\d)\d:/.test(text);
    return true;
  }

  result() {
    const { name, fits, timed, firstException, kind, order } = this;
    const doubled = (token: string): string => (token.length === 1 ? token + token : token);
    const days = this.hasShortDay ? name : name.replaceAll(/'[^']*'|(?<!\w)[dM](?!\w)/g, doubled);
    return {
      /** As a mapping names it. */
      format: this.hasShortHour ? days : days.replace(/(?<=[ '])[Hh](?=:)/, doubled),
      fits,
      firstException,
      kind,
      order,
      hasOffset: /^iso$|X$/.test(name),
      hasShortYear: /(?<!y)yy(?!y)/.test(name),
      /** Values with a time other than midnight. */
      timed,
    };
  }
}

/** A format as a mapping names it, and the values that it reads. */
export type DateFormatFit = ReturnType<Format['result']>;

const TIME_OF_DAY = /^(?:[01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/** Looks at the values of one column that may be dates. */
export class DateCounter {
  private readonly formats = new Map<string, Format>();
  private readonly formatsOfShape = new Map<string, readonly Format[]>();
  /** The format of all texts so far, if they are times of a day. */
  private time: 'H:mm' | 'H:mm:ss' | undefined;
  private firstLine: number | undefined;
  private seen = 0;
  private count = 0;
  private decidingOrder = 0;

  /** The kind of the value; undefined when no format reads it. Every value of the column has to be given. */
  accept(text: string, line: number): Format['kind'] | undefined {
    const read = /^\d/.test(text) && text.length <= LONGEST ? this.fitting(text) : [];
    for (const format of this.formats.values()) if (!read.includes(format)) format.firstException ??= line;
    const parts = TIME_OF_DAY.exec(text);
    const time = parts ? (parts[1] === undefined ? 'H:mm' : 'H:mm:ss') : undefined;
    this.time = this.seen === 0 || this.time === time ? time : undefined;
    this.firstLine ??= line;
    this.seen++;
    const [first] = read;
    if (!first) return undefined;
    this.count++;
    // Nobody writes the month first and full stops.
    const orders = new Set(read.flatMap(({ name, order }) => (/[/-]/.test(name) && order ? [order] : [])));
    if (orders.size === 1) this.decidingOrder++;
    return first.kind;
  }

  /** Null where no value is a date, and not all are times of a day. */
  result() {
    const { time } = this;
    if (this.count === 0 && time === undefined) return null;
    const ranked = [...this.formats.values()].toSorted((a, b) => b.fits - a.fits);
    return {
      // Formats that read most of the values, best first. The first of those that read the same values is taken.
      formats: ranked.filter(({ fits }) => fits * 2 >= this.seen).map((format) => format.result()),
      decidingOrder: this.decidingOrder,
      time,
    };
  }

  /** The formats that read a text, which they count. */
  private fitting(given: string): readonly Format[] {
    const text = given.replaceAll(UNUSUAL_SPACES, ' ');
    return this.formatsOf(text).filter((format) => format.accept(text));
  }

  /** The formats with the shape of a text. Whether its day exists depends on its digits, and its shape does not. */
  private formatsOf(text: string): readonly Format[] {
    const shape = text.replaceAll(/\d/g, '1');
    const known = this.formatsOfShape.get(shape);
    if (known) return known;
    const [day, between, time] = halvesOf(text);
    const times = TIMES.filter((_, at) => TIME_PATTERNS[at]!.parts(`1/1/2000 ${time}`, A_CENTURY));
    const rests = time === '' ? [''] : times.map((each) => `${BETWEEN[between]}${each}`);
    const days = DAYS.filter((_, at) => DAY_PATTERNS[at]!.parts(day, A_CENTURY));
    const kind = time === '' ? 'date' : 'datetime';
    const formats = [
      ...(ISO.test(text) ? [this.format('iso', 'datetime')] : []),
      ...days.flatMap((name) => rests.map((rest) => this.format(name + rest, kind))),
    ];
    if (this.formatsOfShape.size < MAX_SHAPES) this.formatsOfShape.set(shape, formats);
    return formats;
  }

  private format(name: string, kind: Format['kind']): Format {
    // All values before the first with its shape are exceptions.
    const format = this.formats.get(name) ?? new Format(name, kind, this.firstLine);
    this.formats.set(name, format);
    return format;
  }
}

const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Spaces that a format takes for plain ones. */
const UNUSUAL_SPACES = /[\u00A0\u2009\u202F]/g;
