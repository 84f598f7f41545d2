import { currencyOfWord, namesCurrency } from '../../mapping/language/currency-code.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import { CURRENCY_CODES } from '../column/numbers.ts';
import type { Occurrences } from '../column/occurrences.ts';
import { counted } from '../../output/text/text.ts';
import type { FileProfile } from '../inspect-file.ts';
import { whereValues } from './choice-draft.ts';
import { literalPattern } from '../../../core/values/literal-pattern.ts';
import { valuesOf, type DraftSetting } from './draft.ts';
import { comment, flowYaml, proposal, shownName, type Questions } from './draft-text.ts';
import { isForeign } from './header-match.ts';

/** Rows that may be no records: what shows it, and the condition that leaves them out. */
interface DoubtfulRows {
  readonly fact: string;
  /** Without values it is refused until a person has written them. */
  readonly condition: object;
}

/** The question about rows that may be no records. Without an answer they would be sent, and nobody would notice. */
export function filterLines(
  { columns, table }: FileProfile,
  { mapped, free, rows, showValues }: DraftSetting,
  questions: Questions,
): readonly string[] {
  const named = columns.filter(({ name }) => name !== '');
  const found = [
    ...emptyRows(table.emptyRows, named, mapped),
    ...named.flatMap(balanceRows),
    ...free.flatMap((column) => {
      const currencies = currencyRows(column, named);
      return currencies.length > 0 ? currencies : stateRows(column, rows, showValues);
    }),
  ];
  if (found.length === 0) return [];
  return [
    '',
    ...questions.ask({
      text: `are these rows to be left out? ${found.map(({ fact }) => fact).join('; ')}.`,
      key: 'filter',
      answers: [found.map(({ condition }) => `- ${flowYaml(condition)}`)],
      isOptional: true,
      how: `Remove the "# " of each condition whose rows are left out${found.some(({ condition }) => flowYaml(condition).endsWith('in: [] }')) ? ', and write their values between the brackets' : ''}; or remove the line \`filter:\` when every row is a record.`,
    }),
  ];
}

function rowsText(count: number, one: string, many: string): string {
  return `${counted(count, 'row')} ${count === 1 ? one : many}`;
}

/** Rows of delimiters only. One column tells them if it is empty in these rows alone, else all columns. */
function emptyRows(
  { count, lines }: Occurrences,
  columns: readonly ColumnProfile[],
  mapped: readonly ColumnProfile[],
): readonly DoubtfulRows[] {
  if (count === 0 || columns.length === 0) return [];
  const telling = columns.filter(({ empty }) => empty === count);
  const column = telling.find((each) => mapped.includes(each)) ?? telling[0];
  const conditions = (column ? [column] : columns).map(({ name }) => ({ column: name, is: 'empty' }));
  const fact = `${rowsText(count, 'has', 'have')} delimiters only (first on line ${lines[0]})`;
  return [{ fact, condition: conditions.length === 1 ? conditions[0]! : conditions }];
}

/** Rows with the balance of an account, unless all rows have one. */
function balanceRows({ name, balances, filled }: ColumnProfile): readonly DoubtfulRows[] {
  const all = balances.reduce((sum, { count }) => sum + count, 0);
  if (all === filled) return [];
  return balances.map(({ name: word, count, lines }) => ({
    fact: `${rowsText(count, 'begins', 'begin')} with ${word} in ${shownName(name)} (first on line ${lines[0]})`,
    condition: { column: name, matches: `^${literalPattern(word)}` },
  }));
}

/** How words begin that mean that a row does not count, in the languages of suppliers. */
const NOT_COUNTED = [
  'delet|remov|void|cancel|revers|gel(?:ö|oe)sch|storn|ung(?:ü|ue)ltig|supprim|an+ul|geannul|verwijder|vervallen|elimin|borrad|excluíd',
  'usuni|skreśl|zrušen|smazán|törö?l|sztorn|iptal|silin|șters|slettet|kanseller|raderad|makuler|poistettu|peruttu',
  'удал|отмен|аннул|сторн|недейств|видален|скасован|διαγρ|ακυρ|取消|削除|删除|刪除|作废|作廢|삭제|취소',
].join('|');
const NOT_COUNTED_VALUE = new RegExp(`^(?:${NOT_COUNTED})\\p{L}*$`, 'iu');
/** Headers of columns that say whether a row counts. */
const STATE = new RegExp(
  `(?:^|[^\\p{L}])(?:(?:is ?)?(?:${NOT_COUNTED})\\p{L}{0,9}|(?:stat(?:us|e|ut)|état|zustand|estado|stato|situação|stav|státusz|állapot|durum|stare|tila|tilstand|статус|состояние|стан|κατάσταση|状態|状态|狀態|상태))(?:$|[^\\p{L}])`,
  'iu',
);
/** Most values of a column of states: of one that is named so, and of any other. */
const MAX_STATES = 10;
const FEW_STATES = 5;
/** In fewer rows every column has few values. */
const LEAST_ROWS = 20;

/** Rows that a column such as `deleted_at` or `Status` may take back: the few that it fills, or those with another value than most. */
function stateRows(column: ColumnProfile, rows: number, showValues: boolean): readonly DoubtfulRows[] {
  const { name, values, filled, empty } = column;
  const header = name.replaceAll(/[_.-]|(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  const count = valuesOf(column);
  const kinds = (values?.length ?? MAX_STATES) + (empty > 0 ? 1 : 0);
  const taken = (values ?? []).filter((value) => NOT_COUNTED_VALUE.test(value.trim()));
  const isNamed = STATE.test(header) || (taken.length > 0 && kinds <= MAX_STATES);
  if ((!isNamed && !mayBeState(column, rows, kinds)) || count === 0 || rows < 2) return [];
  if (empty > 0 && (filled * 2 < rows || kinds > MAX_STATES)) {
    const fact = `${shownName(name)} is filled in ${count} of ${rows} rows`;
    return [{ fact, condition: { column: name, is: 'present' } }];
  }
  if (!values || kinds < 2 || kinds > MAX_STATES) return [];
  const fact = `${shownName(name)} has ${kinds} different values`;
  // A state may be a part of a country. A word for a row that does not count may be shown, unlike other values.
  if (taken.length === 0 && /state/iu.test(header)) return [];
  const where = whereValues(column, showValues);
  if (taken.length === 0) return [{ fact: fact + where, condition: { column: name, in: [] } }];
  return [{ fact: `${fact}, among them ${taken.join(', ')}`, condition: { column: name, in: taken } }];
}

/**
 * Whether the values of a column look like states, whatever its header says: dates in a few rows, or a few words and codes that
 * come again. A header in Latin letters is known if it names a state, so there nine rows in ten have the same value.
 */
function mayBeState(column: ColumnProfile, rows: number, kinds: number): boolean {
  const { name, values, filled, empty, dates, numbers, lengths, usual } = column;
  // A numbered column is one of a list of items.
  if (/\.\d+\./.test(name)) return false;
  if (filled * 4 <= rows && dates !== null && dates.formats.length > 0) return true;
  // Amounts, and numbers of accounts.
  const isNumber = numbers !== null && (numbers.integers < numbers.count || lengths.longest > LONGEST_CODE);
  if (!values || isNumber || kinds < 2 || kinds > FEW_STATES) return false;
  const comesAgain = values.length * 2 <= filled || (empty > 0 && lengths.longest <= LONGEST_CODE);
  return comesAgain && (isForeign(name) || (rows >= LEAST_ROWS && Math.max(usual, empty) * 10 >= rows * 9));
}

const LONGEST_CODE = 3;

/** Rows of each currency, where the file has several and no field takes them. */
function currencyRows(column: ColumnProfile, columns: readonly ColumnProfile[]): readonly DoubtfulRows[] {
  const { name, values } = column;
  const isAll = values?.every((value) => isCurrency(value.trim(), name)) ?? false;
  const hasAmounts = columns.some(({ numbers }) => numbers !== null && numbers.integers < numbers.count);
  if (!values || values.length < 2 || !isAll || !hasAmounts) return [];
  const facts = `${shownName(name)} has ${values.length} currencies, and all amounts would count as one of them: `;
  return values.map((value, at) => ({
    fact: `${at === 0 ? facts : ''}rows in ${value.trim()}`,
    condition: { column: name, in: [value] },
  }));
}

/** Columns that feed nothing, and have the same currency in every row. Another currency would go unnoticed. */
export function currencyColumns(unused: readonly ColumnProfile[], rows: number): readonly ColumnProfile[] {
  return unused.filter(
    ({ name, values, filled }) =>
      values?.length === 1 && isCurrency(values[0]!.trim(), name) && filled >= rows && rows > 1,
  );
}

/** Words such as `TL` are currencies in columns that are named so. */
function isCurrency(value: string, header: string): boolean {
  if (namesCurrency(header)) return currencyOfWord(value) !== undefined;
  return CURRENCY_CODES.includes(value.toUpperCase());
}

export function ignoreLines(unused: readonly string[]): readonly string[] {
  if (unused.length === 0) return [];
  return [
    '',
    ...comment(`Columns that feed nothing: ${unused.length}. Once you are sure, remove the "# ":`),
    ...proposal([`ignore: ${flowYaml(unused)}`]),
  ];
}
