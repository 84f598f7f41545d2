import { total } from '../../../core/values/counts.ts';
import type { Behind, Figure, Picture } from '../../push/ports/look.ts';
import type { LeftOutKind } from '../../push/ports/report.ts';
import { columnsText } from '../text/table.ts';
import { counted, escapeControl, labelledLines } from '../text/text.ts';

/** Lines of a picture at most, and characters of a line. */
const LINES = 25;
const WIDTH = 80;

/** A small picture of the records, because nobody sees a swapped day in a table of rows. */
export function pictureText({ records, accounts, figures }: Picture, title: string): string {
  if (records === 0) return '';
  const listed = figures.filter(({ kind }) => kind === 'id' || kind === 'choice');
  const width = Math.max(...listed.map(({ field }) => field.length)) + '    '.length;
  const lines = [
    `${title}: ${counted(records, 'record')} of ${counted(accounts, 'account')}\n`,
    amountsText(figures.filter(({ kind }) => kind === 'amount')),
    ...figures.filter(({ kind }) => kind === 'date').map(datesText),
    ...listed.map(({ field, counts }) =>
      wrapped(
        `  ${field}`,
        Object.entries({ ...counts!['shapes'], ...counts!['values'] })
          .toSorted(([, a], [, b]) => b - a)
          .map(([value, count]) => `${escapeControl(value)} ×${count}`),
        width,
      ),
    ),
  ]
    .join('')
    .split(/(?<=\n)/u);
  const rest = lines.slice(LINES - 1);
  if (rest.length <= 1) return lines.join('');
  return `${lines.slice(0, LINES - 1).join('')}  … and ${rest.length} more lines (--json has all)\n`;
}

/** Digits before the point stand in the head, and below each number of them how many amounts have so many. */
function amountsText(amounts: readonly Figure[]): string {
  if (amounts.length === 0) return '';
  const hasNegative = amounts.some(({ counts }) => 'negative' in counts!['signs']!);
  const most = Math.max(...amounts.flatMap(({ counts }) => Object.keys(counts!['digits']!).map(Number)));
  const digits = keys(0, most).map(Number).map(String);
  const rows = amounts.map(({ field, type, count, sum, smallest, largest, counts }) => [
    escapeControl(type ?? field),
    ...[count, sum!, smallest!, largest!].map(String),
    ...(hasNegative ? [String(counts!['signs']!['negative'] ?? 0)] : []),
    `       ${bar(counts!['digits']!, digits)}`,
  ]);
  const head = ['amount', 'count', 'sum', 'smallest', 'largest', ...(hasNegative ? ['negative'] : [])];
  return columnsText(
    [[...head, `digits ${digits.map((digit) => digit.at(-1)!).join('')}`], ...rows],
    [...head.map((_, at) => (at === 0 ? 'left' : 'right')), 'left'],
  );
}

/** Years whose months are shown. Of more years, each has one bar. */
const MOST_YEARS = 6;

/** The range of a date, and below it a bar for each month, each day of the month and each hour. */
function datesText({ field, smallest, largest, counts }: Figure): string {
  const { months, days, hours } = counts! as Readonly<Record<'months' | 'days' | 'hours', Counts>>;
  const years = Map.groupBy(Object.entries(months), ([month]) => month.slice(0, 4));
  const most = Math.max(...Object.values(months));
  const bars = [...years.keys()].map((year) => {
    const all = keys(1, 12).map((month) => `${year}-${month}`);
    return `${year} ${bar(months, all, most)}`;
  });
  const sums = Object.fromEntries([...years].map(([year, all]) => [year, total(all, ([, count]) => count)]));
  const parts = [
    ...(years.size <= MOST_YEARS ? bars : [`by year ${bar(sums, [...years.keys()])}`]),
    // Items have periods, which begin and end with months.
    ...(field.includes('.') ? [] : [`days ${inGroups(bar(days, keys(1, 31)), 10)}`]),
    ...(Object.keys(hours).length === 0 ? [] : [`hours ${inGroups(bar(hours, keys(0, 23)), 6)}`]),
  ];
  const range = smallest === largest ? smallest : `${smallest} to ${largest}`;
  return `  ${field}  ${range}\n${wrapped('', parts, '    '.length)}`;
}

type Counts = Readonly<Record<string, number>>;

/** Numbers as two digits. */
const keys = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => String(at + from).padStart(2, '0'));

/** A dot is none, and a single value among thousands is still seen. */
function bar(counts: Counts, of: readonly string[], most = Math.max(...Object.values(counts))): string {
  const height = (count: number): string => '▁▂▃▄▅▆▇█'[Math.ceil((count / most) * 8) - 1]!;
  return of.map((key) => (counts[key] === undefined ? '·' : height(counts[key]))).join('');
}

/** A long bar in groups, so that a place in it is found. No group has one place alone. */
const inGroups = (text: string, size: number): string =>
  text.replaceAll(new RegExp(`.{${size}}(?=..)`, 'gu'), '$& ');

const NO_BREAK = '\u00A0';

/** Parts behind a label, none of them broken between two lines. */
function wrapped(label: string, parts: readonly string[], width: number): string {
  const kept = parts.map((part) => part.replaceAll(' ', NO_BREAK)).join(', ');
  return labelledLines(label, kept, width, WIDTH).replaceAll(NO_BREAK, ' ');
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

/** What stays behind, but for fields: what it is, what it holds, its count, its sum. */
export function behindRows(behind: readonly Behind[]): readonly (readonly string[])[] {
  return behind.flatMap(({ what, name, count, sum, holds, different, examples }) => {
    if (what === 'field') return [];
    const label =
      what === 'column' ? name.trim() || '(without a name)' : `rows ${LEFT_OUT_WORDS[what]} ${name}`;
    const values = different === null ? '' : `, ${different} different`;
    const has = holds === null ? '' : [`${holds}${values}`, ...examples].join(', ');
    return [[label.trim(), has, count === null ? '' : String(count), sum ?? '']];
  });
}

/** Lines of what stays behind at most. */
const BEHIND_LINES = 15;

/** What is in the files and is not sent, unless the mapping has acknowledged it. */
export function behindText(behind: readonly Behind[]): string {
  const rows = behindRows(behind.filter(({ acknowledged }) => !acknowledged));
  const known = behind.filter(({ acknowledged }) => acknowledged).length;
  const fields = behind.filter(({ what }) => what === 'field').map(({ name }) => name);
  if (behind.length === 0) return '';
  const table = [['what stays behind', '', 'count', 'sum'], ...rows.slice(0, BEHIND_LINES)];
  const more = rows.length - BEHIND_LINES;
  return [
    columnsText(
      table.map((row) => row.map(escapeControl)),
      ['left', 'left', 'right', 'right'],
    ),
    more > 0 ? `  … and ${more} more (--json has all)\n` : '',
    known > 0 ? `  \`ignore\` of the mapping acknowledges ${known} more\n` : '',
    fields.length > 0 ? wrapped('  no record has', fields, 16) : '',
  ].join('');
}
