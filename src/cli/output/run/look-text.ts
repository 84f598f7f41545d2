import type { Figure, Picture, StaysBehind } from '../../push/ports/look.ts';
import type { LeftOutKind } from '../../push/ports/report.ts';
import { columnsText } from '../text/table.ts';
import { counted, escapeControl, labelledLines } from '../text/text.ts';

/** Lines of a picture at most, its first one included, and characters of a line. */
const LINES = 25;
const WIDTH = 80;

type FigureOf<Kind> = Extract<Figure, { kind: Kind }>;

/** A small picture of the records: nobody sees a swapped day in a table of rows. */
export function pictureText({ records, accounts, figures }: Picture, hasErrors: boolean): string {
  if (records === 0) return '';
  const [inside, own] = [true, false].map((wanted) =>
    figures.filter(({ field }) => field.includes('.') === wanted),
  ) as [Figure[], Figure[]];
  const lines = [
    `${hasErrors ? 'what would be sent without the errors' : 'what will be sent'}: ${counted(records, 'record')} of ${counted(accounts, 'account')}\n`,
    ...figureLines(own),
    ...figureLines(inside),
  ];
  const rest = lines.length - LINES;
  return [
    ...lines.slice(0, rest > 0 ? LINES - 1 : LINES),
    rest > 0 ? `  … and ${counted(rest + 1, 'more line')} (--json has all)\n` : '',
  ].join('');
}

function figureLines(figures: readonly Figure[]): readonly string[] {
  const of = <Kind extends Figure['kind']>(kind: Kind): readonly FigureOf<Kind>[] =>
    figures.filter((figure): figure is FigureOf<Kind> => figure.kind === kind);
  const listed = [
    ...of('ids').map(({ field, shapes, others }) => {
      const known = shapes.map(({ shape, count }) => [shape, count] as const);
      return [field, countsText([...known, ['other shapes', others]])] as const;
    }),
    ...of('choices').map(
      ({ field, values, others }) =>
        [field, countsText([...Object.entries(values), ['other values', others]])] as const,
    ),
  ];
  const width = Math.max(...listed.map(([field]) => field.length)) + '    '.length;
  return [
    ...linesOf(amountsText(of('amounts'))),
    ...of('dates').flatMap((dates) => linesOf(datesText(dates))),
    ...listed.flatMap(([field, parts]) => linesOf(wrapped(`  ${field}`, parts, width))),
  ];
}

const linesOf = (text: string): readonly string[] => text.split(/(?<=\n)/u).filter((line) => line !== '');

const DIGITS = 'digits ';

/** One line for each type of a field, or for each field. Below each number of digits before the point: how many amounts have so many. */
function amountsText(amounts: readonly FigureOf<'amounts'>[]): string {
  if (amounts.length === 0) return '';
  const digits = Math.max(...amounts.map((each) => each.digits.length));
  const scale = Array.from({ length: digits }, (_, at) => String(at % 10)).join('');
  const isOne = new Set(amounts.map(({ field }) => field)).size === 1;
  const hasNegative = isOne || amounts.some(({ negative }) => negative > 0);
  const rows = amounts.map(({ field, type, unit, count, sum, smallest, largest, negative, digits: seen }) => [
    isOne ? escapeControl(type ?? (unit === 'minor' ? 'all, in minor units' : 'all')) : field,
    ...[count, sum, smallest, largest, ...(hasNegative ? [negative] : [])].map(String),
    ' '.repeat(DIGITS.length) + bar(Array.from({ length: digits }, (_, at) => seen[at] ?? 0)),
  ]);
  const head = ['count', 'sum', 'smallest', 'largest', ...(hasNegative ? ['negative'] : [])];
  const table = [[isOne ? amounts[0]!.field : 'numbers', ...head, DIGITS + scale], ...rows];
  return columnsText(table, ['left', ...head.map(() => 'right' as const), 'left']);
}

/** Most years whose months are shown. Of more years each has one bar. */
const MOST_YEARS = 6;
const MOST_LONE_YEARS = 20;

/** The range of a date, and below it a bar for each month, each day of the month and each hour. */
function datesText({ field, first, last, months, days, hours }: FigureOf<'dates'>): string {
  const years = [...new Set(Object.keys(months).map((month) => month.slice(0, 4)))];
  const ofYear = (year: string): readonly number[] =>
    Array.from({ length: 12 }, (_, at) => months[`${year}-${String(at + 1).padStart(2, '0')}`] ?? 0);
  const most = Math.max(...Object.values(months));
  const lone = years.map((year) => ofYear(year).reduce((sum, each) => sum + each, 0));
  const bars =
    years.length <= MOST_YEARS
      ? years.map((year) => `${year} ${bar(ofYear(year), most)}`)
      : [
          ...years
            .slice(0, MOST_LONE_YEARS)
            .map((year, at) => `${year} ${bar([lone[at]!], Math.max(...lone))}`),
          ...(years.length > MOST_LONE_YEARS ? [`… ${years.at(-1)}`] : []),
        ];
  const parts = [
    ...bars,
    // The days of items are those of their periods, which begin and end with months.
    ...(field.includes('.') ? [] : [`days ${inGroups(bar(days), 10)}`]),
    ...(hours ? [`hours ${inGroups(bar(hours), 6)}`] : []),
  ];
  const range = first === last ? first : `${first} to ${last}`;
  return `  ${field}  ${range}\n${wrapped('', parts, '    '.length)}`;
}

const NO_BREAK = '\u00A0';

/** Parts behind a label, none of them broken between two lines. */
function wrapped(label: string, parts: readonly string[], width: number): string {
  const kept = parts.map((part, at) => (at === 0 ? '' : NO_BREAK) + part.replaceAll(' ', NO_BREAK));
  return labelledLines(label, kept.join(' '), width, WIDTH)
    .replaceAll(/^( *)\u00A0/gmu, '$1')
    .replaceAll(NO_BREAK, ' ');
}

/** Heights of a bar. A dot is none, and a single one among thousands is still seen. */
const HEIGHTS = '▁▂▃▄▅▆▇█';

/** A long bar in groups, so that a place in it is found. The last day has no group of its own. */
const inGroups = (text: string, size: number): string =>
  text.replaceAll(new RegExp(`(.{${size}})(?=..)`, 'gu'), '$1 ');

function bar(counts: readonly number[], most = Math.max(...counts)): string {
  return counts
    .map((count) => (count === 0 ? '·' : HEIGHTS[Math.ceil((count / most) * HEIGHTS.length) - 1]))
    .join('');
}

/** Each value with its count. */
function countsText(counts: readonly (readonly [value: string, count: number])[]): readonly string[] {
  return counts.filter(([, count]) => count > 0).map(([value, count]) => `${escapeControl(value)} ×${count}`);
}

/** Why rows were left out, after the words "left out". */
export const LEFT_OUT_WORDS: Readonly<Record<LeftOutKind, string>> = {
  filter: 'by the filter at',
  query: 'by the query at',
  repeated_header: 'as a header that is repeated',
  page_line: 'as a line of a page',
  window: 'by --max-records',
  shard: 'for another shard',
};

/** Columns that are listed at most. */
const LISTED_COLUMNS = 15;

/** What a column holds, as tables say it. */
export function holdsText({ kind, different }: StaysBehind['columns'][number]): string {
  const number = different === null ? '' : `${different} `;
  if (kind === 'skipped') return 'skipped by source.fixed';
  const one = different === 1 && kind === 'currencies' ? 'currency' : kind.replace(/s$/u, '');
  return kind === 'amounts' || kind === 'dates' ? kind : `${number}${different === 1 ? one : kind}`;
}

/** The name of a column, as tables say it. */
export const columnName = ({ file, header }: StaysBehind['columns'][number]): string =>
  `${header.trim() === '' ? '(without a name)' : header}${file === null ? '' : ` of ${file}`}`;

/** What is in the files and feeds no field, unless the mapping has acknowledged it. */
export function staysBehindText({ columns, rows, fields }: StaysBehind): string {
  const open = columns.filter(({ acknowledged }) => !acknowledged);
  const groups = rows.filter(({ acknowledged }) => !acknowledged);
  const known = [
    [columns.length - open.length, 'column'],
    [rows.length - groups.length, 'group of rows'],
  ] as const;
  const named = known.flatMap(([count, noun]) => (count === 0 ? [] : counted(count, noun)));
  const lines = [
    ...(open.length === 0
      ? []
      : [
          columnsText(
            [
              ['column', 'filled', 'sum', 'has'],
              ...open
                .slice(0, LISTED_COLUMNS)
                .map((column) => [
                  escapeControl(columnName(column)),
                  String(column.filled),
                  (column.kind === 'amounts' && column.sum) || '',
                  escapeControl([holdsText(column), ...column.examples].join(', ')),
                ]),
            ],
            ['left', 'right', 'right', 'left'],
          ),
        ]),
    open.length > LISTED_COLUMNS
      ? `  … and ${counted(open.length - LISTED_COLUMNS, 'more column')} (--json has all)\n`
      : '',
    ...groups.map(({ kind, place, count, sum }) => {
      const where = place === '' ? '' : ` ${escapeControl(place)}`;
      return `  left out: ${count} ${LEFT_OUT_WORDS[kind]}${where}${sum === null ? '' : `, sum ${sum}`}\n`;
    }),
    named.length === 0 ? '' : `  acknowledged by \`ignore\`: ${named.join(', ')}\n`,
    fields.length === 0 ? '' : labelledLines('  no record has', fields.join(', '), 16, WIDTH),
  ].join('');
  return lines === '' ? '' : `what stays behind\n${lines}`;
}
