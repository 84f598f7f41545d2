import type { NumberMarks, Sign } from './profiled-column.ts';

/** Every pair of marks that is tried. Pairs without a mark for thousands come first, because they claim least. */
export const NUMBER_MARKS: readonly NumberMarks[] = [
  { decimalMark: '.', thousandsMark: null },
  { decimalMark: ',', thousandsMark: null },
  { decimalMark: '.', thousandsMark: ',' },
  { decimalMark: ',', thousandsMark: '.' },
  { decimalMark: '.', thousandsMark: 'space' },
  { decimalMark: ',', thousandsMark: 'space' },
  { decimalMark: '.', thousandsMark: "'" },
  { decimalMark: ',', thousandsMark: "'" },
  { decimalMark: '.', thousandsMark: '’' },
  { decimalMark: ',', thousandsMark: '’' },
  { decimalMark: '.', thousandsMark: 'indian' },
];

/** A text that reads as a number in at least one way. */
export interface NumberShape {
  /** Digits and marks, without sign, suffix and currency. */
  readonly core: string;
  /** No marks at all. */
  readonly isInteger: boolean;
  /** Whether each of NUMBER_MARKS reads it. */
  readonly fits: readonly boolean[];
  readonly sign: Sign;
  /** `CR`, `DR`, `H`, `S` and the like, as it was written. */
  readonly suffix: string | null;
  /** As it was written. */
  readonly currency: string | null;
}

const GROUP_CLASSES: Readonly<Record<string, string>> = {
  '.': '\\.',
  ',': ',',
  space: '[ \\u00A0\\u2009\\u202F]',
  "'": "'",
  '’': '’',
};

const CORES = NUMBER_MARKS.map(({ decimalMark, thousandsMark }) => {
  const whole =
    thousandsMark === null
      ? ''
      : thousandsMark === 'indian'
        ? String.raw`|\d{1,2}(?:,\d{2})*,\d{3}`
        : String.raw`|\d{1,3}(?:${GROUP_CLASSES[thousandsMark]}\d{3})+`;
  return new RegExp(`^(?:\\d+${whole})(?:\\${decimalMark}\\d+)?$`);
});
const ALL_FIT = NUMBER_MARKS.map(() => true);

const CURRENCY =
  String.raw`R\$|[€$£¥￥₹₺₽₴₩]|zł|Kč|Ft|kr\.?|лв\.?|руб\.?|р\.|円|TL|lei|Fr\.|` +
  'EUR|GBP|AUD|NZD|USD|CAD|CHF|JPY|PLN|CZK|HUF|RON|BGN|SEK|NOK|DKK|ISK|TRY|RUB|UAH|BRL|MXN|INR|ZAR|SGD|HKD|CNY|KRW';
const DRESSED = new RegExp(
  `^(?<open>\\()?(?<before>${CURRENCY})?\\s?(?<lead>[-+\\u2212])?\\s?(?<inner>${CURRENCY})?\\s?` +
    `(?<core>\\d(?:[\\d.,'’ \\u00A0\\u2009\\u202F]*\\d)?)` +
    `\\s?(?<trail>-)?\\s?(?<after>${CURRENCY})?\\s?(?<suffix>CR|DR|Cr|Dr|cr|dr|[CDHS])?(?<close>\\))?$`,
);

/** The number in a text without spaces at its ends; undefined when the text is no number. */
export function numberShape(text: string): NumberShape | undefined {
  if (text.length > 40) return undefined;
  if (/^\d+$/.test(text)) {
    return { core: text, isInteger: true, fits: ALL_FIT, sign: 'none', suffix: null, currency: null };
  }
  const parts = DRESSED.exec(text)?.groups;
  if (!parts || (parts['open'] === undefined) !== (parts['close'] === undefined)) return undefined;
  const core = parts['core']!;
  const sign = signOf(parts);
  if (sign === undefined) return undefined;
  const fits = CORES.map((pattern) => pattern.test(core));
  if (!fits.includes(true)) return undefined;
  const currency = parts['before'] ?? parts['inner'] ?? parts['after'] ?? null;
  return { core, isInteger: /^\d+$/.test(core), fits, sign, suffix: parts['suffix'] ?? null, currency };
}

/** A number as a plain decimal, read with these marks. */
export function plainNumber({ core, sign }: NumberShape, { decimalMark }: NumberMarks): string {
  const [whole, fraction] = decimalMark === '.' ? core.split('.') : core.split(',');
  const digits = whole!.replaceAll(/\D/g, '') + (fraction === undefined ? '' : `.${fraction}`);
  return sign === 'none' || sign === 'plus' || sign === 'suffix' ? digits : `-${digits}`;
}

/** The one sign of a number; undefined when it has two, which nobody writes. */
function signOf(parts: Readonly<Record<string, string | undefined>>): Sign | undefined {
  const leads: Readonly<Record<string, Sign>> = { '-': 'leading', '+': 'plus', '\u2212': 'minus_sign' };
  const found: Sign[] = [];
  if (parts['open'] !== undefined) found.push('parentheses');
  if (parts['lead'] !== undefined) found.push(leads[parts['lead']]!);
  if (parts['trail'] !== undefined) found.push('trailing');
  if (parts['suffix'] !== undefined) found.push('suffix');
  return found.length > 1 ? undefined : (found[0] ?? 'none');
}
