import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import type { Behind, Figure, Picture } from '../../push/ports/look.ts';
import type { LeftOutKind } from '../../push/ports/report.ts';
import type { Part } from '../result.ts';
import { counted, escapeControl, labelledLines } from '../text/text.ts';

/** Characters of a line. */
const WIDTH = 80;

/** A small picture of the records, because nobody sees a swapped day in a table of rows. */
export function pictureParts({ records, accounts, figures }: Picture, title: string): readonly Part[] {
  if (records === 0) return [];
  const of = (...kinds: readonly Figure['kind'][]) => figures.filter(({ kind }) => kinds.includes(kind));
  const listed = of('id', 'choice');
  const width = Math.max(...listed.map(({ field }) => field.length)) + '    '.length;
  const values = listed.map(({ field, counts }) => {
    const all = Object.entries(counts['values'] ?? {}).toSorted(([, a], [, b]) => b - a);
    const texts = all.map(([value, count]) => `${escapeControl(value)} ×${count}`);
    return wrapped(`  ${field}`, texts, width);
  });
  return [
    `${title}: ${counted(records, 'record')} of ${counted(accounts, 'account')}`,
    ...amountsTable(of('amount')),
    { lines: [...of('date').map(datesText), ...values].join('') },
  ];
}

/** Amounts that a reader would take for a hundred times as much. */
const IN_MINOR_UNITS = new Set<string>(
  Object.values(DESCRIPTORS).flatMap(({ amount }) => (amount?.unit === 'minor' ? amount.field : [])),
);

function amountsTable(amounts: readonly Figure[]): readonly Part[] {
  if (amounts.length === 0) return [];
  const rows = amounts.map(({ field, type, count, sum, smallest, largest }) => [
    type ?? (IN_MINOR_UNITS.has(field) ? `${field}, in minor units` : field),
    ...[count, sum, smallest, largest].map(String),
  ]);
  return [{ table: [['amount', 'count', 'sum', 'smallest', 'largest'], ...rows], right: [1, 2, 3, 4] }];
}

/** The range of a date, and below it a bar for each month, each day of the month and each hour. */
function datesText({ field, smallest, largest, counts }: Figure): string {
  const { months, days, hours } = counts as Readonly<Record<'months' | 'days' | 'hours', Counts>>;
  const most = Math.max(...Object.values(months));
  const years = [...new Set(Object.keys(months).map((month) => month.slice(0, 4)))];
  const ofYear = (year: string): readonly string[] => numbers(1, 12).map((month) => `${year}-${month}`);
  const bars = [
    ...years.map((year) => `${year} ${bar(months, ofYear(year), most)}`),
    // Items have periods, which begin and end with months.
    ...(field.includes('.') ? [] : [`days ${bar(days, numbers(1, 31))}`]),
    ...(Object.keys(hours).length === 0 ? [] : [`hours (UTC) ${bar(hours, numbers(0, 23))}`]),
  ];
  const range = smallest === largest ? smallest : `${smallest} to ${largest}`;
  return `  ${field}  ${range}\n${wrapped('', bars, 4).replaceAll(',\n', '\n')}`;
}

type Counts = Readonly<Record<string, number>>;

/** Numbers as two digits. */
const numbers = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => String(at + from).padStart(2, '0'));

/** A dot is none, and a single value among thousands is still seen. */
function bar(counts: Counts, of: readonly string[], most = Math.max(...Object.values(counts))): string {
  return of.map((key) => '·▁▂▃▄▅▆▇█'[Math.ceil(((counts[key] ?? 0) / most) * 8)]).join('');
}

/** Parts behind a label, none of them broken between two lines. */
function wrapped(label: string, parts: readonly string[], width: number): string {
  const kept = parts.map((part) => part.replaceAll(' ', '\u00A0')).join(', ');
  return labelledLines(label, kept, width, WIDTH).replaceAll('\u00A0', ' ');
}

/** Why rows were left out, after the words "left out". */
export const LEFT_OUT_WORDS: Readonly<Record<LeftOutKind, string>> = {
  filter: 'by the filter at',
  query: 'by the query at',
  repeated_header: 'as a header that is repeated',
  page_line: 'as a line of a page',
  window: 'by --max-records',
  shard: 'for another shard',
  corrected: 'as invalid, because their records arrived from',
};

/** What stays behind, except fields: its name, what it has, its count and its sum. */
export function behindRows(behind: readonly Behind[]): readonly (readonly string[])[] {
  return behind.flatMap(({ what, name, count, sum, holds, different, examples, acknowledged }) => {
    if (what === 'field') return [];
    const label = what === 'column' ? name || '(no name)' : `rows ${LEFT_OUT_WORDS[what]} ${name}`.trim();
    const values = different === null ? [] : [`${different} different`];
    const has = [holds ?? [], values, examples, acknowledged ? 'acknowledged' : []].flat().join(', ');
    return [[label, has, String(count ?? ''), sum ?? '']];
  });
}

/** Lines of the table of what stays behind at most. */
const BEHIND_LINES = 16;

/** What is in the files and is not sent, unless the mapping has acknowledged it. */
export function behindParts(behind: readonly Behind[], hasRecords = true): readonly Part[] {
  const rows = behindRows(behind.filter(({ acknowledged }) => !acknowledged));
  const known = behind.filter(({ acknowledged }) => acknowledged).length;
  const fields = behind.flatMap(({ what, name }) => (what === 'field' ? name : []));
  const table = [['what stays behind', 'has', 'count', 'sum'], ...rows].slice(0, BEHIND_LINES);
  const more = rows.length + 1 - table.length;
  return [
    ...(rows.length === 0 ? [] : [{ table, right: [2, 3] }]),
    ...(more > 0 ? [`  … and ${more} more (--json has all)`] : []),
    ...(known > 0 ? [`  ignored by the mapping, so not listed: ${known}`] : []),
    ...(hasRecords && fields.length > 0 ? [{ lines: wrapped('  no record has', fields, 16) }] : []),
  ];
}
