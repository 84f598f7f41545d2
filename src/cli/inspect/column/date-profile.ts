import { isCalendarDate } from '../../../core/values/calendar-date.ts';
import { DATE_FORMATS, fitsFormat, formatsFor, type DateFormat } from './date-formats.ts';
import type { DateFormatFit, DateProfile } from './profiled-column.ts';
import { OccurrenceCount, Tally } from './occurrences.ts';

/** Shapes of cells whose formats are remembered. */
const MAX_SHAPES = 1_000;

/** Looks at the values of one column that may be dates. */
export class DateCounter {
  private readonly fits = new Map<DateFormat, { count: number; exceptions: OccurrenceCount }>();
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
      formats = formatsFor(text).filter(({ name, parts }) => name === 'iso' || parts(shape) !== undefined);
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

/** The names of the months in many languages, in full and short, as files write them. */
const NAMES: readonly (readonly string[])[] = [
  'January February March April May June July August September October November December',
  'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  'Jan. Feb. März Apr. Mai Juni Juli Aug. Sep. Okt. Nov. Dez.',
  'Jan. Feb. Mär. Apr. Mai Jun. Jul. Aug. Sept. Okt. Nov. Dez.',
  'Jän. Feb. März Apr. Mai Juni Juli Aug. Sep. Okt. Nov. Dez.',
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  'janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.',
  'jan. fév. mars avr. mai juin juil. août sep. oct. nov. déc.',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'ene. feb. mar. abr. may. jun. jul. ago. sept. oct. nov. dic.',
  'ene. feb. mar. abr. may. jun. jul. ago. sep. oct. nov. dic.',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'gen. feb. mar. apr. mag. giu. lug. ago. set. ott. nov. dic.',
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  'jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'jan. feb. mrt. apr. mei jun. jul. aug. sep. okt. nov. dec.',
  'januari februari mars april maj juni juli augusti september oktober november december',
  'jan. feb. mars apr. maj juni juli aug. sep. okt. nov. dec.',
  'januar februar marts april maj juni juli august september oktober november december',
  'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
  'sty lut mar kwi maj cze lip sie wrz paź lis gru',
  'ledna února března dubna května června července srpna září října listopadu prosince',
  'január február március április május június július augusztus szeptember október november december',
  'jan. febr. márc. ápr. máj. jún. júl. aug. szept. okt. nov. dec.',
  'ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie',
  'Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık',
  'Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara',
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
]
  .map((line) => line.split(' '))
  .flatMap((names) => {
    const bare = names.map((name) => name.replace(/\.$/, ''));
    return bare.join() === names.join() ? [names] : [names, bare];
  });

const ENGLISH = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const NUMBER_OF_NAME = new Map(
  NAMES.flatMap((names) => names.map((name, at) => [name.toLowerCase(), at] as const)),
);

/** A name of a month in a text, and the text with the short English name in its place. */
type MonthInText = { readonly name: string; readonly english: string };

/** The names of months in a text that are not the short English ones. A word with a full stop gives two of them. */
function monthsIn(text: string): readonly MonthInText[] {
  return [...text.matchAll(/\p{L}{3,}\.?/gu)].flatMap(({ 0: word, index }) =>
    [...new Set([word, word.replace(/\.$/, '')])].flatMap((name) => {
      const at = NUMBER_OF_NAME.get(name.toLowerCase());
      if (at === undefined || name.toLowerCase() === ENGLISH[at]!.toLowerCase()) return [];
      return [{ name, english: text.slice(0, index) + ENGLISH[at]! + text.slice(index + name.length) }];
    }),
  );
}

/** The twelve names of the language that has all of these; undefined when no language has them all. */
function monthNamesWith(seen: Iterable<string>): readonly string[] | undefined {
  const wanted = [...seen].map((name) => name.toLowerCase());
  return NAMES.find((names) => {
    const known = new Set(names.map((name) => name.toLowerCase()));
    return wanted.every((name) => known.has(name));
  });
}
