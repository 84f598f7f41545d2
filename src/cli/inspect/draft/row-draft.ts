import { currencyOfWord, namesCurrency } from '../../mapping/language/currency-code.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import { CURRENCY_CODES } from '../column/numbers.ts';
import type { Occurrences } from '../column/occurrences.ts';
import { counted } from '../../output/text/text.ts';
import type { FileProfile } from '../inspection.ts';
import { literalPattern } from '../../../core/values/literal-pattern.ts';
import { valuesOf, type DraftSetting } from './draft.ts';
import {
  comment,
  flowYaml,
  leavingOut,
  proposal,
  shownName,
  type LeavingOut,
  type Questions,
} from './draft-text.ts';
import { idColumnOf, type Matches } from './header-match.ts';

/** A proposal for rows that may go on with the record before, because their id is empty or repeated. */
export function continuationLines(matches: Matches, { resource, rows }: DraftSetting): readonly string[] {
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

/** Rows that may be no records: what shows it, and the condition that leaves them out. */
interface DoubtfulRows {
  readonly fact: string;
  readonly condition: object;
  /** The values that the condition has to choose from. Until a person has chosen, it has none and is refused. */
  readonly values?: readonly string[];
}

/** The question about rows that may be no records. Without an answer they would be sent, and nobody would notice. */
export function filterLines(
  { columns, table }: FileProfile,
  { used, rows }: { used: ReadonlySet<ColumnProfile>; rows: number },
  questions: Questions,
): readonly string[] {
  const named = columns.filter(({ name }) => name !== '');
  const free = named.filter((column) => !used.has(column));
  const found = [
    ...emptyRows(table.emptyRows, named, used),
    ...named.flatMap(balanceRows),
    ...free.flatMap((column) => stateRows(column, rows)),
    ...free.flatMap((column) => currencyRows(column, named)),
  ];
  if (found.length === 0) return [];
  const lineOf = (condition: object): string => `- ${flowYaml(condition)}`;
  const parts = found.flatMap(({ fact, condition, values }): readonly LeavingOut[] =>
    values
      ? values.map((value) => ({
          fact: `${fact}: rows with ${flowYaml(value)}`,
          line: lineOf({ ...condition, in: [value] }),
        }))
      : [{ fact, line: lineOf(condition) }],
  );
  const lines = found.map(({ condition }) => lineOf(condition));
  return [
    '',
    ...questions.ask({
      text: `are these rows to be left out? ${found.map(({ fact }) => fact).join('; ')}.`,
      key: 'filter',
      answers: [leavingOut('filter', lines, parts)],
      isInParts: true,
      isOptional: true,
      how: `Remove the "# " of each condition whose rows are left out${found.some(({ values }) => values) ? ', and write their values between the brackets' : ''}; or remove the line \`filter:\` when every row is a record.`,
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
  used: ReadonlySet<ColumnProfile>,
): readonly DoubtfulRows[] {
  if (count === 0 || columns.length === 0) return [];
  const telling = columns.filter(({ empty }) => empty === count);
  const column = telling.find((each) => used.has(each)) ?? telling[0];
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

/** Headers of columns that say whether a row counts. */
const STATE =
  /(?:^|[^\p{L}])(?:is ?)?(?:deleted|removed|void(?:ed)?|cancell?ed|cancell?ation|revers(?:ed|al)|status|state|gel(?:ö|oe)scht|storno|storniert|annulliert|annul(?:é|e)e?|supprim(?:é|e)|anulad[oa]|annullat[oa]|geannuleerd|anulowan[yae]|zrušen[oaý]|状態|取消|削除)(?:$|[^\p{L}])/iu;
/** Values of such a column that mean that the row does not count. */
const NOT_COUNTED =
  /^(?:deleted?|removed?|void(?:ed)?|cancell?ed|revers(?:ed|al)|storno|storniert|gel(?:ö|oe)scht|annulliert|annul(?:é|e)e?|anulad[oa]|annullat[oa]|geannuleerd|anulowan[yae]|取消|削除)$/iu;
/** Most values of a column of states. */
const MAX_STATES = 10;

/** Rows that a column such as `deleted_at` or `Status` may take back: the few that it fills, or those with another value than most. */
function stateRows(column: ColumnProfile, rows: number): readonly DoubtfulRows[] {
  const { name, values, filled, empty } = column;
  const header = name.replaceAll(/[_.-]|(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  const count = valuesOf(column);
  if (!STATE.test(header) || count === 0 || rows < 2) return [];
  const kinds = (values?.length ?? MAX_STATES) + (empty > 0 ? 1 : 0);
  if (empty > 0 && (filled * 2 < rows || kinds > MAX_STATES)) {
    const fact = `${shownName(name)} is filled in ${count} of ${rows} rows`;
    return [{ fact, condition: { column: name, is: 'present' } }];
  }
  if (!values || kinds < 2 || kinds > MAX_STATES) return [];
  const taken = values.filter((value) => NOT_COUNTED.test(value.trim()));
  const fact = `${shownName(name)} has ${kinds} different values`;
  // A state may be a part of a country. A word for a row that does not count may be shown, unlike other values.
  if (taken.length === 0 && /state/iu.test(header)) return [];
  if (taken.length === 0) return [{ fact, condition: { column: name, in: [] }, values }];
  return [{ fact: `${fact}, among them ${taken.join(', ')}`, condition: { column: name, in: taken } }];
}

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
