import { currencyOfWord, namesCurrency } from '../../mapping/language/currency-code.ts';
import { literalPattern } from '../table/total-rows.ts';
import type { FileProfile } from '../inspection.ts';
import type { ColumnProfile } from '../column/profiled-column.ts';
import type { DraftSetting } from './draft.ts';
import { comment, flowYaml, proposal, shownName, type Questions } from './draft-text.ts';
import { idColumnOf, type FieldMatch } from './header-match.ts';
import { isRead } from './total-draft.ts';

/** A proposal for rows that may go on with the record before, because their id is empty or repeated. */
export function continuationLines(
  matches: ReadonlyMap<string, FieldMatch>,
  { resource, rows }: DraftSetting,
): readonly string[] {
  const id = idColumnOf(resource, matches);
  if (!id || (id.empty === 0 && id.repeatsPrevious.count === 0) || id.filled === 0) return [];
  const { count, lines } = id.repeatsPrevious;
  const isEmpty = id.empty > count;
  const because = isEmpty
    ? `${id.empty} rows have no ${shownName(id.name)}: they may go on with the record before them.`
    : `${count} of ${rows} rows repeat the ${shownName(id.name)} of the row before (first on line ${lines[0]}): several rows may be one record, ${rows - count} in all.`;
  const line = isEmpty
    ? `continuation: ${flowYaml({ when: { column: id.name, is: 'empty' } })}`
    : `continuation: ${flowYaml({ key: [id.name] })}`;
  return ['', ...comment(`${because} If so, remove the "# ":`), ...proposal([line])];
}

/** The question about rows that are no records: rows of delimiters alone, totals between the rows. */
export function filterLines(
  { table, columns }: FileProfile,
  used: ReadonlySet<ColumnProfile>,
  questions: Questions,
): readonly string[] {
  const { emptyRows, subtotals } = table;
  const facts: string[] = [];
  const conditions: object[] = [];
  const named = columns.filter(({ name }) => name !== null && name !== '');
  if (emptyRows.count > 0 && named.length > 0) {
    facts.push(
      `${rowsText(emptyRows.count, 'has', 'have')} delimiters only (first on line ${emptyRows.lines[0]})`,
    );
    conditions.push(emptyCondition(named, emptyRows.count, used));
  }
  for (const { column, word, count, lines } of subtotals.filter((each) => !isRead(each))) {
    const name = columns[column - 1]?.name;
    if (name === undefined || name === null || name === '') continue;
    facts.push(
      `${rowsText(count, 'begins', 'begin')} with ${word} and ${count === 1 ? 'is' : 'are'} mostly empty (first on line ${lines[0]})`,
    );
    conditions.push({ column: name, matches: `^\\s*${literalPattern(word)}` });
  }
  if (conditions.length === 0) return [];
  const lines = conditions.map((condition) => `  - ${flowYaml(condition)}`);
  return ['', ...questions.askLeftOut(`are these rows to be left out? ${facts.join('; ')}.`, lines)];
}

function rowsText(count: number, one: string, many: string): string {
  return count === 1 ? `1 row ${one}` : `${count} rows ${many}`;
}

/** A condition that only empty rows meet: one column, if it is empty in these rows alone, else all columns. */
function emptyCondition(
  columns: readonly ColumnProfile[],
  emptyRows: number,
  used: ReadonlySet<ColumnProfile>,
): object {
  const telling = columns.filter(({ empty }) => empty === emptyRows);
  const column = telling.find((each) => used.has(each)) ?? telling[0];
  return column
    ? { column: column.name, is: 'empty' }
    : columns.map(({ name }) => ({ column: name, is: 'empty' }));
}

/** Codes of currencies, as ISO 4217 writes them. */
const CURRENCY =
  /^(?:EUR|GBP|AUD|NZD|USD|CAD|CHF|JPY|PLN|CZK|HUF|RON|BGN|SEK|NOK|DKK|ISK|TRY|RUB|UAH|BRL|MXN|INR|ZAR|SGD|HKD|CNY|KRW)$/i;

/** Columns that feed nothing, and have the same currency in every row. Another currency would go unnoticed. */
export function currencyColumns(unused: readonly ColumnProfile[], rows: number): readonly ColumnProfile[] {
  return unused.filter(
    ({ name, values, filled }) =>
      values?.length === 1 && isCurrency(values[0]!.trim(), name) && filled >= rows && rows > 1,
  );
}

/** Words such as `TL` are currencies in columns that are named so. */
function isCurrency(value: string, header: string | null): boolean {
  return (
    CURRENCY.test(value) || (header !== null && namesCurrency(header) && currencyOfWord(value) !== undefined)
  );
}

export function ignoreLines(unused: readonly string[]): readonly string[] {
  if (unused.length === 0) return [];
  return [
    '',
    ...comment(`Columns that feed nothing: ${unused.length}. Once you are sure, remove the "# ":`),
    ...proposal([`ignore: ${flowYaml(unused)}`]),
  ];
}
