import type { InspectedColumn, InspectedText } from '../inspection.ts';
import type { Sign } from '../number-shape.ts';
import { comment, flowYaml, proposal, shownName, type Questions } from './draft-text.ts';
import type { NumberKeys } from './number-draft.ts';

/** The lines of `source`, without their key. @param mapped the columns that fields come from */
export function sourceLines(
  content: InspectedText,
  mapped: readonly InspectedColumn[],
  numbers: NumberKeys,
  questions: Questions,
): readonly string[] {
  return [
    ...encodingLines(content, questions),
    ...delimiterLines(content, questions),
    ...quoteLines(content),
    ...headerLines(content, questions),
    ...textLines(content, mapped),
    ...numberLines(mapped, numbers, questions),
    ...trailerLines(content, questions),
  ].map((line) => `  ${line}`);
}

function encodingLines({ encoding }: InspectedText, questions: Questions): readonly string[] {
  const { name, certainty, because, candidates } = encoding;
  if (certainty === 'open') {
    const possible = candidates
      .filter((candidate) => candidate.possible)
      .map((candidate) => `encoding: ${candidate.name}`);
    return questions.ask(`which encoding is the file in? ${because}.`, name === 'utf-8' ? [] : possible);
  }
  if (name === 'utf-8') return comment(`UTF-8: ${because}.`);
  const status = certainty === 'proven' ? '' : 'ASSUMED, please confirm: ';
  return [...comment(`${status}${because}.`), `encoding: ${name}`];
}

function delimiterLines({ layout }: InspectedText, questions: Questions): readonly string[] {
  const { delimiter, certainty, because, candidates, fixed } = layout;
  if (fixed) {
    const widths = fixed.widths.length > 1 ? fixed.widths : [10, fixed.length - 10];
    const columns = widths.map((width, at) => `{ name: COLUMN_${at + 1}, width: ${width} }`);
    return questions.ask(
      `are these columns at fixed places? Every line is ${fixed.length} characters long. Where does each begin?`,
      [`fixed: [${columns.join(', ')}]`],
    );
  }
  if (certainty === 'open') {
    const answers = candidates
      .filter(({ widths }) => (widths[0]?.cells ?? 0) > 1)
      .map((candidate) => `delimiter: ${delimiterYaml(candidate.delimiter)}`);
    return questions.ask(`which delimiter? ${because}.`, answers);
  }
  return delimiter === null
    ? comment(because)
    : [...comment(`${because}.`), `delimiter: ${delimiterYaml(delimiter)}`];
}

/** A tab in single quotes could not be seen. */
function delimiterYaml(delimiter: string): string {
  return delimiter === '\t' ? String.raw`"\t"` : `'${delimiter}'`;
}

function quoteLines({ layout, table }: InspectedText): readonly string[] {
  if (layout.quote === null)
    return [
      ...comment('Quotation marks stand where none may open or close a cell: they are part of the values.'),
      'quote: none',
    ];
  if (layout.escape !== '\\') return [];
  return [
    ...comment(
      `${table.quotedCells} cells are quoted; quotes inside them follow a backslash and are never doubled.`,
    ),
    String.raw`escape: '\'`,
  ];
}

function headerLines({ layout, columns }: InspectedText, questions: Questions): readonly string[] {
  const { header } = layout;
  if (!header.looksLikeHeader && layout.fixed === null) {
    const names = columns.map(({ column }) => `COLUMN_${column}`);
    return questions
      .ask(`has the file a header? Line ${header.line} holds no names.`, [
        'header: false',
        `columns: ${flowYaml(names)}`,
      ])
      .map((line) =>
        line.replace('Remove the "# " of one:', 'Remove the "# " of both and name the columns:'),
      );
  }
  if (header.line === 1) return [];
  return [...comment(`The header is line ${header.line}.`), `skip_lines: ${header.line - 1}`];
}

function textLines({ columns }: InspectedText, mapped: readonly InspectedColumn[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { nullTokens } of mapped)
    for (const { token, count } of nullTokens) counts.set(token, (counts.get(token) ?? 0) + count);
  const spaced = columns.filter(({ spacesAround }) => spacesAround.count > 0);
  const [first] = spaced;
  return [
    ...(counts.size === 0
      ? []
      : [
          ...comment(
            `Cells that hold nothing but a word for nothing: ${[...counts].map(([token, count]) => `${token} (${count})`).join(', ')}.`,
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

const NEGATIVES = ['leading', 'trailing', 'parentheses'] as const;

function numberLines(
  mapped: readonly InspectedColumn[],
  numbers: NumberKeys,
  questions: Questions,
): readonly string[] {
  const count = (sign: Sign): number =>
    mapped.reduce(
      (total, column) => total + (column.numbers?.signs.find((seen) => seen.sign === sign)?.count ?? 0),
      0,
    );
  const signs = NEGATIVES.filter((sign) => count(sign) > 0);
  const suffixes = new Map<string, number>();
  for (const column of mapped)
    for (const { suffix, count: times } of column.numbers?.suffixes ?? [])
      suffixes.set(suffix, (suffixes.get(suffix) ?? 0) + times);
  const marks = Object.entries(numbers).map(([key, mark]) => `${key}: '${mark === "'" ? "''" : mark}'`);
  return [
    ...(marks.length === 0 ? [] : [...comment('The evidence for the marks stands at the fields.'), ...marks]),
    ...(signs.length === 0 || signs.join() === 'leading'
      ? []
      : [
          ...comment(`Signs: ${signs.map((sign) => `${count(sign)} ${sign}`).join(', ')}.`),
          `negative: ${flowYaml(signs)}`,
        ]),
    ...suffixLines(suffixes, questions),
  ];
}

/** Which side of an account is negative is a matter of whose books these are. */
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
    ...questions
      .ask(`which suffix makes a number negative? Seen: ${seen}.`, [...answer(debits, credits)])
      .map((line) => line.replace('Remove the "# " of one:', 'Remove the "# " of both:')),
    ...comment('or the other way round:'),
    ...proposal(answer(credits, debits)),
  ];
}

function trailerLines({ table, columns }: InspectedText, questions: Questions): readonly string[] {
  const { trailer } = table;
  if (!trailer) return [];
  const nameOf = (column: number): string => columns[column - 1]?.name ?? `COLUMN_${column}`;
  const facts = [
    ...(trailer.hasOtherWidth ? [`it has ${trailer.cells} cells`] : []),
    ...trailer.countCells.map((cell) => `cell ${cell} is the number of rows, ${table.rows}`),
    ...trailer.sums.map(
      ({ cell, column }) => `cell ${cell} is the exact sum of ${shownName(nameOf(column))}`,
    ),
  ];
  const mark = trailer.mark ?? { cell: 1, text: 'WORD' };
  const lines = ['trailer:', `  cell: ${mark.cell}`, `  equals: ${flowYaml(mark.text)}`];
  if (trailer.countCells[0] !== undefined) lines.push(`  count: ${trailer.countCells[0]}`);
  const sums = trailer.sums.filter(
    ({ cell }, at) => trailer.sums.findIndex((sum) => sum.cell === cell) === at,
  );
  if (sums.length > 0)
    lines.push(`  sums: ${flowYaml(sums.map(({ cell, column }) => ({ cell, column: nameOf(column) })))}`);
  const why = facts.length === 0 ? '' : `: ${facts.join('; ')}`;
  return questions
    .ask(`is line ${trailer.line} a control record${why}?`, lines)
    .map((line) => line.replace('Remove the "# " of one:', 'If so, remove the "# " of all:'));
}
