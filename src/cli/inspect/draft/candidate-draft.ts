import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { fieldOfName, type CellKind } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import { knownValues } from './choice-draft.ts';
import { mayBeSerial } from './date-draft.ts';
import { valuesOf, type DraftSetting, type FieldDraft } from './draft.ts';
import { fieldDraft } from './field-draft.ts';
import { keyField } from './header-match.ts';
import { amountColumns } from './number-draft.ts';

/** Columns that are named one by one. */
const SHOWN = 30;
/** Columns that may be the account. The likeliest come first, and a longer list helps nobody. */
const SHOWN_ACCOUNTS = 5;
/** A column with more different values is no list of kinds. */
const MAX_KINDS = 50;

/**
 * The question for a field that no header names. Its answers are all free columns that fit by their values. `hasBothSigns`: of the amounts,
 * whose type is not one for all rows then.
 */
export function candidateDraft(field: string, setting: DraftSetting, hasBothSigns = false): FieldDraft {
  const { resource } = setting;
  const isMixed = hasBothSigns && field === DESCRIPTORS[resource].typeField;
  const shown = field === 'external_account_number' ? SHOWN_ACCOUNTS : SHOWN;
  const entries = fittingColumns(field, setting)
    .slice(0, shown)
    .flatMap((column) => fieldDraft(field, column, setting).choices);
  const known = knownValues(resource, field, setting.descriptors);
  const from = entries.length > 0 ? ' By their values these columns may be it.' : '';
  const signs = isMixed
    ? ' The amounts are positive and negative, so one constant is wrong for some rows.'
    : '';
  return {
    isOpen: true,
    choices: [...entries, ...(known && !isMixed ? [{ constant: known[0]! }] : [])],
    because: `where does the ${field} come from? No header says so.${from}${signs}`,
    isAnyColumn: true,
  };
}

type Columns = readonly ColumnProfile[];

function fittingColumns(field: string, setting: DraftSetting): Columns {
  const { resource, descriptors, free } = setting;
  const filled = free.filter((column) => valuesOf(column) > 0);
  const { kind } = fieldOfName(resource, field, descriptors)!;
  return kind === 'text' ? textColumns(field, filled, setting) : COLUMNS_OF_KIND[kind](filled);
}

const COLUMNS_OF_KIND: Readonly<Record<Exclude<CellKind, 'text'>, (columns: Columns) => Columns>> = {
  date: datedColumns,
  datetime: (columns) => preferred(datedColumns(columns), hasTimes),
  decimal: (columns) => [...amountColumns(columns), ...columns.filter(mayBeWholeAmount)],
  boolean: (columns) => columns.filter(({ distinct }) => distinct.isExact && distinct.count <= 2),
  json: (columns) => columns.filter(({ kinds }) => kinds.some(({ kind }) => kind === 'json')),
};

function datedColumns(columns: Columns): Columns {
  const dated = columns.filter(isDated);
  return dated.length > 0 ? dated : columns.filter(mayBeSerial);
}

/** Whether a column has whole numbers that may be amounts, whatever the language of its header. */
const mayBeWholeAmount = ({ name, kinds, numbers, dates, distinct, lengths }: ColumnProfile): boolean =>
  kinds.every(({ kind }) => kind === 'integer') &&
  numbers!.signs.length === 0 &&
  dates === null &&
  distinct.count > 1 &&
  lengths.longest <= LONGEST_AMOUNT &&
  !ACCOUNT_WORD.test(name);

/** A longer whole number is a code. */
const LONGEST_AMOUNT = 9;

/** Whether most values are dates. A few numbers of accounts look like days by chance. */
const isDated = ({ dates }: ColumnProfile): boolean =>
  dates !== null && (dates.formats.length > 0 || dates.time !== undefined);

/** Whether most values are dates with a time. */
export const hasTimes = ({ dates }: ColumnProfile): boolean => dates?.formats[0]?.kind === 'datetime';

/** The columns that pass a test; all of them when none does. */
function preferred(columns: Columns, test: (column: ColumnProfile) => boolean): Columns {
  const passing = columns.filter(test);
  return passing.length > 0 ? passing : columns;
}

/** The columns of a text field. Kinds are few, ids of records occur once, accounts are in every row. */
function textColumns(field: string, filled: Columns, { resource, rows }: DraftSetting): Columns {
  const texts = filled.filter(
    (column) =>
      !isDated(column) &&
      amountColumns([column]).length === 0 &&
      !column.kinds.some(({ kind }) => kind === 'json'),
  );
  if (knownValues(resource, field)) {
    const kinds = texts.filter(
      (column) =>
        column.distinct.isExact &&
        column.distinct.count <= MAX_KINDS &&
        column.distinct.count * 2 <= column.filled,
    );
    return preferred(kinds, ({ name, distinct }) => distinct.count > 1 && !ACCOUNT_WORD.test(name));
  }
  // Rows without a value are a hundredth at most. These may be rows of totals that nothing tells apart.
  const whole = texts.filter((column) => (rows - valuesOf(column)) * 100 <= rows);
  if (field === keyField(resource)) {
    // Rows of one record follow each other.
    const ids = whole.filter(
      ({ repeats, repeatsPrevious, distinct }) =>
        repeats.count === 0 || (distinct.count > 1 && repeatsPrevious.count * 10 >= repeats.count * 9),
    );
    return preferred(ids, ({ repeats }) => repeats.count === 0);
  }
  const varying = whole.filter(({ distinct }) => distinct.count > 1);
  if (field !== 'external_account_number') return varying;
  // Accounts repeat. Of columns that do, the one with the most values is the least likely to be a kind.
  const rank = ({ name, repeats, distinct }: ColumnProfile): number =>
    (ACCOUNT_WORD.test(name) ? 1e6 : 0) + (repeats.count > 0 ? 1e5 + distinct.count : 0);
  return varying.toSorted((a, b) => rank(b) - rank(a));
}

/** Words for a customer, an account or a contract inside of a header. */
const ACCOUNT_WORD =
  /acc(?:oun)?t|cust(?:omer)?|client|kunde|konto|vertrag|klant|debiteur|contract|klient|umow|cliente|сч[её]т|客|契約/iu;
