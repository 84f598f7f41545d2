import { conversionOf } from './bytes/encoding-finding.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import type { ColumnProfile } from './column/column-profile.ts';
import { dateDraft } from './draft/date-draft.ts';
import { flowYaml } from './draft/draft-text.ts';
import { numberDraft } from './draft/number-draft.ts';
import { trailerFacts } from './draft/total-draft.ts';
import type { FileProfile, Inspection } from './inspection.ts';
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
  const fields = { ...file, content };
  return { version: 1, exit: exitDocument('OK'), ...(snakeKeys(fields, DRAFT_KEYS) as object), next };
}

/** Keys of an inspection that only drafts of mappings need. */
const DRAFT_KEYS = ['values', 'names', 'pairs'];

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

function layoutFacts({ layout, columns }: FileProfile): readonly Fact[] {
  const { delimiter, certainty, because, quote, escape, header } = layout;
  if (layout.isJsonLines)
    return [
      fact(
        'content',
        `JSON Lines (${CERTAINTY_TEXT[certainty]}): ${because}; ${counted(columns.length, 'key path')}`,
      ),
      ...layout.lists.map(({ name, keys }) => fact('list', `${name}, whose objects have ${keys.join(', ')}`)),
    ];
  const preamble = header.line === 1 ? '' : `; ${counted(header.line - 1, 'line')} before it`;
  const names = header.looksLikeHeader
    ? `line ${header.line}: ${counted(layout.width, 'column')}${preamble}`
    : `none found: line ${header.line} holds no names`;
  const named = delimiter === null ? 'none' : delimiter === '\t' ? 'tab' : `"${delimiter}"`;
  return [
    fact('delimiter', `${named} (${CERTAINTY_TEXT[certainty]}): ${because}`),
    quote === null && fact('quotes', 'none: quotation marks are part of the values'),
    escape === '\\' && fact('quotes', 'those inside of quoted cells are behind a backslash'),
    fact('header', names),
  ].filter((each) => each !== false);
}

function tableFacts(content: FileProfile): readonly Fact[] {
  const { rows, trailer } = content.table;
  const facts = trailerFacts(content).join('; ');
  return [
    fact('rows', String(rows)),
    ...(trailer ? [fact('trailer?', `line ${trailer.line}, not counted as a row: ${facts}`)] : []),
  ];
}

/** Oddities that a person would want to know before a mapping is written. */
function oddities(inspection: Inspection, { text, table, layout, columns }: FileProfile): readonly string[] {
  const unnamed = columns.filter(({ name }) => name === '').map(({ column }) => column);
  const names = new Set<string | null>(['', null]);
  const repeated = columns
    .flatMap(({ name }) => (names.size === names.add(name).size ? (name ?? '') : []))
    .filter((name) => name !== '');
  return [
    table.stop !== null &&
      `reading ends at line ${table.stop.line}, and the columns below are those of the rows before it: ${table.stop.reason}`,
    at(table.ragged, 'row', `with another number of cells than ${layout.width}`),
    at(table.brokenLines, 'line', `that ${table.brokenLines.count === 1 ? 'is' : 'are'} no object of JSON`),
    at(table.emptyRows, 'row', 'of delimiters only'),
    ...table.subtotals.map((each) =>
      at(
        each,
        'row',
        `that ${each.count === 1 ? 'begins' : 'begin'} with ${each.word} and ${each.count === 1 ? 'is' : 'are'} mostly empty: totals?`,
      ),
    ),
    ...table.pageLines.map((each) => at(each, 'line', 'of a page')),
    at(table.repeatedHeaders, 'repeated header', ': several exports in one file'),
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

/** `3 rows of delimiters only (line 4, 9, 12)`; false when there are none. */
function at({ count, lines }: FoundLines, noun: string, rest = ''): string | false {
  if (count === 0) return false;
  const space = rest === '' || rest.startsWith(':') ? '' : ' ';
  return `${counted(count, noun)}${space}${rest} (${linesText({ count, lines })})`;
}

type FoundLines = { readonly count: number; readonly lines: readonly number[] };

/** `line 4, 9, 12 …`. */
const linesText = ({ count, lines }: FoundLines): string =>
  `line ${lines.join(', ')}${count > lines.length ? ' …' : ''}`;

const COLUMN_INDENT = 6;

/** One column: its name and counts, then what its values are, in the words of a draft. */
function columnText(column: ColumnProfile, rows: number): string {
  const { column: number, name, filled, empty, kinds, numbers, dates, examples } = column;
  const title = `${name === null ? '(no header)' : name === '' ? '(no name)' : escapeControl(name)}: ${filled} filled, ${empty} empty${distinctText(column, rows)}`;
  const isDated = (dates?.formats.length ?? 0) + (dates?.pairs.length ?? 0) > 0;
  const details = [
    kinds.map(({ kind, count }) => `${count} ${KIND_NAMES[kind]}`).join(', '),
    numbers && numbers.integers < numbers.count ? numberText(column) : '',
    isDated ? dateText(column, dates!.formats[0]?.kind ?? 'date') : '',
    ...column.nullTokens.map(({ token, count }) => `${count} times ${token}`),
    at(column.spacesAround, 'value', 'with spaces around') || '',
    ...column.damage.map(
      ({ kind, ...found }) => `${found.count} ${DAMAGE_NAMES[kind]} (${linesText(found)})`,
    ),
    (examples ?? []).length > 0
      ? `for example ${examples!.map((each) => JSON.stringify(each.slice(0, 60))).join(', ')}`
      : '',
  ];
  return [
    labelledLines(`${number}`.padStart(COLUMN_INDENT - 2), title, COLUMN_INDENT),
    ...details
      .filter((text) => text !== '')
      .map((text) => labelledLines('', escapeControl(text), COLUMN_INDENT)),
  ].join('');
}

/** How numbers are written, as keys of a mapping, and why; or the question that is open. */
function numberText(column: ColumnProfile): string {
  const draft = numberDraft(column);
  return 'value' in draft ? `${flowYaml(draft.value)}: ${draft.because}` : `OPEN: ${draft.because}`;
}

function dateText(column: ColumnProfile, target: 'date' | 'datetime'): string {
  const { kind, because } = dateDraft(column, target);
  return kind === 'open' ? `OPEN: ${because}` : because;
}

function distinctText({ distinct, filled, empty, repeats }: ColumnProfile, rows: number): string {
  if (filled === 0) return '';
  if (!distinct.isExact)
    return `, more than ${distinct.count} different${repeats.count === 0 ? ', no repeat among those' : ''}`;
  if (distinct.count === 1 && filled > 1) return `, always the same${empty === 0 ? '' : ' where filled'}`;
  return distinct.count === filled && rows > 1 ? ', all different' : `, ${distinct.count} different`;
}

const KIND_NAMES = {
  null_token: 'words for nothing',
  damaged: 'DAMAGED',
  date: 'dates',
  datetime: 'date-times',
  integer: 'whole numbers',
  decimal: 'decimals',
  json: 'JSON',
  text: 'texts',
} as const;

const DAMAGE_NAMES = {
  exponent: 'like 1.23457E+12: digits are lost',
  hashes: 'like ####: the column was too narrow',
  error_value: 'like #REF!',
  formula: 'like ="0012" or a formula',
} as const;
