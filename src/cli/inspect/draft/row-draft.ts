import { currencyOfWord, namesCurrency } from '../../mapping/language/currency-code.ts';
import { literalPattern } from '../table/total-rows.ts';
import type { FileProfile, SignMark } from '../inspection.ts';
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

/** A column that repeats the sign of an amount. */
interface ColumnSign extends Pick<SignMark, 'positive' | 'negative' | 'rows'> {
  readonly column: ColumnProfile;
  readonly amount: ColumnProfile;
}

/** Columns that feed nothing and repeat the sign of the amount that is sent. */
export function signColumns(
  { columns, table }: FileProfile,
  unused: readonly ColumnProfile[],
  used: ReadonlySet<ColumnProfile>,
): readonly ColumnSign[] {
  return table.signMarks.flatMap((mark) => {
    const [column, amount] = [columns[mark.column - 1]!, columns[mark.amount - 1]!];
    return unused.includes(column) && used.has(amount) ? [{ ...mark, column, amount }] : [];
  });
}

/** Most values of a column that says the state of its row, and the fewest rows that show all of them. */
const MOST_STATES = 6;
const LEAST_ROWS = 50;
const LONGEST_STATE = 20;

/** Columns that feed nothing and have few short texts, in every row. Rows are often left out by such a column. */
export function stateColumns(unused: readonly ColumnProfile[], rows: number): readonly ColumnProfile[] {
  return unused.filter(
    ({ values = [], filled, lengths, dates, kinds }) =>
      rows >= LEAST_ROWS &&
      filled >= rows &&
      values.length > 1 &&
      values.length <= MOST_STATES &&
      lengths.longest <= LONGEST_STATE &&
      dates === null &&
      kinds.every(({ kind }) => kind === 'text'),
  );
}

/** A column whose cells contain those of another one, such as the account in a path. */
interface ContainedColumns {
  readonly part: ColumnProfile;
  readonly whole: ColumnProfile;
  readonly rows: number;
}

/** Different values of a part. Fewer may be in the other column because both are nearly constant. */
const LEAST_PARTS = 5;

/** Columns that feed fields and of which one contains the other in every row. A column that was sorted on its own no longer does. */
export function containedColumns(
  { columns, table }: FileProfile,
  used: ReadonlySet<ColumnProfile>,
): readonly ContainedColumns[] {
  return table.containedColumns.flatMap(({ part, whole, rows }) => {
    const [one, other] = [columns[part - 1]!, columns[whole - 1]!];
    const isTelling =
      used.has(one) &&
      used.has(other) &&
      one.distinct.count >= LEAST_PARTS &&
      [one, other].every(({ name, dates }) => dates === null && name !== null && !/[{}]/.test(name));
    return isTelling ? [{ part: one, whole: other, rows }] : [];
  });
}

/** The expectations that the file meets. They have effect, because they can only refuse. A list of states is a proposal. */
export function expectLines(
  currencies: readonly ColumnProfile[],
  marks: readonly ColumnSign[],
  contained: readonly ContainedColumns[],
  states: readonly ColumnProfile[],
): readonly string[] {
  const proposals = states.flatMap(({ name, values, filled }) => [
    ...comment(
      `The ${filled} rows have ${values!.length} values in ${shownName(name)}. If a \`filter\` or a \`when\` looks at it, remove the "# ", so that a new value is refused:`,
      '  ',
    ),
    ...proposal([`- ${flowYaml({ column: name, in: values! })}`], '  '),
  ]);
  if (currencies.length + marks.length + contained.length === 0)
    return proposals.length === 0 ? [] : ['', ...proposal(['expect:']), ...proposals];
  return [
    '',
    'expect:',
    ...currencies.flatMap(({ name, values, filled }) => [
      ...comment(`All ${filled} values are one currency. A row with another one is refused.`, '  '),
      `  - ${flowYaml({ column: name, in: values![0] })}`,
    ]),
    ...marks.flatMap(({ column, amount, positive, negative, rows }) => [
      ...comment(
        `${shownName(column.name)} agrees with the sign of ${shownName(amount.name)} in all ${rows} rows.`,
        '  ',
      ),
      ...(['positive', 'negative'] as const).map((is) => {
        const when = { column: amount.name, is };
        return `  - ${flowYaml({ column: column.name, in: is === 'positive' ? positive : negative, when })}`;
      }),
    ]),
    ...contained.flatMap(({ part, whole, rows }) => [
      ...comment(
        `${shownName(whole.name)} contains ${shownName(part.name)} in all ${rows} rows. A row with that of another one is refused.`,
        '  ',
      ),
      `  - ${flowYaml({ column: whole.name, contains: `{${part.name}}` })}`,
    ]),
    ...proposals,
  ];
}

export function ignoreLines(unused: readonly string[]): readonly string[] {
  if (unused.length === 0) return [];
  return [
    '',
    ...comment(`Columns that feed nothing: ${unused.length}. Once you are sure, remove the "# ":`),
    ...proposal([`ignore: ${flowYaml(unused)}`]),
  ];
}
