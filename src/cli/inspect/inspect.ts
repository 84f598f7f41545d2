import { tmpdir } from 'node:os';
import { commandLine, type FlagWords } from '../../core/command-line.ts';
import { RESOURCES } from '../../core/contract/resources.ts';
import { mappingBeside } from '../../files/data-files.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import { declareFormat, type FormatFlags } from '../command/flags.ts';
import { openSourceFile } from '../csv/source-file.ts';
import { likelyResource } from './draft/header-match.ts';
import { inspectFile, type FileProfile, type Inspection, type InspectionRequest } from './inspect-file.ts';
import { conversionOf } from './bytes/encoding-finding.ts';
import type { ColumnProfile } from './column/column-profile.ts';
import type { Occurrences } from './column/occurrences.ts';
import { dateDraft } from './draft/date-draft.ts';
import { numberDraft } from './draft/number-draft.ts';
import { snakeKeys } from '../output/json.ts';
import type { Result } from '../output/result.ts';
import { counted, escapeControl, labelledLines } from '../output/text/text.ts';

export type InspectOptions = FormatFlags & { readonly file: string; readonly showValues?: boolean };

export const command: CommandDeclaration<InspectOptions> = {
  description:
    'Reads a whole file and shows its encoding, delimiter, header, control record and the kinds of values of each column, with the reasons. A finding that the file does not prove is marked as assumed or OPEN. An encoding other than Unicode is OPEN: three words of the file are shown as each likely encoding reads them. An odd file is not an error.',
  examples: ['dataimport inspect bookings.csv', 'dataimport inspect bookings.csv.gz --json'],
  settings: [],
  declare(command) {
    command
      .argument('<file>', 'the file; - for standard input')
      .option('--show-values', 'show up to three values of each column');
    declareFormat(command);
  },
  run,
};

async function run(options: InspectOptions, context: CommandContext): Promise<CommandEnd> {
  const inspection = await inspectionOf(options, context);
  const next = nextStep(inspection, options, context.io.cwd);
  return { exit: 'OK', result: shownInspection(inspection, next) };
}

/** Opens and inspects a file. @throws AppError `file_not_readable` and the like when it cannot be opened */
export async function inspectionOf(
  { file: name, showValues = false, ...format }: Partial<InspectionRequest> & { readonly file: string },
  { io, onClose }: Pick<CommandPorts, 'io' | 'onClose'>,
): Promise<Inspection> {
  const file = await openSourceFile(name, io.cwd, {
    standardInput: { stream: io.stdin, spoolFolder: tmpdir() },
  });
  onClose(() => file.close());
  return inspectFile(file, { showValues, ...format });
}

function nextStep({ content, file }: Inspection, typed: FormatFlags, cwd: string): string {
  if (content === null) return 'export the data again as CSV, then type the same command';
  const likely = likelyResource(content);
  const name = file === '<stdin>' ? '-' : file;
  if (likely && (likely.isOfInterface || mappingBeside(file, cwd) !== undefined))
    return commandLine('check', [likely.resource, name]);
  if (name === '-') return 'save the rows in a file, and give it to `dataimport init`';
  return likely ? commandLine('init', [name], formatFlags(typed)) : resourceQuestion(name, typed);
}

export const formatFlags = ({ encoding, delimiter }: FormatFlags): readonly FlagWords[] => [
  ['--encoding', encoding],
  ['--delimiter', delimiter],
];

/** The way on with a file whose columns do not say what its rows are. */
export function resourceQuestion(name: string, typed: FormatFlags): string {
  const commands = RESOURCES.map(
    (resource) => `\`${commandLine('init', [name], [['--resource', resource], ...formatFlags(typed)])}\``,
  );
  return `Say what its rows are by one of ${commands.join(', ')}`;
}

export const shownInspection = (inspection: Inspection, next: string): Result => ({
  next,
  fields: inspectionFields(inspection),
  text: () => [{ lines: inspectionText(inspection) }],
});

/** What a document has of a column. The counts behind a draft are left out. */
const COLUMN_FACTS = ['column', 'name', 'filled', 'empty', 'distinct', 'kinds', 'examples'] as const;

/** The document of an inspection: the findings about the file and its columns. */
function inspectionFields({ content, ...file }: Inspection): Result['fields'] {
  const columns = content?.columns.map((column) =>
    Object.fromEntries(COLUMN_FACTS.map((fact) => [fact, column[fact]])),
  );
  const fields = { ...file, content: content && { ...content, columns } };
  // The header is in the document once, as the names of the columns.
  return snakeKeys(fields, ['names']) as Result['fields'];
}

const LABEL_WIDTH = 14;

type Fact = readonly [label: string, text: string];

/** An inspection for people: facts about the file, then its columns. */
function inspectionText({ file, bytes, sha256, noTable, content }: Inspection): string {
  const facts: readonly Fact[] = [
    ['file', file],
    ['size', counted(bytes, 'byte')],
    ['sha256', sha256],
    ...(noTable ? [['content', `no table: ${noTable['reason']}. ${noTable['remedy']}`] as const] : []),
    ...(content ? fileFacts(file, content) : []),
  ];
  return [
    ...facts.map(([label, text]) => labelledLines(label, escapeControl(text), LABEL_WIDTH)),
    ...(content ? ['\n', ...content.columns.map(columnText)] : []),
  ].join('');
}

function fileFacts(file: string, content: FileProfile): readonly Fact[] {
  const { rows, trailer } = content.table;
  const { certainty, name, because, candidates } = content.encoding;
  return [
    ['encoding', `${certainty === 'open' ? 'OPEN' : `${name} (${certainty})`}: ${because}`],
    ...candidates.map((each): Fact => ['', `${each.name} reads ${each.words.join(' | ')}`]),
    ...(candidates.length > 0 ? [['', conversionOf(file)] as const] : []),
    ...layoutFacts(content),
    ['rows', String(rows)],
    ...(trailer
      ? [['trailer?', `line ${trailer.line}, not counted as a row: ${trailer.because}`] as const]
      : []),
    ...oddities(content).map((text): Fact => ['odd', text]),
  ];
}

function layoutFacts({ layout, columns }: FileProfile): readonly Fact[] {
  const { delimiter, certainty, because, header, isJsonLines, width } = layout;
  const reason = `(${certainty === 'open' ? 'OPEN' : certainty}): ${because}`;
  if (isJsonLines) return [['content', `JSON Lines ${reason}; ${counted(columns.length, 'key path')}`]];
  const preamble = header.line === 1 ? '' : `; ${counted(header.line - 1, 'line')} before it`;
  const names = header.looksLikeHeader
    ? `line ${header.line}: ${counted(width, 'column')}${preamble}`
    : `none found: line ${header.line} holds no names`;
  const named = delimiter === null ? 'none' : delimiter === '\t' ? 'tab' : `"${delimiter}"`;
  return [
    ['delimiter', `${named} ${reason}`],
    ['header', names],
  ];
}

/** Oddities that a person would want to know before a mapping is written. */
function oddities({ table, layout }: FileProfile): readonly string[] {
  const { stop, ragged, brokenLines, emptyRows, otherLines, columnsLeftOut } = table;
  return [
    ...(stop
      ? [`reading ends at line ${stop.line}, and the columns below are those before it: ${stop.reason}`]
      : []),
    ...seen(ragged, 'row', `with another number of cells than ${layout.width}`),
    ...seen(brokenLines, 'line', 'without an object of JSON'),
    ...seen(emptyRows, 'row', 'of delimiters only'),
    ...otherLines.flatMap((each) =>
      seen(each, 'line', each.word === null ? 'of a page' : `with ${each.word}: totals?`),
    ),
    ...(columnsLeftOut > 0 ? [`${counted(columnsLeftOut, 'more column')} not looked at`] : []),
  ];
}

/** `3 rows of delimiters only (line 4, 9, 12)`; nothing when there are none. */
function seen({ count, lines }: Pick<Occurrences, 'count' | 'lines'>, noun: string, rest: string) {
  const more = count > lines.length ? ' …' : '';
  return count === 0 ? [] : [`${counted(count, noun)} ${rest} (line ${lines.join(', ')}${more})`];
}

const COLUMN_INDENT = 6;

/** One column: its name and counts, then what its values are and how they are written, in the words of a draft. */
function columnText(column: ColumnProfile): string {
  const { column: number, name, filled, empty, kinds, numbers, dates, examples } = column;
  const title = `${name === '' ? '(no name)' : escapeControl(name)}: ${filled} filled, ${empty} empty${distinctText(column)}`;
  const [date] = dates?.formats ?? [];
  const isDecimal = numbers !== null && numbers.integers < numbers.count;
  const draft = isDecimal ? numberDraft(column) : date && dateDraft(column, date.kind);
  const details = [
    kinds.map(({ kind, count }) => `${count} ${kind}`).join(', '),
    draft ? `${draft.isOpen ? 'OPEN: ' : ''}${draft.because}` : '',
    examples?.length
      ? `for example ${examples.map((each) => JSON.stringify(each.slice(0, 60))).join(', ')}`
      : '',
  ];
  return [
    labelledLines(`${number}`.padStart(COLUMN_INDENT - 2), title, COLUMN_INDENT),
    ...details
      .filter((text) => text !== '')
      .map((text) => labelledLines('', escapeControl(text), COLUMN_INDENT)),
  ].join('');
}

function distinctText({ distinct, filled }: ColumnProfile): string {
  if (filled === 0) return '';
  if (!distinct.isExact) return `, more than ${distinct.count} different`;
  return distinct.count === filled ? ', all different' : `, ${distinct.count} different`;
}
