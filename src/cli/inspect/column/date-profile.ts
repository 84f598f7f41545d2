import { isCalendarDate } from '../../../core/values/calendar-date.ts';
import { DATE_FORMATS, fitsFormat, type DateFormat } from './date-formats.ts';
import type { DateFormatFit, DateProfile } from './profiled-column.ts';
import { monthNamesWith, monthsIn } from './month-names.ts';
import { OccurrenceCount, Tally } from './occurrences.ts';

/** Shapes of cells whose formats are remembered. */
const MAX_SHAPES = 1_000;

/** Looks at the values of one column that may be dates. */
export class DateCounter {
  private readonly fits = new Map<DateFormat, { count: number; readonly exceptions: OccurrenceCount }>();
  private readonly formatsOfShape = new Map<string, readonly DateFormat[]>();
  private readonly seen = new OccurrenceCount();
  private count = 0;
  private decidingOrder = 0;
  private centuryDays = 0;
  private readonly times = new Tally();
  private readonly monthNames = new Set<string>();

  /** The kind of the value; undefined when no format reads it. Every value of the column has to be given. */
  accept(text: string, line: number): DateFormat['kind'] | undefined {
    const formats = /^\d/.test(text) && text.length <= 40 ? this.formatsWithMonths(text) : [];
    if (isCenturyDay(text)) this.centuryDays++;
    const time = timeFormatOf(text);
    if (time !== undefined) this.times.add(time, line);
    for (const format of formats) this.known(format).count++;
    for (const [format, { exceptions }] of this.fits) if (!formats.includes(format)) exceptions.add(line);
    this.seen.add(line);
    if (formats.length === 0) return undefined;
    this.count++;
    const orders = new Set(formats.flatMap(({ order, hasRival }) => (hasRival ? [order] : [])));
    if (orders.has('day_first') !== orders.has('month_first')) this.decidingOrder++;
    return formats[0]!.kind;
  }

  result(): DateProfile {
    const all = [...this.fits]
      .toSorted(
        ([a, { count: fitsA }], [b, { count: fitsB }]) =>
          fitsB - fitsA || DATE_FORMATS.indexOf(a) - DATE_FORMATS.indexOf(b),
      )
      .map(([{ name, kind, order, hasShortYear, hasOffset }, { count, exceptions }]) => ({
        format: name,
        kind,
        order,
        hasShortYear,
        hasOffset,
        fits: count,
        exceptions,
      }));
    const formats = all.filter(({ fits }) => fits * 2 >= this.seen.count);
    return {
      count: this.count,
      formats: withoutLooser(formats),
      pairs: this.pairsOf(withoutLooser(all)),
      decidingOrder: this.decidingOrder,
      months: this.monthNames.size === 0 ? null : (monthNamesWith(this.monthNames) ?? null),
      centuryDays: this.centuryDays,
      times: this.times.ranked().map(({ name, count }) => ({ format: name, count })),
    };
  }

  private pairsOf(formats: readonly DateFormatFit[]): DateProfile['pairs'] {
    if (this.count < this.seen.count || formats.some(({ fits }) => fits === this.seen.count)) return [];
    return formats.flatMap((one, at) =>
      formats.slice(at + 1).flatMap((other): DateProfile['pairs'] => {
        const divides = one.fits + other.fits === this.seen.count && one.kind === other.kind;
        return divides && shapeOf(one.format) !== shapeOf(other.format) ? [[one, other]] : [];
      }),
    );
  }

  private known(format: DateFormat) {
    const known = this.fits.get(format);
    if (known) return known;
    // All values before the first that fits are exceptions.
    const entry = { count: 0, exceptions: this.seen.copy() };
    this.fits.set(format, entry);
    return entry;
  }

  /** The formats that read a text, also with names of months in other languages. */
  private formatsWithMonths(text: string): readonly DateFormat[] {
    const own = this.formatsOf(text);
    if (own.length > 0 || !/\p{L}{3}/u.test(text)) return own;
    for (const { name, english } of monthsIn(text)) {
      const formats = this.formatsOf(english);
      if (formats.length === 0) continue;
      this.monthNames.add(name.toLowerCase());
      return formats;
    }
    return [];
  }

  private formatsOf(text: string): readonly DateFormat[] {
    // The shape of a format depends on everything but the digits. Whether the day exists depends on the digits.
    const shape = text.replaceAll(/\d/g, '0');
    let formats = this.formatsOfShape.get(shape);
    if (!formats) {
      formats = DATE_FORMATS.filter(({ name, parts }) => name === 'iso' || parts(shape) !== undefined);
      if (this.formatsOfShape.size < MAX_SHAPES) this.formatsOfShape.set(shape, formats);
    }
    return formats.filter((format) => fitsFormat(text, format));
  }
}

/** The marks of a format. A text has those of one format only. */
function shapeOf(format: string): string {
  return format.replaceAll(/[a-z]+/gi, 'x').replace(/^x(?=\W)/, format.startsWith('y') ? 'y' : 'x');
}

/** Leaves out `d.M.yyyy`, which reads everything that `dd.MM.yyyy` does, unless it reads more. */
function withoutLooser(formats: readonly DateFormatFit[]): readonly DateFormatFit[] {
  const loose = (format: string): string =>
    format
      .replaceAll(/d+/g, 'd')
      .replaceAll(/M{1,2}(?!M)/g, 'M')
      .replaceAll(/H+/g, 'H')
      .replaceAll(/h+/g, 'h');
  return formats.filter(
    (format, at) =>
      !formats
        .slice(0, at)
        .some((better) => better.fits >= format.fits && loose(better.format) === loose(format.format)),
  );
}

/** Whether a text is a day as CYYMMDD, in which C counts the centuries from 1900. */
function isCenturyDay(text: string): boolean {
  const [, century, year, month, day] = /^([01])(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  return century !== undefined && isCalendarDate(`${century === '1' ? '20' : '19'}${year}-${month}-${day}`);
}

/** The format of a time of day without a date; undefined for other texts. */
function timeFormatOf(text: string): string | undefined {
  const [, hour, minute, second] = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  if (hour === undefined || hour.padStart(2, '0') > '23' || minute! > '59' || (second ?? '00') > '59')
    return undefined;
  return `${hour.length === 1 ? 'H' : 'HH'}:mm${second === undefined ? '' : ':ss'}`;
}
