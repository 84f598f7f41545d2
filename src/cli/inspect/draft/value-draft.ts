import type { FileProfile } from '../inspection.ts';
import type { ColumnProfile, Sign } from '../column/profiled-column.ts';
import { counted } from '../column/occurrences.ts';
import { dateDraft } from './date-draft.ts';
import { valuesOf, type NumberKeys } from './draft.ts';
import { comment, flowYaml, proposal, shownName, type Questions } from './draft-text.ts';
import { amountColumns } from './number-draft.ts';

/** Facts for the lines of `source`, beside the profile of the file. */
export interface SourceSetting {
  /** Name of the file. */
  readonly file: string;
  /** The columns that fields come from. */
  readonly mapped: readonly ColumnProfile[];
  readonly numbers: NumberKeys;
  /** Whether the file ends in 0x1A. */
  readonly hasEndMark: boolean;
}

/** The lines for how the file writes values. Columns that feed nothing yet count, too. */
export function valueLines(
  content: FileProfile,
  { mapped, numbers }: SourceSetting,
  questions: Questions,
): readonly string[] {
  const telling = [...new Set([...mapped, ...amountColumns(content.columns)])];
  return [
    ...textLines(content, telling),
    ...numberLines(content.columns, numbers, questions),
    ...dateLines(content.columns, mapped),
  ];
}

/** The format that all dates share, when some of them are in columns that no field takes yet. */
function dateLines(columns: readonly ColumnProfile[], mapped: readonly ColumnProfile[]): readonly string[] {
  const dated = columns.flatMap((column) => {
    const draft = dateDraft(column, 'date');
    const { format = 'yyyy-MM-dd', replace, century, months } = draft.kind === 'decided' ? draft.value : {};
    const isPlain = draft.kind === 'decided' && !replace && !months && century === undefined;
    return isPlain && !column.dates?.formats.some(({ kind }) => kind === 'datetime')
      ? [{ column, format }]
      : [];
  });
  const formats = [...new Set(dated.map(({ format }) => format))];
  const isNews = dated.some(({ column }) => !mapped.includes(column));
  if (formats.length !== 1 || formats[0] === 'yyyy-MM-dd' || !isNews) return [];
  return [
    ...comment(`The dates of ${counted(dated.length, 'column')} are written like this.`),
    `date_format: ${flowYaml(formats[0])}`,
  ];
}

function textLines({ columns }: FileProfile, mapped: readonly ColumnProfile[]): readonly string[] {
  const counts = totals(
    mapped.flatMap(({ nullTokens }) => nullTokens.map(({ token, count }) => [token, count])),
  );
  const spaced = columns.filter(({ spacesAround }) => spacesAround.count > 0);
  const [first] = spaced;
  return [
    ...(counts.size === 0
      ? []
      : [
          ...comment(
            `Cells with a word for nothing: ${[...counts].map(([token, count]) => `${token} (${count})`).join(', ')}.`,
          ),
          `null_tokens: ${flowYaml(['', ...counts.keys()])}`,
        ]),
    ...(first === undefined
      ? []
      : [
          ...comment(
            `Spaces around values in ${spaced.length} of ${columns.length} columns, first in ${shownName(first.name)} on line ${first.spacesAround.lines[0]}.`,
          ),
          'trim: true',
        ]),
  ];
}

/** Adds up counts by name. */
function totals(counts: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}

const NEGATIVES = ['leading', 'trailing', 'parentheses'] as const;

function numberLines(
  columns: readonly ColumnProfile[],
  numbers: NumberKeys,
  questions: Questions,
): readonly string[] {
  const amounts = amountColumns(columns);
  const count = (sign: Sign): number =>
    amounts.reduce(
      (total, column) => total + (column.numbers?.signs.find((seen) => seen.sign === sign)?.count ?? 0),
      0,
    );
  const signs = NEGATIVES.filter((sign) => count(sign) > 0);
  const suffixes = totals(
    amounts.flatMap(({ numbers: own }) => (own?.suffixes ?? []).map((each) => [each.suffix, each.count])),
  );
  const marks = Object.entries(numbers).map(([key, mark]) => `${key}: '${mark === "'" ? "''" : mark}'`);
  return [
    ...(marks.length === 0
      ? []
      : [...comment(`The numbers of ${counted(amounts.length, 'column')} are written like this.`), ...marks]),
    ...(signs.length === 0 || signs.join() === 'leading'
      ? []
      : [
          ...comment(`Signs: ${signs.map((sign) => `${count(sign)} ${sign}`).join(', ')}.`),
          `negative: ${flowYaml(signs)}`,
        ]),
    ...currencyLines(columns),
    ...suffixLines(suffixes, questions),
  ];
}

/** The currencies that numbers have. Said once, they hold for fields, conditions, expectations and totals. */
function currencyLines(columns: readonly ColumnProfile[]): readonly string[] {
  const signs = totals(
    columns
      .filter((column) => column.numbers?.count === valuesOf(column))
      .flatMap(({ numbers }) => (numbers?.currencies ?? []).map((each) => [each.currency, each.count])),
  );
  if (signs.size === 0) return [];
  const seen = [...signs].map(([sign, count]) => `${sign} (${count})`).join(', ');
  return [...comment(`Currencies of numbers: ${seen}.`), `currency_signs: ${flowYaml([...signs.keys()])}`];
}

/** The question which suffix is negative. The answer depends on whose books these are. */
function suffixLines(suffixes: ReadonlyMap<string, number>, questions: Questions): readonly string[] {
  if (suffixes.size === 0) return [];
  const seen = [...suffixes].map(([suffix, count]) => `${suffix} (${count})`).join(', ');
  const names = [...suffixes.keys()];
  const isCredit = (suffix: string): boolean => /^[CH]/i.test(suffix);
  const [credits, debits] = [names.filter(isCredit), names.filter((name) => !isCredit(name))];
  const answer = (positive: readonly string[], negative: readonly string[]): readonly string[] => [
    `positive_suffixes: ${flowYaml(positive)}`,
    `negative_suffixes: ${flowYaml(negative)}`,
  ];
  return [
    ...questions.askWhole(`which suffix makes a number negative? Seen: ${seen}.`, answer(debits, credits)),
    ...comment('or the other way round:'),
    ...proposal(answer(credits, debits)),
  ];
}
