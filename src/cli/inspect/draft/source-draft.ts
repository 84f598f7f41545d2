import type { FileProfile } from '../inspect-file.ts';
import { conversionOf } from '../bytes/encoding-finding.ts';
import { type DraftSetting, valuesOf } from './draft.ts';
import { comment, declared, flowYaml, proposal, shownName, type Questions } from './draft-text.ts';
import { counted } from '../../output/text/text.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import { amountColumns } from './number-draft.ts';

/** The lines of `source`, without their key. */
export function sourceLines(
  content: FileProfile,
  setting: DraftSetting,
  questions: Questions,
): readonly string[] {
  if (content.layout.isJsonLines) {
    const lines = [...comment('Each line is one object of JSON.'), 'type: jsonl'];
    return [...lines, ...valueLines(content, setting, questions)].map((line) => `  ${line}`);
  }
  return [
    ...encodingLines(content, setting, questions),
    ...delimiterLines(content, questions),
    ...plainLines(content),
    ...headerLines(content, questions),
    ...totalLines(content, questions),
    ...valueLines(content, setting, questions),
    ...trailerLines(content, questions),
  ].map((line) => `  ${line}`);
}

/** The question about the encoding. Where it decides the names of columns, an answer other than the first needs another draft. */
function encodingLines(
  { encoding, columns }: FileProfile,
  { file, again }: DraftSetting,
  questions: Questions,
): readonly string[] {
  const { name, certainty, because, candidates } = encoding;
  if (certainty === 'open') {
    const isNamed = columns.some((column) => /[^\0-\x7F]/.test(column.name));
    const lines = candidates.map((each) => `${each.name} # ${each.words.map(shownName).join(' ')}`);
    const others = candidates
      .slice(1)
      .map((each, at) => `# ${lines[at + 1]}: delete this file, and type \`${again(each.name)}\``);
    const answers = [...(isNamed ? lines.slice(0, 1) : lines), `utf-8 # ${conversionOf(file)}`];
    return questions.ask({
      text: `which encoding is the file in (${because})? Each answer has the same words of the file.${isNamed ? ` The names of columns below are read as ${name}.` : ''}`,
      key: 'encoding',
      answers: answers.map((line) => [line]),
      ...(isNamed && { besides: others }),
    });
  }
  return name === 'utf-8' ? comment(`UTF-8: ${because}.`) : [...comment(`${because}.`), `encoding: ${name}`];
}

function delimiterLines({ layout }: FileProfile, questions: Questions): readonly string[] {
  const { delimiter, certainty, because, candidates, hasPlaces } = layout;
  if (hasPlaces)
    return questions.ask({
      text: `at which places are the columns? No delimiter divides the rows, and ${because}.`,
      key: 'fixed',
      answers: [],
      how: 'Write them behind `fixed:`, such as [ { name: Account, width: 10 }, { skip: 2 } ], or remove the line if each line is one cell.',
    });
  if (certainty === 'open') {
    const answers = candidates.map((each) => [delimiterYaml(each)]);
    return questions.ask({ text: `what divides the cells? ${because}`, key: 'delimiter', answers });
  }
  if (delimiter === null) return comment(`${because}.`);
  return [...comment(`${because}.`), `delimiter: ${delimiterYaml(delimiter)}`];
}

/** The delimiter in quotes. A tab in single quotes would be invisible. */
const delimiterYaml = (delimiter: string): string =>
  delimiter === '\t' ? String.raw`"\t"` : `'${delimiter}'`;

/** What needs no question: how the rows end, quotation marks, headers of pages. */
function plainLines({
  layout,
  table: { stop, repeatedHeaders },
  hasEndMark,
}: FileProfile): readonly string[] {
  const { count, lines } = repeatedHeaders;
  const times = count === 1 ? 'once more' : `${count} more times`;
  return [
    ...declared(stop !== null, `Reading ends at line ${stop?.line}: ${stop?.reason}`),
    ...declared(
      layout.quote === null,
      'Quotation marks are where none may open or close a cell, so they are part of the values',
      'quote: none',
    ),
    ...declared(
      layout.escape === '\\',
      'Quotes inside of quoted cells follow a backslash and are never doubled',
      String.raw`escape: '\'`,
    ),
    ...declared(
      count > 0,
      `The header comes ${times} (first on line ${lines[0]}), as on the pages of a report`,
      'repeated_header: skip',
    ),
    ...declared(hasEndMark, 'The file ends in 1A, the end mark of DOS programs', 'end_mark: true'),
  ];
}

function headerLines({ layout, columns }: FileProfile, questions: Questions): readonly string[] {
  const { header } = layout;
  if (layout.hasPlaces) return [];
  if (!header.looksLikeHeader) {
    const names = columns.map(({ name }) => name);
    return questions.ask({
      text: `has the file no header? Line ${header.line} has no names.${header.line > 1 ? ' The lines above it have another number of cells than the rows.' : ''}`,
      key: 'header',
      answers: [['false']],
      besides: [`columns: ${flowYaml(names)}`],
      how: `If so, remove the "# " and name the columns. If line ${header.line} is a header, remove the lines \`header:\` and \`columns:\`.`,
    });
  }
  const unnamed = columns.filter(({ name, filled }) => name === '' && filled > 0);
  const names = header.names.map((name, at, all) =>
    name !== '' && all.indexOf(name) === at ? name : `${name || 'Column'} (${at + 1})`,
  );
  const places = unnamed.map(({ column }) => column).join(', ');
  const named = ['header: false', `skip_lines: ${header.lastLine}`, `columns: ${flowYaml(names)}`];
  return [
    ...declared(
      header.line > 1,
      `The header is line ${header.line}; the lines above it are passed over. An account that they name goes into each row first (docs/mapping-recipes.md)`,
      'skip: until header',
    ),
    ...declared(
      unnamed.length > 0,
      `Columns without a name of their own feed no field: ${places}. To use them, remove the "# " of these lines${header.line > 1 ? ' and the line `skip`' : ''}`,
      ...proposal(named),
    ),
  ];
}

/** Leaves out lines of pages, and asks about rows of totals between the rows. */
function totalLines({ table: { otherLines } }: FileProfile, questions: Questions): readonly string[] {
  if (otherLines.length === 0) return [];
  const parts = otherLines.map(({ word, wrong, pattern, count, lines: [first] }) => {
    const what =
      word === null
        ? `${counted(count, 'line')} of a page`
        : `${counted(count, 'row')} with ${shownName(word)}`;
    return {
      fact: `${what} (first on line ${first})${wrong && `, where ${wrong}`}`,
      line: `- ${flowYaml(pattern)}`,
    };
  });
  const facts = parts.map(({ fact }) => fact).join('; ');
  const lines = parts.map(({ line }) => line);
  if (otherLines.every(({ word }) => word === null))
    return [...comment(`No rows: ${facts}.`), 'page_lines:', ...lines.map((line) => `  ${line}`)];
  return questions.ask({
    text: `are these lines totals or parts of a page, and no rows? ${facts}.`,
    key: 'page_lines',
    answers: [lines],
    isOptional: true,
    how: 'Remove the "# " of each pattern whose lines are no rows, or the line `page_lines:` when every line is a row.',
  });
}

function trailerLines({ table: { trailer } }: FileProfile, questions: Questions): readonly string[] {
  if (!trailer) return [];
  return questions.ask({
    text: `is line ${trailer.line} a control record? ${trailer.because}.`,
    key: 'trailer',
    answers: [Object.entries(trailer.keys).map(([key, value]) => `${key}: ${flowYaml(value)}`)],
    isOptional: true,
  });
}

/** The lines for how the file writes values. Columns that feed nothing yet count, too. */
function valueLines(
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
    answers: answers.filter((some) => some.length > 0).map((some) => [flowYaml(some)]),
    besides: [`positive_suffixes: ${flowYaml(names)}`],
  });
}
