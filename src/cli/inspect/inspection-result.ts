import { conversionOf } from './bytes/encoding-finding.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import type { ColumnProfile } from './column/column-profile.ts';
import type { Occurrences } from './column/occurrences.ts';
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

/** The document of an inspection: the findings about the file and its columns. The counts behind a draft are left out. */
export function inspectionDocumentOf({ content, ...file }: Inspection, next: string): JsonDocument {
  const found = content && {
    ...content,
    columns: content.columns.map(columnFacts),
  };
  const fields = { ...file, content: found };
  // The header is in the document once, as the names of the columns.
  return { version: 1, exit: exitDocument('OK'), ...(snakeKeys(fields, ['names']) as object), next };
}

const columnFacts = ({ column, name, filled, empty, distinct, kinds, examples }: ColumnProfile): object => ({
  column,
  name,
  filled,
  empty,
  distinct,
  kinds,
  examples,
});

const LABEL_WIDTH = 14;

/** An inspection for people: facts about the file, then its columns. */
export function inspectionText(inspection: Inspection, next: string): string {
  const { file, bytes, sha256, noTable, content } = inspection;
  const lines = [
    labelledLines('file', escapeControl(file), LABEL_WIDTH),
    labelledLines('size', counted(bytes, 'byte'), LABEL_WIDTH),
    labelledLines('sha256', sha256, LABEL_WIDTH),
  ];
  if (noTable !== null) {
    const reason = `no table: ${noTable['reason']}. ${noTable['remedy']}`;
    lines.push(labelledLines('content', reason, LABEL_WIDTH));
  }
  if (content) {
    for (const [label, text] of fileFacts(file, content))
      lines.push(labelledLines(label, escapeControl(text), LABEL_WIDTH));
    lines.push('\n', ...content.columns.map(columnText));
  }
  return `${lines.join('')}next: ${escapeControl(next)}\n`;
}

type Fact = readonly [label: string, text: string];

function fileFacts(file: string, content: FileProfile): readonly Fact[] {
  const { rows, trailer } = content.table;
  const facts = trailerFacts(content).join('; ');
  return [
    ...encodingFacts(file, content),
    ...layoutFacts(content),
    fact('rows', String(rows)),
    ...(trailer ? [fact('trailer?', `line ${trailer.line}, not counted as a row: ${facts}`)] : []),
    ...oddities(content).map((text) => fact('odd', text)),
  ];
}

const fact = (label: string, text: string): Fact => [label, text];

const CERTAINTY_TEXT = { proven: 'proven', assumed: 'assumed, to be confirmed', open: 'OPEN' } as const;

function encodingFacts(file: string, { encoding }: FileProfile): readonly Fact[] {
  const { name, certainty, because, candidates } = encoding;
  const found = fact('encoding', `${certainty === 'open' ? 'OPEN' : `${name} (${certainty})`}: ${because}`);
  if (candidates.length === 0) return [found];
  return [
    found,
    ...candidates.map((each) => fact('', `${each.name} reads ${each.words.join(' | ')}`)),
    fact('', conversionOf(file)),
  ];
}

function layoutFacts({ layout, columns }: FileProfile): readonly Fact[] {
  const { delimiter, certainty, because, quote, escape, header } = layout;
  if (layout.isJsonLines)
    return [
      fact(
        'content',
        `JSON Lines (${CERTAINTY_TEXT[certainty]}): ${because}; ${counted(columns.length, 'key path')}`,
      ),
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

/** Oddities that a person would want to know before a mapping is written. */
function oddities({ table, layout, hasEndMark }: FileProfile): readonly string[] {
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
    hasEndMark && 'the file ends in 0x1A, as DOS programs end texts: `source.end_mark: true` leaves it out',
    table.columnsLeftOut > 0 && `${counted(table.columnsLeftOut, 'more column')} not looked at`,
  ].filter((text) => text !== false);
}

/** `3 rows of delimiters only (line 4, 9, 12)`; false when there are none. */
function at({ count, lines }: Occurrences, noun: string, rest = ''): string | false {
  if (count === 0) return false;
  const space = rest === '' || rest.startsWith(':') ? '' : ' ';
  return `${counted(count, noun)}${space}${rest} (line ${lines.join(', ')}${count > lines.length ? ' …' : ''})`;
}

const COLUMN_INDENT = 6;

/** One column: its name and counts, then what its values are, in the words of a draft. */
function columnText(column: ColumnProfile): string {
  const { column: number, name, filled, empty, kinds, numbers, dates, examples } = column;
  const title = `${name === null ? '(no header)' : name === '' ? '(no name)' : escapeControl(name)}: ${filled} filled, ${empty} empty${distinctText(column)}`;
  const details = [
    kinds.map(({ kind, count }) => `${count} ${kind}`).join(', '),
    numbers && numbers.integers < numbers.count ? numberText(column) : '',
    dates?.formats[0] ? dateText(column, dates.formats[0].kind) : '',
    ...column.nullTokens.map((token) => `${token.count} times ${token.name}`),
    at(column.spacesAround, 'value', 'with spaces around') || '',
    ...column.damage.map((found) => at(found, 'cell', `damaged by a spreadsheet: ${found.name}`) || ''),
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

function distinctText({ distinct, filled }: ColumnProfile): string {
  if (filled === 0) return '';
  if (!distinct.isExact) return `, more than ${distinct.count} different`;
  return distinct.count === filled ? ', all different' : `, ${distinct.count} different`;
}
