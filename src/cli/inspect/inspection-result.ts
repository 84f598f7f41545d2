import type { FileProfile, Inspection, RuledColumns } from './inspection.ts';
import { conversionOf } from './bytes/encoding-finding.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { columnText } from './inspected-column.ts';
import { exitDocument, snakeKeys, type JsonDocument } from '../output/json.ts';
import { counted, escapeControl, labelledLines } from '../output/text/text.ts';

/** The inspection of a file, and the next command to type. */
export type InspectionResult = Readonly<{ inspection: Inspection; next: string }>;

export const shownInspection = shownAs<InspectionResult>({
  document: ({ inspection, next }) => inspectionDocumentOf(inspection, next),
  text: ({ inspection, next }) => inspectionText(inspection, next),
});

/** The document of an inspection. The header is in it once, as the names of the columns. */
export function inspectionDocumentOf({ content, ...file }: Inspection, next: string): JsonDocument {
  const fields = { ...file, content: content && inReadingOrder(content) };
  return { version: 1, exit: exitDocument('OK'), ...(snakeKeys(fields, DRAFT_KEYS) as object), next };
}

/** The keys that say what a part is about come first in it. */
function inReadingOrder({ encoding, columns, ...content }: FileProfile): FileProfile {
  const { name, certainty, because, byteOrderMark, ...rest } = encoding;
  return {
    encoding: { name, certainty, because, byteOrderMark, ...rest },
    ...content,
    columns: columns.map(({ column, name: header, ...facts }) => ({ column, name: header, ...facts })),
  };
}

/** Keys of an inspection that only drafts of mappings need. */
const DRAFT_KEYS = ['values', 'names', 'blankPositions', 'pairs', 'above'];

const LABEL_WIDTH = 14;

/** An inspection for people: facts about the file, then its columns. */
export function inspectionText(inspection: Inspection, next: string): string {
  const { file, bytes, sha256, isCompressed, binary, content } = inspection;
  const size = `${counted(bytes, 'byte')}${isCompressed ? ' when unpacked' : ''}`;
  const lines = [
    labelledLines('file', escapeControl(file), LABEL_WIDTH),
    labelledLines('size', size, LABEL_WIDTH),
    labelledLines('sha256', sha256, LABEL_WIDTH),
  ];
  if (binary !== null) lines.push(labelledLines('content', BINARY_TEXT[binary], LABEL_WIDTH));
  if (content) {
    for (const [label, text] of fileFacts(inspection, content))
      lines.push(labelledLines(label, escapeControl(text), LABEL_WIDTH));
    lines.push('\n', ...content.columns.map((column) => columnText(column, content.table.rows)));
  }
  return `${lines.join('')}next: ${escapeControl(next)}\n`;
}

const BINARY_TEXT: Readonly<Record<NonNullable<Inspection['binary']>, string>> = {
  empty: 'nothing: the file is empty; export it again',
  zip: 'a ZIP archive or an .xlsx workbook, no CSV; open it and save the sheet as CSV, or type `xlsx2csv FILE`',
  ole: 'an .xls workbook, no CSV; open it and save the sheet as CSV',
  gzip: 'gzip; give it a name that ends in .gz, or unpack it',
  pdf: 'a PDF, no CSV; export the data again',
  parquet: 'Parquet, no CSV; `duckdb -csv -c "SELECT * FROM \'FILE\'"` turns it into CSV',
  sqlite:
    'a database of SQLite, no CSV; `sqlite3 -header -csv FILE "SELECT * FROM TABLE"` turns a table into CSV',
  binary: 'no text: too many control characters; export the data again as CSV',
};

type Fact = readonly [label: string, text: string];

function fileFacts(inspection: Inspection, content: FileProfile): readonly Fact[] {
  const markup = content.markup?.toUpperCase();
  return [
    ...encodingFacts(inspection.file, content),
    markup !== undefined &&
      fact('content', `it begins like ${markup}, not like a table; export the data as CSV`),
    ...lineFacts(content),
    ...layoutFacts(content),
    ...tableFacts(content),
    ...oddities(inspection, content).map((text) => fact('odd', text)),
  ].filter((each) => each !== false);
}

const fact = (label: string, text: string): Fact => [label, text];

const CERTAINTY_TEXT = { proven: 'proven', assumed: 'assumed, to be confirmed', open: 'OPEN' } as const;

function encodingFacts(file: string, { encoding }: FileProfile): readonly Fact[] {
  const { name, certainty, because, candidates } = encoding;
  const found = fact(
    'encoding',
    `${certainty === 'open' ? 'OPEN' : `${name ?? 'none that can be named'} (${certainty})`}: ${because}`,
  );
  if (candidates.length === 0) return [found];
  return [
    found,
    ...candidates.map((each) => fact('', `${each.name} reads ${each.words.join(' | ')}`)),
    fact('', conversionOf(file)),
  ];
}

function lineFacts({ text }: FileProfile): readonly Fact[] {
  const ends = Object.entries(text.lineEnds)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} end in ${name.toUpperCase()}`);
  const last = text.endsWithLineEnd ? '' : '; the last one has no line end';
  return [fact('lines', `${text.lines}${ends.length > 0 ? `: ${ends.join(', ')}` : ''}${last}`)];
}

function layoutFacts({ layout, table }: FileProfile): readonly Fact[] {
  const { delimiter, certainty, because, candidates, quote, escape, header, width, fixed, ruled } = layout;
  if (layout.isJsonLines)
    return [
      fact('content', `JSON Lines (${CERTAINTY_TEXT[certainty]}): ${because}; ${counted(width, 'key path')}`),
      ...layout.lists.map(({ name, keys }) => fact('list', `${name}, whose objects have ${keys.join(', ')}`)),
    ];
  const preamble = header.line === 1 ? '' : `; ${counted(header.line - 1, 'line')} before it`;
  const fixedText =
    fixed && fixed.widths.length > 1
      ? `always blank before them: widths ${fixed.widths.join(', ')}`
      : 'no position is blank on every line';
  const quotes =
    table.quotedCells > 0
      ? `${counted(table.quotedCells, 'quoted cell')}, quotes inside them ${escape === '\\' ? 'after a backslash' : 'doubled'}`
      : quote === null
        ? 'none: quotation marks are part of the values'
        : 'none seen';
  const headerText = ruled
    ? `line ${ruled.line - 1}, above the dashes: ${rulerText(ruled)}`
    : header.looksLikeHeader
      ? `line ${header.line}: ${counted(width, 'column')}${preamble}`
      : `none found: line ${header.line} holds no names`;
  return [
    fact(
      'delimiter',
      `${delimiter === null ? 'none' : named(delimiter)} (${CERTAINTY_TEXT[certainty]}): ${because}`,
    ),
    ...candidates
      .filter(({ widths }) => widths.some(({ cells }) => widths.length > 1 || cells !== 1))
      .map((each) => fact('', `with ${named(each.delimiter)}: ${each.widths.map(widthText).join(', ')}`)),
    fixed !== null && fact('', `columns at fixed places? ${fixedText}`),
    fact('quotes', quotes),
    fact('header', headerText),
  ].filter((each) => each !== false);
}

/** The columns under dashes, with their widths. */
function rulerText({ columns }: RuledColumns): string {
  const named = columns.flatMap(({ name, width }) =>
    name === null ? [] : [`${escapeControl(name)} ${width}`],
  );
  return named.join(', ');
}

function widthText({ cells, rows }: FileProfile['layout']['candidates'][number]['widths'][number]): string {
  return `${counted(rows, 'row')} of ${counted(cells, 'cell')}`;
}

const named = (delimiter: string): string => (delimiter === '\t' ? 'tab' : `"${delimiter}"`);

function tableFacts({ table, columns }: FileProfile): readonly Fact[] {
  const { rows, trailer } = table;
  const facts: Fact[] = [['rows', String(rows)]];
  if (trailer) {
    const nameOf = (column: number): string => columns[column - 1]?.name ?? `column ${column}`;
    const signs = [
      ...(trailer.mark ? [`cell ${trailer.mark.cell} says ${trailer.mark.text}`] : []),
      ...trailer.countCells.map((cell) => `cell ${cell} is the number of rows`),
      ...trailer.sums.map(({ cell, column }) => `cell ${cell} is the exact sum of ${nameOf(column)}`),
      ...(trailer.hasOtherWidth ? [`it has ${counted(trailer.cells, 'cell')}`] : []),
    ];
    facts.push(['trailer?', `line ${trailer.line}, not counted as a row: ${signs.join('; ')}`]);
  }
  return facts;
}

/** Oddities that a strict parser would refuse, or that a person would want to know. */
function oddities(inspection: Inspection, { text, table, layout, columns }: FileProfile): readonly string[] {
  const unnamed = columns.filter(({ name }) => name === '').map(({ column }) => column);
  const names = columns.map(({ name }) => name);
  const repeated = names.filter((name, at) => name !== null && name !== '' && names.indexOf(name) < at);
  const kindsOfEnd = Object.values(table.lineEnds).filter((count) => count > 0).length;
  return [
    layout.hasSeparatorLine && 'the first line is `sep=`, which only Excel understands',
    at(table.blankLines, 'blank line'),
    kindsOfEnd > 1 &&
      `rows end in different ways: ${table.lineEnds.lf} in LF, ${table.lineEnds.crlf} in CRLF`,
    at(table.lineEndsInQuotes, 'line end', 'inside quotes'),
    at(table.ragged, 'row', `with another number of cells than ${layout.width}`),
    at(table.brokenLines, 'line', `that ${table.brokenLines.count === 1 ? 'is' : 'are'} no object of JSON`),
    at(table.emptyRows, 'row', 'of delimiters only'),
    ...table.warnings.map(({ detail, line, column, next }) => {
      const name = column === null ? null : columns[column - 1]?.name;
      return `${detail} (${name ? `${name}, ` : ''}line ${line}). ${next}`;
    }),
    ...table.subtotals.map((each) =>
      at(
        each,
        'row',
        `that ${each.count === 1 ? 'begins' : 'begin'} with ${each.word} in column ${each.column}, mostly empty: ${each.sumsSinceLast.length + each.sumsSinceStart.length > 0 ? 'exact sums of the rows' : 'totals between the rows?'}`,
      ),
    ),
    ...table.pageLines.map((each) => at(each, 'line', 'of a page')),
    at(table.repeatedHeaders, 'repeated header', ': several exports in one file'),
    at(table.bareQuotes, 'cell', 'with a quotation mark that does not begin it'),
    at(table.textAfterQuote, 'cell', 'with text after the closing quote'),
    at(table.unclosedQuotes, 'quote', 'that is never closed'),
    at(text.controlCharacters, 'control character'),
    at(text.loneCarriageReturns, 'CR', 'that ends no line'),
    at(text.cutLines, 'line', 'too long to be looked at to its end'),
    inspection.endsWithSubstitute &&
      'the file ends in 0x1A, as DOS programs end texts: `source.end_mark: true` leaves it out',
    unnamed.length > 0 &&
      `no name in the header for ${counted(unnamed.length, 'column')}: ${unnamed.slice(0, 10).join(', ')}`,
    repeated.length > 0 &&
      `the header has ${counted(repeated.length, 'name')} twice: ${repeated.slice(0, 5).join(', ')}`,
    table.columnsLeftOut > 0 && `${counted(table.columnsLeftOut, 'more column')} not looked at`,
  ].filter((text_) => text_ !== false);
}

/** `3 blank lines (lines 4, 9, 12)`; false when there are none. */
function at(
  { count, lines }: { count: number; lines: readonly number[] },
  noun: string,
  rest = '',
): string | false {
  if (count === 0) return false;
  const more = count > lines.length ? ' …' : '';
  const space = rest === '' || rest.startsWith(':') ? '' : ' ';
  return `${counted(count, noun)}${space}${rest} (line ${lines.join(', ')}${more})`;
}
