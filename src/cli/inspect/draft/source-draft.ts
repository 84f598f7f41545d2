import type { FileProfile, RuledColumns } from '../inspection.ts';
import { conversionOf } from '../bytes/encoding-finding.ts';
import { comment, flowYaml, shownName, type Questions } from './draft-text.ts';
import { totalLines, trailerLines } from './total-draft.ts';
import { valueLines, type SourceSetting } from './value-draft.ts';

/** The lines of `source`, without their key. */
export function sourceLines(
  content: FileProfile,
  setting: SourceSetting,
  questions: Questions,
): readonly string[] {
  if (content.layout.isJsonLines) {
    const lines = [...comment('Each line is one object of JSON.'), 'type: jsonl'];
    return [...lines, ...valueLines(content, setting, questions)].map((line) => `  ${line}`);
  }
  return [
    ...encodingLines(content, setting.file, questions),
    ...delimiterLines(content, questions),
    ...quoteLines(content),
    ...headerLines(content, questions),
    ...repeatedHeaderLines(content),
    ...totalLines(content),
    ...valueLines(content, setting, questions),
    ...endLines(content, setting.hasEndMark, questions),
  ].map((line) => `  ${line}`);
}

function encodingLines({ encoding }: FileProfile, file: string, questions: Questions): readonly string[] {
  const { name, certainty, because, candidates } = encoding;
  if (certainty === 'open') {
    const answers = candidates.map((each) => `${each.name} # ${each.words.map(shownName).join(' ')}`);
    const asRead = name === null ? '' : ` The names of columns below are read as ${name}.`;
    return questions.askKey(
      `which encoding is the file in (${because})? Each answer has the same words of the file.${asRead}`,
      'encoding',
      [...answers, `utf-8 # ${conversionOf(file)}`],
    );
  }
  return name === 'utf-8' ? comment(`UTF-8: ${because}.`) : [...comment(`${because}.`), `encoding: ${name}`];
}

function delimiterLines({ layout }: FileProfile, questions: Questions): readonly string[] {
  const { delimiter, certainty, because, candidates, fixed, ruled } = layout;
  if (ruled) return ruledLines(ruled, questions);
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

/** Lines above the rows that a mapping names one by one. */
const MOST_ABOVE = 12;

function ruledLines(
  { line, columns, above, isTrimmed }: RuledColumns,
  questions: Questions,
): readonly string[] {
  const entries = columns.map(({ name, width }) =>
    name === null ? `{ skip: ${width} }` : `{ name: ${flowYaml(name)}, width: ${width} }`,
  );
  const skipped =
    above.length <= MOST_ABOVE ? flowYaml(above.map((text) => lineLike(text))) : String(above.length);
  return questions.askWhole(
    `are these columns at fixed places? The dashes of line ${line} show where each begins.`,
    [`fixed: [${entries.join(', ')}]`, `skip: ${skipped}`, ...(isTrimmed ? ['right_trimmed: true'] : [])],
  );
}

/** A regular expression that matches a line, and the same line with other spaces at its end. */
function lineLike(text: string): string {
  const escaped = text.trimEnd().replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return String.raw`^${escaped}\s*$`;
}

/** The delimiter in quotes. A tab in single quotes would be invisible. */
const delimiterYaml = (delimiter: string): string =>
  delimiter === '\t' ? String.raw`"\t"` : `'${delimiter}'`;

function quoteLines({ layout, table }: FileProfile): readonly string[] {
  if (layout.quote === null)
    return [
      ...comment('Quotation marks are where none may open or close a cell, so they are part of the values.'),
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

function headerLines({ layout, columns }: FileProfile, questions: Questions): readonly string[] {
  const { header } = layout;
  if (layout.ruled) return [];
  if (!header.looksLikeHeader && layout.fixed === null) {
    const names = columns.map(({ column }) => `COLUMN_${column}`);
    return questions.askWhole(
      `has the file no header? Line ${header.line} has no names.`,
      ['header: false', `columns: ${flowYaml(names)}`],
      ' and name the columns',
    );
  }
  if (header.line === 1) return [];
  return [
    ...comment(`The header is line ${header.line}; the lines above it are passed over.`),
    'skip: until header',
  ];
}

function repeatedHeaderLines({ table: { repeatedHeaders } }: FileProfile): readonly string[] {
  const { count, lines } = repeatedHeaders;
  if (count === 0) return [];
  const times = count === 1 ? 'once more' : `${count} more times`;
  return [
    ...comment(`The header comes ${times} (first on line ${lines[0]}), as on the pages of a report.`),
    'repeated_header: skip',
  ];
}

/** The lines about the end of the file, behind the last row of data. */
function endLines(content: FileProfile, hasEndMark: boolean, questions: Questions): readonly string[] {
  const mark = hasEndMark
    ? [...comment('The file ends in 1A, the end mark of DOS programs.'), 'end_mark: true']
    : [];
  return [...trailerLines(content, questions), ...mark];
}
