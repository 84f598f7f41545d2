import type { ColumnProfile } from './column/profiled-column.ts';
import { counted, escapeControl, labelledLines } from '../output/text/text.ts';

const INDENT = 6;

/** One column of a file, for people: its name and counts, then facts about its values. */
export function columnText(column: ColumnProfile, rows: number): string {
  const { column: number, name, filled, empty } = column;
  const title = `${name === null ? '(no header)' : name === '' ? '(no name)' : escapeControl(name)}: ${filled} filled, ${empty} empty${distinctText(column, rows)}`;
  const details = [
    kindsText(column),
    ...numberTexts(column),
    ...dateTexts(column),
    ...oddTexts(column),
    ...exampleTexts(column),
  ];
  return [
    labelledLines(`${number}`.padStart(INDENT - 2), title, INDENT),
    ...details.filter((text) => text !== '').map((text) => labelledLines('', escapeControl(text), INDENT)),
  ].join('');
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

function kindsText({ kinds, patterns, lengths, filled }: ColumnProfile): string {
  if (filled === 0) return '';
  const named = kinds.map(({ kind, count }) => `${count} ${KIND_NAMES[kind]}`).join(', ');
  const shapes = patterns.map(({ pattern, count }) => `${pattern} (${count})`).join('  ');
  return `${named}; ${lengths.shortest} to ${counted(lengths.longest, 'character')}${shapes === '' ? '' : `; ${shapes}`}`;
}

function numberTexts({ numbers, digitCounts, leadingZeros }: ColumnProfile): readonly string[] {
  if (!numbers) return [];
  const marks = numbers.marks.map(
    ({ decimalMark, thousandsMark, fits, exceptions }) =>
      `decimal mark "${decimalMark}"${thousandsMark === null ? '' : `, thousands mark ${['space', 'indian'].includes(thousandsMark) ? thousandsMark : `"${thousandsMark}"`}`} reads ${fits} of ${numbers.count}${exceptionText(exceptions)}`,
  );
  const decided =
    numbers.deciding > 0
      ? `${counted(numbers.deciding, 'value')} can be read with one decimal mark only`
      : 'NO VALUE DECIDES the decimal mark';
  const signs = numbers.signs.flatMap(({ sign, count }) =>
    sign === 'none' ? [] : [`${count} ${SIGN_NAMES[sign]}`],
  );
  const dressed = [
    ...numbers.suffixes.map(({ suffix, count }) => `${count} with ${suffix}`),
    ...numbers.currencies.map(({ currency, count }) => `${count} with ${currency}`),
  ];
  return [
    ...marks,
    ...(marks.length > 0 ? [decided] : []),
    numbers.ambiguous.count > 0
      ? `${counted(numbers.ambiguous.count, 'value')} such as 1.234 could be thousands or decimals (${linesText(numbers.ambiguous)})`
      : '',
    [...signs, ...dressed].join(', '),
    leadingZeros > 0 ? `${leadingZeros} with leading zeros` : '',
    digitCounts.length > 1 && numbers.integers === numbers.count
      ? `digits: ${digitCounts.map(({ digits, count }) => `${digits} (${count})`).join(', ')}${leadingZeros === 0 ? '; if these are numbers of something, leading zeros may have been lost' : ''}`
      : '',
  ];
}

const SIGN_NAMES = {
  leading: 'with a minus before',
  trailing: 'with a minus behind',
  parentheses: 'in parentheses',
  plus: 'with a plus',
  minus_sign: 'with a typographic minus (U+2212)',
  suffix: 'with a suffix for the sign',
} as const;

function dateTexts({ dates }: ColumnProfile): readonly string[] {
  if (!dates) return [];
  return [...formatTexts(dates), ...shapeTexts(dates)];
}

/** Days and times in notations that no single format reads. */
function shapeTexts({ months, centuryDays, times }: DateEvidence): readonly string[] {
  return [
    months ? `months by the names ${months.join(', ')}` : '',
    centuryDays > 1 ? `${centuryDays} are days as CYYMMDD, such as 1251231 for 2025-12-31` : '',
    times.map(({ format, count }) => `${counted(count, 'time')} of day as ${format}`).join(', '),
  ];
}

function formatTexts(dates: DateEvidence): readonly string[] {
  const formats = dates.formats.map(
    ({ format, fits, exceptions }) =>
      `${format} reads ${fits}${exceptions.count === 0 ? ', all of them' : exceptionText(exceptions)}`,
  );
  const orders = new Set(dates.formats.map(({ order }) => order).filter((order) => order !== null));
  if (dates.decidingOrder === 0 && orders.size < 2) return formats;
  const order =
    dates.decidingOrder > 0
      ? `${counted(dates.decidingOrder, 'value')} can be read with the day or the month first, but not with both`
      : 'NO VALUE DECIDES whether the day or the month comes first';
  return [...formats, order];
}

/** ` (3 exceptions: line 4, 9, 12)`. */
function exceptionText(found: FoundLines): string {
  return found.count === 0 ? '' : ` (${counted(found.count, 'exception')}: ${linesText(found)})`;
}

/** `line 4, 9, 12 …`. */
function linesText({ count, lines }: FoundLines): string {
  return `line ${lines.join(', ')}${count > lines.length ? ' …' : ''}`;
}

type DateEvidence = NonNullable<ColumnProfile['dates']>;

type FoundLines = { readonly count: number; readonly lines: readonly number[] };

const DAMAGE_NAMES = {
  exponent: 'like 1.23457E+12: digits are lost',
  hashes: 'like ####: the column was too narrow',
  error_value: 'like #REF!',
  formula: 'like ="0012" or a formula',
} as const;

function oddTexts(column: ColumnProfile): readonly string[] {
  const oddities = [
    [column.spacesAround, 'with spaces around'],
    [column.unusualSpaces, 'with unusual spaces (no-break, full-width, tab)'],
    [column.invisibleCharacters, 'with invisible characters'],
    [column.lineBreaks, 'with line breaks'],
  ] as const;
  return [
    ...column.nullTokens.map(({ token, count }) => `${count} times ${token}`),
    ...oddities.flatMap(([found, what]) =>
      found.count === 0 ? [] : [`${found.count} ${what} (${linesText(found)})`],
    ),
    ...column.damage.map((damage) => `${damage.count} ${DAMAGE_NAMES[damage.kind]} (${linesText(damage)})`),
  ];
}

function exampleTexts({ examples }: ColumnProfile): readonly string[] {
  return examples === null || examples.length === 0
    ? []
    : [`for example ${examples.map((example) => JSON.stringify(example.slice(0, 60))).join(', ')}`];
}
