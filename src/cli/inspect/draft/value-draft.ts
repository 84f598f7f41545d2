import type { ColumnProfile } from '../column/column-profile.ts';
import { counted } from '../column/occurrences.ts';
import type { FileProfile } from '../inspection.ts';
import { valuesOf, type NumberKeys } from './draft.ts';
import { comment, flowYaml, shownName, type Questions } from './draft-text.ts';
import { amountColumns } from './number-draft.ts';

/** Facts for the lines of `source`, beside the profile of the file. */
export interface SourceSetting {
  /** Name of the file. */
  readonly file: string;
  /** The columns that fields come from. */
  readonly mapped: readonly ColumnProfile[];
  readonly numbers: NumberKeys;
}

/** The lines for how the file writes values. Columns that feed nothing yet count, too. */
export function valueLines(
  { columns }: FileProfile,
  { mapped, numbers }: SourceSetting,
  questions: Questions,
): readonly string[] {
  const amounts = amountColumns(columns);
  const whole = columns.filter((column) => column.numbers?.count === valuesOf(column));
  const tokens = totals([...new Set([...mapped, ...amounts])], ({ nullTokens }) =>
    nullTokens.map(({ name, count }) => [name, count]),
  );
  const signs = totals(amounts, ({ numbers: own }) =>
    own!.signs.flatMap(({ sign, count }) => (NEGATIVES.includes(sign) ? [[sign, count]] : [])),
  );
  const currencies = totals(whole, ({ numbers: own }) =>
    own!.currencies.map(({ name, count }) => [name, count]),
  );
  const spaced = columns.filter(({ spacesAround }) => spacesAround.count > 0);
  const marks = Object.entries(numbers).map(([key, mark]) => `${key}: '${mark === "'" ? "''" : mark}'`);
  return [
    ...declared(`Cells with a word for nothing: ${countsText(tokens)}`, tokens.size > 0, [
      `null_tokens: ${flowYaml(['', ...tokens.keys()])}`,
    ]),
    ...declared(
      `Spaces around values in ${spaced.length} of ${columns.length} columns, first in ${shownName(spaced[0]?.name ?? null)} on line ${spaced[0]?.spacesAround.lines[0]}`,
      spaced.length > 0,
      ['trim: true'],
    ),
    ...declared(
      `The numbers of ${counted(amounts.length, 'column')} are written like this`,
      marks.length > 0,
      marks,
    ),
    ...declared(
      `Signs: ${countsText(signs)}`,
      [...signs.keys()].some((sign) => sign !== 'leading'),
      [`negative: ${flowYaml(NEGATIVES.filter((sign) => signs.has(sign)))}`],
    ),
    // Said once, they hold for fields, conditions and totals.
    ...declared(`Currencies of numbers: ${countsText(currencies)}`, currencies.size > 0, [
      `currency_signs: ${flowYaml([...currencies.keys()])}`,
    ]),
    ...suffixLines(amounts, questions),
  ];
}

const NEGATIVES = ['leading', 'trailing', 'parentheses'];

/** Lines with their reason; none where they are not needed. */
const declared = (because: string, isNeeded: boolean, lines: readonly string[]): readonly string[] =>
  isNeeded ? [...comment(`${because}.`), ...lines] : [];

/** Adds up counts of columns by name. */
function totals(
  columns: readonly ColumnProfile[],
  countsOf: (column: ColumnProfile) => readonly (readonly [string, number])[],
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of columns.flatMap(countsOf)) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}

const countsText = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([name, count]) => `${name} (${count})`).join(', ');

/** The question which suffix is negative. The answer depends on whose books these are. */
function suffixLines(amounts: readonly ColumnProfile[], questions: Questions): readonly string[] {
  const suffixes = totals(amounts, ({ numbers }) =>
    numbers!.suffixes.map(({ name, count }) => [name, count]),
  );
  if (suffixes.size === 0) return [];
  const names = [...suffixes.keys()];
  const isCredit = (suffix: string): boolean => /^[CH]/i.test(suffix);
  const answers = [names.filter(isCredit), names.filter((name) => !isCredit(name))];
  return questions.ask({
    text: `which suffix makes a number negative? Seen: ${countsText(suffixes)}. One that is in both lists does.`,
    key: 'negative_suffixes',
    answers: answers.filter((some) => some.length > 0).map((some) => [flowYaml(some)]),
    besides: [`positive_suffixes: ${flowYaml(names)}`],
  });
}
