import { Decimal } from '../../core/values/decimal.ts';
import { negated } from '../../core/values/decimal-shift.ts';

/** Places where the sign of a number may stand; a column may have several. */
export const NEGATIVE_SIGNS = ['leading', 'trailing', 'parentheses'] as const;
export type NegativeSign = (typeof NEGATIVE_SIGNS)[number];

/** Marks between groups of three digits; `space` stands for every kind of space that is used for it. */
export const THOUSANDS_MARKS = ['.', ',', "'", '’', 'space'] as const;

/** How a supplier writes numbers. */
export interface NumberFormat {
  readonly decimalMark: string;
  readonly thousandsMark: (typeof THOUSANDS_MARKS)[number] | null;
  readonly negative: readonly NegativeSign[];
  /** Texts after a number that leave it as it is, case-sensitive. */
  readonly positiveSuffixes: readonly string[];
  /** Texts after a number that make it negative, case-sensitive. */
  readonly negativeSuffixes: readonly string[];
}

/** The number that a text stands for; undefined when it is not written in the format. */
export type NumberReader = (text: string) => Decimal | undefined;

/**
 * Reads one format and nothing else: ASCII digits, groups of three where groups are marked, one sign at most, no other
 * space. A plus, U+2212, exponents and bare points are in no format.
 */
export function numberReader(format: NumberFormat): NumberReader {
  const pattern = patternOf(format);
  return (text) => {
    const match = pattern.exec(text);
    if (!match) return undefined;
    const { whole, fraction, leading, trailing, open, close, suffix } = match.groups!;
    if ((open === undefined) !== (close === undefined)) return undefined;
    const isNegativeSuffix = suffix !== undefined && format.negativeSuffixes.includes(suffix);
    const signs = [leading, trailing, open, suffix].filter((sign) => sign !== undefined).length;
    if (signs > 1) return undefined;
    const digits = whole!.replaceAll(/\D/g, '');
    const amount = Decimal.parse(fraction === undefined ? digits : `${digits}.${fraction}`);
    return amount && (isNegativeSuffix || (signs === 1 && suffix === undefined)) ? negated(amount) : amount;
  };
}

/** A number as the format writes it, for messages: `1.234,56-`. */
export function exampleOf({ decimalMark, thousandsMark, negative, negativeSuffixes }: NumberFormat): string {
  const mark = thousandsMark === 'space' ? ' ' : (thousandsMark ?? '');
  const number = `1${mark}234${decimalMark}56`;
  if (negativeSuffixes.length > 0) return `${number} ${negativeSuffixes[0]}`;
  const [sign = 'none'] = negative;
  const written = { leading: `-${number}`, trailing: `${number}-`, parentheses: `(${number})`, none: number };
  return written[sign];
}

/** Space, no-break space, thin space, figure space, narrow no-break space. */
const SPACES = '[ \\u00A0\\u2009\\u2007\\u202F]';

function patternOf(format: NumberFormat): RegExp {
  const { thousandsMark, negative } = format;
  const mark = thousandsMark === 'space' ? SPACES : escaped(thousandsMark ?? '');
  // The same mark between all groups.
  const whole =
    thousandsMark === null ? '\\d+' : `\\d+|\\d{1,3}(?:(?<mark>${mark})\\d{3}(?:\\k<mark>\\d{3})*)`;
  // The longest first, so that `CR` is not taken for `C`.
  const suffixes = [...format.positiveSuffixes, ...format.negativeSuffixes]
    .toSorted((a, b) => b.length - a.length)
    .map(escaped);
  const parts = [
    negative.includes('leading') ? '(?<leading>-)?' : '(?<leading>(?!))?',
    negative.includes('parentheses') ? '(?<open>\\()?' : '(?<open>(?!))?',
    `(?<whole>${whole})(?:${escaped(format.decimalMark)}(?<fraction>\\d+))?`,
    negative.includes('parentheses') ? '(?<close>\\))?' : '(?<close>(?!))?',
    negative.includes('trailing') ? '(?<trailing>-)?' : '(?<trailing>(?!))?',
    suffixes.length > 0 ? `(?:${SPACES}?(?<suffix>${suffixes.join('|')}))?` : '(?<suffix>(?!))?',
  ];
  return new RegExp(`^${parts.join('')}$`, 'u');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
