import type { ColumnProfile } from '../column/column-profile.ts';
import { counted } from '../../output/text/text.ts';
import type { FileProfile } from '../inspection.ts';
import { valuesOf, type DraftSetting } from './draft.ts';
import { declared, flowYaml, shownName, type Questions } from './draft-text.ts';
import { amountColumns } from './number-draft.ts';

/** The lines for how the file writes values. Columns that feed nothing yet count, too. */
export function valueLines(
  { columns }: FileProfile,
  { mapped, numbers }: DraftSetting,
  questions: Questions,
): readonly string[] {
  const amounts = amountColumns(columns);
  const whole = columns.filter((column) => column.numbers?.count === valuesOf(column));
  const tokens = totals([...new Set([...mapped, ...amounts])], (column) => column.nullTokens);
  const signs = totals(amounts, ({ numbers: own }) => own!.signs);
  const negative = NEGATIVES.filter((sign) => signs.has(sign));
  const currencies = totals(whole, ({ numbers: own }) => own!.currencies);
  const [spaced] = columns.filter(({ spacesAround }) => spacesAround.count > 0);
  const marks = Object.entries(numbers).map(([key, mark]) => `${key}: '${mark === "'" ? "''" : mark}'`);
  return [
    ...declared(
      tokens.size > 0,
      `Cells with a word for nothing: ${countsText(tokens)}`,
      `null_tokens: ${flowYaml(['', ...tokens.keys()])}`,
    ),
    ...declared(
      spaced !== undefined,
      `Spaces are around values, first in ${shownName(spaced?.name ?? '')} on line ${spaced?.spacesAround.lines[0]}`,
      'trim: true',
    ),
    ...declared(
      marks.length > 0,
      `The numbers of ${counted(amounts.length, 'column')} are written like this`,
      ...marks,
    ),
    ...declared(
      negative.some((sign) => sign !== 'leading'),
      `Signs: ${countsText(signs)}`,
      `negative: ${flowYaml(negative)}`,
    ),
    // Said once, they hold for fields, conditions and totals.
    ...declared(
      currencies.size > 0,
      `Currencies of numbers: ${countsText(currencies)}`,
      `currency_signs: ${flowYaml([...currencies.keys()])}`,
    ),
    ...suffixLines(amounts, questions),
  ];
}

const NEGATIVES = ['leading', 'trailing', 'parentheses'];

/** Adds up counts of columns by name. */
function totals(
  columns: readonly ColumnProfile[],
  countsOf: (column: ColumnProfile) => readonly Readonly<{ name: string; count: number }>[],
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { name, count } of columns.flatMap(countsOf)) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}

const countsText = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([name, count]) => `${name} (${count})`).join(', ');

/** The question which suffix is negative. The answer depends on whose books these are. */
function suffixLines(amounts: readonly ColumnProfile[], questions: Questions): readonly string[] {
  const suffixes = totals(amounts, ({ numbers }) => numbers!.suffixes);
  if (suffixes.size === 0) return [];
  const names = [...suffixes.keys()];
  const isCredit = (suffix: string): boolean => /^[CH]/i.test(suffix);
  const answers = [names.filter(isCredit), names.filter((name) => !isCredit(name))];
  return questions.ask({
    text: `which suffix makes a number negative? Seen: ${countsText(suffixes)}. One that is in both lists does.`,
    key: 'negative_suffixes',
    answers: answers.filter((some) => some.length > 0).map((some) => ({ lines: [flowYaml(some)] })),
    besides: [`positive_suffixes: ${flowYaml(names)}`],
  });
}
