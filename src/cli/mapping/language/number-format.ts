import { failure, warning } from '../../../core/problem.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import { hiddenCharacters } from '../../../core/values/hidden-characters.ts';
import { literalPattern } from '../../../core/values/literal-pattern.ts';
import { negated, shifted } from '../../../core/values/decimal-shift.ts';
import { StepProblem } from './step-problem.ts';
import type { StepSpec } from './steps.ts';

/** How a supplier writes numbers, by the keys of a mapping file. */
export type NumberFormat = Pick<
  StepSpec,
  | 'decimal_mark'
  | 'thousands_mark'
  | 'currency_signs'
  | 'negative'
  | 'positive_suffixes'
  | 'negative_suffixes'
  | 'exponent'
>;

/** The number that a text means; undefined when the text is not written in the format. */
export type NumberReader = (text: string) => Decimal | undefined;

/**
 * Reads one format and nothing else: ASCII digits, groups of three where groups are marked, one sign at most, one currency where
 * currencies are named. A minus may be U+2212 or a dash, with a space between it and the number, as people write it. A plus and
 * bare points are in no format, nor is any other space.
 */
export function numberReader(format: NumberFormat): NumberReader {
  const pattern = patternOf(format);
  const withoutCurrency = currencyRemover(format);
  return (text) => {
    const plain = plainNumber(text, format.decimal_mark);
    if (plain) return plain;
    const match = pattern.exec(withoutCurrency(text));
    if (!match) return undefined;
    const { whole, mark, fraction, exponent, leading, trailing, open, close, suffix } = match.groups!;
    if ((open === undefined) !== (close === undefined)) return undefined;
    const isNegativeSuffix = suffix !== undefined && format.negative_suffixes.includes(suffix);
    const signs = [leading, trailing, open, suffix].filter((sign) => sign !== undefined).length;
    if (signs > 1) return undefined;
    const digits = mark === undefined ? whole! : whole!.replaceAll(mark, '');
    const written = Decimal.parse(fraction === undefined ? digits : `${digits}.${fraction}`);
    const amount = written && shifted(written, Number.parseInt(exponent ?? '0', 10));
    return amount && (isNegativeSuffix || (signs === 1 && suffix === undefined)) ? negated(amount) : amount;
  };
}

/** A number of digits and a decimal mark alone, as every format has it. */
function plainNumber(text: string, mark: string): Decimal | undefined {
  const point = text.indexOf(mark);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code < ZERO || code > NINE) && at !== point) return undefined;
  }
  return Decimal.parse(point < 0 ? text : `${text.slice(0, point)}.${text.slice(point + 1)}`);
}

const [ZERO, NINE] = [0x30, 0x39];

/** The step from text to an exact decimal. Warns where a file without a mapping would be warned of, too. */
export function numberStep(spec: StepSpec, isFixedWidth: boolean): (text: string) => Decimal | StepProblem {
  const read = numberReader(spec);
  const example = exampleOf(spec);
  // Numbers of a fixed width, and amounts without a point, are filled up with zeros. These are no sign of a mistake.
  const mayHaveZeros = isFixedWidth || spec.unit === 'minor';
  return (text) => {
    const amount = read(text);
    if (!amount) {
      const form = hiddenCharacters(text);
      const why = HAS_EXPONENT.test(text) ? BY_EXPONENT : form !== '' && { form };
      return new StepProblem(failure('number_unreadable', [], { example, ...why }));
    }
    if (amount.isZero && NEGATIVE.test(text)) return new StepProblem(warning('negative_zero', []), amount);
    if (!mayHaveZeros && LEADING_ZERO.test(text))
      return new StepProblem(warning('leading_zeros', []), amount);
    return amount;
  };
}

/** A number as the format writes it, for messages: `1.234,56-`. */
export function exampleOf(format: NumberFormat): string {
  const { decimal_mark, thousands_mark = '', negative, negative_suffixes } = format;
  const mark = thousands_mark === 'space' ? ' ' : thousands_mark;
  const groups = mark === 'indian' ? '1,23,456' : `1${mark}234`;
  const number = `${groups}${decimal_mark}56`;
  if (negative_suffixes.length > 0) return `${number} ${negative_suffixes[0]}`;
  const [sign = 'none'] = negative;
  const written = { leading: `-${number}`, trailing: `${number}-`, parentheses: `(${number})`, none: number };
  return written[sign];
}

/** Lakhs and crores: the last three digits, and pairs before them. */
const INDIAN_GROUPS = String.raw`\d{1,2}(?:,\d{2})*(?<mark>,)\d{3}`;

/** Space, no-break space, thin space, figure space, narrow no-break space. */
const SPACES = '[ \\u00A0\\u2009\\u2007\\u202F]';

/** The hyphen, the minus sign and the en dash, for a class of characters. */
const MINUS = String.raw`\-\u2212\u2013`;

const NEGATIVE = new RegExp(`[${MINUS}(]`, 'u');
const LEADING_ZERO = new RegExp(`^(?:\\(|[${MINUS}]${SPACES}?)?0\\d`, 'u');

/** Two digits behind `E+` are how a spreadsheet shortens a number, whose other digits are lost. */
const EXPONENT = String.raw`(?:(?!E\+\d\d)[eE](?<exponent>[+-]?\d{1,2}))?`;
const HAS_EXPONENT = new RegExp(String.raw`^[+-]?\d+(?:[.,]\d+)?(?=[eE])${EXPONENT}$`, 'u');
const BY_EXPONENT = { form: ': it has an exponent, as Java and JSON write numbers', key: '`exponent: true`' };

/** Removes one currency: before the number or its sign, between the two, or behind them. */
function currencyRemover({ currency_signs }: NumberFormat): (text: string) => string {
  if (currency_signs.length === 0) return (text) => text;
  // The longest first, so that the stroke of `Fr.-` is not taken for a sign.
  const signs = currency_signs
    .toSorted((a, b) => b.length - a.length)
    .map(literalPattern)
    .join('|');
  const before = new RegExp(`^(?<sign>[${MINUS}(]?)${SPACES}?(?:${signs})${SPACES}?(?=[${MINUS}(\\d])`, 'u');
  const behind = new RegExp(`(?<=[${MINUS})\\d])${SPACES}?(?:${signs})${SPACES}?(?<sign>[${MINUS})]?)$`, 'u');
  return (text) => (before.test(text) ? text.replace(before, '$<sign>') : text.replace(behind, '$<sign>'));
}

function patternOf(format: NumberFormat): RegExp {
  const { thousands_mark, negative } = format;
  const mark = thousands_mark === 'space' ? SPACES : literalPattern(thousands_mark ?? '');
  // The same mark between all groups.
  const grouped =
    thousands_mark === 'indian' ? INDIAN_GROUPS : `\\d{1,3}(?:(?<mark>${mark})\\d{3}(?:\\k<mark>\\d{3})*)`;
  const whole = thousands_mark === undefined ? '\\d+' : `\\d+|${grouped}`;
  const suffixes = [...format.positive_suffixes, ...format.negative_suffixes].map(literalPattern);
  const parts = [
    negative.includes('leading') ? `(?:(?<leading>[${MINUS}])${SPACES}?)?` : '',
    negative.includes('parentheses') ? '(?<open>\\()?' : '',
    `(?<whole>${whole})(?:${literalPattern(format.decimal_mark)}(?<fraction>\\d+))?`,
    format.exponent ? EXPONENT : '',
    negative.includes('parentheses') ? '(?<close>\\))?' : '',
    negative.includes('trailing') ? `(?:${SPACES}?(?<trailing>[${MINUS}]))?` : '',
    suffixes.length > 0 ? `(?:${SPACES}?(?<suffix>${suffixes.join('|')}))?` : '',
  ];
  return new RegExp(`^${parts.join('')}$`, 'u');
}
