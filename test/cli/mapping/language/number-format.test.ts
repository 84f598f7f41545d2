import { describe, expect, test } from 'vitest';
import {
  exampleOf,
  numberReader,
  numberStep,
  type NumberFormat,
} from '../../../../src/cli/mapping/language/number-format.ts';
import { STEP_DEFAULTS, StepProblem } from '../../../../src/cli/mapping/language/step-problem.ts';

const PLAIN: NumberFormat = {
  decimal_mark: '.',
  currency_signs: [],
  negative: ['leading'],
  positive_suffixes: [],
  negative_suffixes: [],
};
const GERMAN: NumberFormat = { ...PLAIN, decimal_mark: ',', thousands_mark: '.', negative: ['trailing'] };
const SUFFIXES: NumberFormat = {
  ...PLAIN,
  negative: [],
  positive_suffixes: ['DR'],
  negative_suffixes: ['CR', 'C'],
};

const FORMATS = {
  plain: PLAIN,
  german: GERMAN,
  english: { ...PLAIN, thousands_mark: ',', negative: ['leading', 'parentheses'] },
  swiss: { ...PLAIN, thousands_mark: '’' },
  french: { ...PLAIN, decimal_mark: ',', thousands_mark: 'space' },
  indian: { ...PLAIN, thousands_mark: 'indian', positive_suffixes: ['Dr'], negative_suffixes: ['Cr'] },
  suffixes: SUFFIXES,
  unsigned: { ...PLAIN, negative: [] },
  dollars: {
    ...PLAIN,
    thousands_mark: ',',
    negative: ['leading', 'parentheses'],
    currency_signs: ['$', 'R$'],
  },
  euros: { ...GERMAN, currency_signs: ['€'] },
  crowns: { ...PLAIN, currency_signs: [',-', 'kr'] },
  dashes: { ...PLAIN, decimal_mark: '-', negative_suffixes: ['-CR'] },
  francs: { ...PLAIN, negative: ['trailing'], currency_signs: ['Fr.', 'Fr.-'] },
} as const satisfies Record<string, NumberFormat>;

const read = (format: keyof typeof FORMATS, text: string): string | undefined =>
  numberReader(FORMATS[format])(text)?.text;

describe('a number in its format', () => {
  test.each([
    ['plain', '1234.50', '1234.50'],
    ['plain', ' 5', undefined],
    ['plain', '5 ', undefined],
    ['plain', '-0.10', '-0.10'],
    ['plain', '-0', '0'],
    ['plain', '\u22125.10', '-5.10'],
    ['plain', '\u20135', '-5'],
    ['plain', '- 5.10', '-5.10'],
    ['plain', '\u2212\u00A05', '-5'],
    ['german', '1.234,56-', '-1234.56'],
    ['german', '1.234,56 -', '-1234.56'],
    ['german', '1.234,56\u2212', '-1234.56'],
    ['euros', '1.234,56 \u2212 €', '-1234.56'],
    ['dollars', '\u2212$1,234.56', '-1234.56'],
    ['indian', '1,95,552.20 Dr', '195552.20'],
    ['indian', '12,34,56,789.00 Cr', '-123456789.00'],
    ['indian', '-50,617.58', '-50617.58'],
    ['indian', '195552.20', '195552.20'],
    ['indian', '195,552.20', undefined],
    ['indian', '1,95,52.20', undefined],
    ['indian', '1,955,520.00', undefined],
    ['english', '1,95,552.20', undefined],
    ['dollars', '$1,234.56', '1234.56'],
    // A stroke in a sign, a mark or a suffix is that stroke.
    ['crowns', '1000,-', '1000'],
    ['crowns', '-1000 kr', '-1000'],
    ['dashes', '5-20', '5.20'],
    ['dashes', '5 -CR', '-5'],
    ['francs', '5 Fr.-', '5'],
    ['francs', '5 Fr.', '5'],
    ['dollars', '-$1,234.56', '-1234.56'],
    ['dollars', '$-1,234.56', '-1234.56'],
    ['dollars', '($12.00)', '-12.00'],
    ['dollars', 'R$ 12.00', '12.00'],
    ['dollars', '12.00', '12.00'],
    ['dollars', '12$34', undefined],
    ['dollars', '$$12', undefined],
    ['dollars', '€12', undefined],
    ['euros', '1.234,56 €', '1234.56'],
    ['euros', '1.234,56 €-', '-1234.56'],
    ['euros', '1.234,56- €', '-1234.56'],
    ['euros', '€', undefined],
    ['german', '1234,56', '1234.56'],
    ['german', '1.234.567', '1234567'],
    ['english', '(1,234.56)', '-1234.56'],
    ['english', '-1,234.56', '-1234.56'],
    ['swiss', '1’234.50', '1234.50'],
    ['french', '5 000,00', '5000.00'],
    ['french', '5\u00A0000,00', '5000.00'],
    ['french', '5\u202F000\u202F000', '5000000'],
    ['suffixes', '5DR', '5'],
    ['suffixes', '5.20 CR', '-5.20'],
    ['suffixes', '5\u00A0C', '-5'],
    ['suffixes', '5', '5'],
  ] as const)('%s: %j is %s', (format, text, expected) => {
    expect(read(format, text)).toBe(expected);
  });
});

describe('a text that is no number of the format', () => {
  test.each([
    ['plain', '1.234,56', '[C083]'],
    ['plain', '1,234.56', '[C084]'],
    ['plain', '(12.00)', '[C085]'],
    ['plain', '1e5', '[C086]'],
    ['plain', '12.', '[C092]'],
    ['plain', '.5', '[C092]'],
    ['plain', '+5', '[C093]'],
    ['plain', '£5', '[C094]'],
    ['plain', '5-', '[C095]'],
    ['plain', '5CR', '[C095]'],
    ['plain', '-  5', '[C101]'],
    ['unsigned', '\u22125', '[C096]'],
    ['plain', '５', '[C096]'],
    ['plain', '٥', '[C096]'],
    ['plain', '5 000.00', '[C097]'],
    ['plain', 'NaN', '[C099]'],
    ['plain', '0x10', '[C100]'],
    ['plain', ' 5 ', '[C101]'],
    ['plain', '--5', 'two signs'],
    ['german', '-5,00', 'a sign that is not declared'],
    ['german', '-5,00-', 'two signs'],
    ['german', '12.34', 'no group of three'],
    ['german', '1.2345', 'a group of four'],
    ['german', '1234.567', 'a first group of four'],
    ['german', '1.234.56', 'a group of two'],
    ['german', '1,234.56', 'the other way round'],
    ['german', '5,00  -', 'a space before the sign'],
    ['english', '(5', 'half a pair'],
    ['english', '5)', 'half a pair'],
    ['english', '(-5)', 'two signs'],
    ['french', '5 000\u00A0000', 'two kinds of spaces'],
    ['suffixes', '5 cr', 'another case'],
    ['suffixes', '-5 CR', 'two signs'],
    ['suffixes', '5  CR', 'two spaces'],
    ['suffixes', '5 CRX', 'another suffix'],
    ['unsigned', '-5', 'no sign is declared'],
    ['unsigned', '', 'nothing'],
    ['plain', '1'.repeat(65), 'too long'],
  ] as const)('%s: %j (%s)', (format, text, _why) => {
    expect(read(format, text)).toBeUndefined();
  });
});

test.each(Object.keys(FORMATS) as (keyof typeof FORMATS)[])(
  'the example of the format %s is a number of it',
  (name) => {
    expect(read(name, exampleOf(FORMATS[name]))).toMatch(/^-?(1234|123456)\.56$/);
  },
);

test.each([
  ['-5', '-5'],
  ['5-', '-5'],
  ['(5)', '-5'],
  ['-5-', undefined],
  ['(5)-', undefined],
  ['-(5)', undefined],
  ['-5 CR', undefined],
])(
  'with every way to mark a negative number %s is %s, because a number has one sign at most',
  (text, expected) => {
    const every: NumberFormat = {
      ...PLAIN,
      negative: ['leading', 'trailing', 'parentheses'],
      negative_suffixes: ['CR'],
    };
    expect(numberReader(every)(text)?.text).toBe(expected);
  },
);

describe('the step from a cell to a number', () => {
  const step = (text: string, spec: object = {}, isFixedWidth = false) => {
    const result = numberStep({ ...STEP_DEFAULTS, format: [], ...spec }, isFixedWidth)(text);
    if (!(result instanceof StepProblem)) return result.text;
    const { code, severity, path, facts } = result.problem;
    expect(path).toEqual([]);
    return [severity, code, facts, (result.value as { text: string } | undefined)?.text];
  };

  test.each([
    ['5.00', {}, false, '5.00'],
    ['x', {}, false, ['error', 'number_unreadable', { example: '-1234.56' }, undefined]],
    ['0.00', {}, false, '0.00'],
    ['-5', {}, false, '-5'],
    ['007', {}, false, ['warning', 'leading_zeros', {}, '7']],
    ['-07.5', {}, false, ['warning', 'leading_zeros', {}, '-7.5']],
    ['(07)', { negative: ['parentheses'] }, false, ['warning', 'leading_zeros', {}, '-7']],
    ['700', {}, false, '700'],
    ['0.7', {}, false, '0.7'],
    // They are filled up with zeros.
    ['007', {}, true, '7'],
    ['007', { unit: 'minor' }, false, '7'],
    ['007', { unit: 'major' }, false, ['warning', 'leading_zeros', {}, '7']],
  ])('%j with %j, in fixed columns %s', (text, spec, isFixedWidth, expected) => {
    expect(step(text, spec, isFixedWidth)).toEqual(expected);
  });
});
