import { DATE_FORMATS, fitsFormat, type DateFormat } from './date-formats.ts';
import { monthNamesWith, monthsIn } from './month-names.ts';
import { PlaceCount, Tally, type Places } from './places.ts';
import { isCenturyDay, timeFormatOf } from './time-shapes.ts';

/** One format, and which values of a column it reads. */
export interface FormatEvidence {
  /** As in a mapping file. */
  readonly format: string;
  readonly kind: DateFormat['kind'];
  readonly order: DateFormat['order'];
  readonly hasShortYear: boolean;
  readonly hasOffset: boolean;
  readonly fits: number;
  readonly exceptions: Places;
}

/** What the dates of a column have shown. */
export interface DateEvidence {
  /** Values that at least one format reads. */
  readonly count: number;
  /** Formats that read most of the values, best first; of those that read the same values only the strictest. */
  readonly formats: readonly FormatEvidence[];
  /** Values that are a date with the day first or with the month first, but not with both. */
  readonly decidingOrder: number;
  /** The names of the twelve months in the language of the file; null where they are English, short, or none. */
  readonly months: readonly string[] | null;
  /** Values that are a day as CYYMMDD, the century counted from 1900, as in 1251231 for 2025-12-31. */
  readonly centuryDays: number;
  /** Values that are a time of day, by their format. */
  readonly times: readonly { readonly format: string; readonly count: number }[];
}

/** Shapes of cells whose formats are remembered. */
const MAX_SHAPES = 1_000;

/** Takes the values of one column that may be dates. */
export class DateCensus {
  private readonly fits = new Map<DateFormat, { count: number; readonly exceptions: PlaceCount }>();
  private readonly formatsOfShape = new Map<string, readonly DateFormat[]>();
  private readonly seen = new PlaceCount();
  private count = 0;
  private decidingOrder = 0;
  private centuryDays = 0;
  private readonly times = new Tally();
  private readonly monthNames = new Set<string>();

  /** What the value is; undefined when no format reads it. Every value of the column has to be given. */
  accept(text: string, line: number): DateFormat['kind'] | undefined {
    const reading = /^\d/.test(text) && text.length <= 40 ? this.readingsOf(text) : [];
    if (isCenturyDay(text)) this.centuryDays++;
    const time = timeFormatOf(text);
    if (time !== undefined) this.times.add(time, line);
    for (const format of reading) this.known(format).count++;
    for (const [format, { exceptions }] of this.fits) if (!reading.includes(format)) exceptions.add(line);
    this.seen.add(line);
    if (reading.length === 0) return undefined;
    this.count++;
    const orders = new Set(reading.flatMap(({ order, hasRival }) => (hasRival ? [order] : [])));
    if (orders.has('day_first') !== orders.has('month_first')) this.decidingOrder++;
    return reading[0]!.kind;
  }

  result(): DateEvidence {
    const formats = [...this.fits]
      .filter(([, { count }]) => count * 2 >= this.seen.count)
      .toSorted(
        ([a, { count: fitsA }], [b, { count: fitsB }]) =>
          fitsB - fitsA || DATE_FORMATS.indexOf(a) - DATE_FORMATS.indexOf(b),
      )
      .map(([format, { count, exceptions }]) => ({
        format: format.name,
        kind: format.kind,
        order: format.order,
        hasShortYear: format.hasShortYear,
        hasOffset: format.hasOffset,
        fits: count,
        exceptions: exceptions.result(),
      }));
    return {
      count: this.count,
      formats: withoutLooser(formats),
      decidingOrder: this.decidingOrder,
      months: this.monthNames.size === 0 ? null : (monthNamesWith(this.monthNames) ?? null),
      centuryDays: this.centuryDays,
      times: this.times.ranked().map(({ name, count }) => ({ format: name, count })),
    };
  }

  private known(format: DateFormat) {
    const known = this.fits.get(format);
    if (known) return known;
    // What came before it was met is an exception, one and all.
    const exceptions = new PlaceCount();
    exceptions.count = this.seen.count;
    exceptions.lines.push(...this.seen.lines);
    const entry = { count: 0, exceptions };
    this.fits.set(format, entry);
    return entry;
  }

  /** By the names of months in other languages, too. */
  private readingsOf(text: string): readonly DateFormat[] {
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
    // Which formats have the shape of a text hangs on everything but its digits; whether the day exists, on these.
    const shape = text.replaceAll(/\d/g, '0');
    let formats = this.formatsOfShape.get(shape);
    if (!formats) {
      formats = DATE_FORMATS.filter(({ name, parts }) => name === 'iso' || parts(shape) !== undefined);
      if (this.formatsOfShape.size < MAX_SHAPES) this.formatsOfShape.set(shape, formats);
    }
    return formats.filter((format) => fitsFormat(text, format));
  }
}

/** `d.M.yyyy` reads everything that `dd.MM.yyyy` does; it is told when it reads more. */
function withoutLooser(formats: readonly FormatEvidence[]): readonly FormatEvidence[] {
  const loose = (format: string): string =>
    format
      .replaceAll(/d+/g, 'd')
      .replaceAll(/M{1,2}(?!M)/g, 'M')
      .replaceAll(/H+/g, 'H');
  return formats.filter(
    (format, at) =>
      !formats
        .slice(0, at)
        .some((better) => better.fits >= format.fits && loose(better.format) === loose(format.format)),
  );
}
