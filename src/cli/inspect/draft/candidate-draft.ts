import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { fieldOfName, type CellKind } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import { knownValues, MAX_KINDS } from './choice-draft.ts';
import { mayBeSerial } from './date-draft.ts';
import { entryOf, open, valuesOf, type DraftSetting, type FieldDraft, type FieldEntry } from './draft.ts';
import { fieldDraft } from './field-draft.ts';
import { keyField, namesEnergy } from './header-match.ts';
import { amountColumns } from './number-draft.ts';

/** Columns that are named one by one. A longer list helps nobody. */
const SHOWN = 8;

/**
 * The question for a field that no header names. Its answers are all free columns that fit by their values. `types`: of amounts with both
 * signs, whose type is not one for all rows.
 */
export function candidateDraft(
  field: string,
  setting: DraftSetting,
  types?: readonly FieldEntry[],
): FieldDraft {
  const { resource } = setting;
  const isType = field === DESCRIPTORS[resource].typeField;
  const fitting = fittingColumns(field, setting).slice(0, SHOWN);
  const entries = fitting.flatMap((column) => {
    const isPath = field === keyField(resource) && column.kinds[0]?.kind === 'PDF path';
    return isPath ? entryOf(column, NAME_IN_PATH) : fieldDraft(field, column, setting).choices;
  });
  const isSigned = types !== undefined && isType;
  const isOfTwo = isType && fitting.some(({ distinct }) => distinct.count === 2);
  const known = knownValues(resource, field, setting.descriptors);
  const hasItems = isType && setting.columns.some(({ name }) => namesEnergy(name));
  const constants = [...(hasItems ? ['SUPPLY_CHARGE'] : []), ...(known?.slice(0, 1) ?? [])];
  const from = entries.length > 0 ? ' By their values these columns may be it.' : '';
  const signs = [
    ...(isSigned ? [' The amounts are positive and negative, so one constant is wrong for some rows.'] : []),
    ...(isOfTwo ? [' Two values may be debit and credit, so one constant may be wrong for some rows.'] : []),
  ].join('');
  const choices = [
    ...(isType ? (types ?? []) : []),
    ...entries,
    ...(known && signs === '' ? constants.map((constant) => ({ constant })) : []),
  ];
  const question = `where does the ${field} come from? No header says so.`;
  return open(choices, `${question}${from}${signs}${hasItems ? ITEMS : ''}`);
}

/** The id of a document may be in its name. */
const NAME_IN_PATH = { replace: [{ pattern: String.raw`^.*[/\\]|\.(?i:pdf)$`, with: '' }] };
const ITEMS = ' Columns of kWh may be the line_items of a SUPPLY_CHARGE (docs/mapping-recipes.md).';

type Columns = readonly ColumnProfile[];

function fittingColumns(field: string, setting: DraftSetting): Columns {
  const { resource, descriptors, free, columns } = setting;
  const { kind } = fieldOfName(resource, field, descriptors)!;
  const fitting = (some: Columns): Columns => {
    const filled = some.filter((column) => valuesOf(column) > 0);
    return kind === 'text' ? textColumns(field, filled, setting) : COLUMNS_OF_KIND[kind](filled);
  };
  const [found, named] = [fitting(free), columns.filter(({ name }) => name !== '')];
  return found.length === 0 && field === keyField(resource) ? fitting(named) : found;
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
  !ACCOUNT_WORD.test(name) &&
  !namesEnergy(name);

/** A longer whole number is a code. */
const LONGEST_AMOUNT = 9;

/** Whether most values are dates. A few numbers of accounts look like days by chance. */
const isDated = ({ dates }: ColumnProfile): boolean =>
  dates !== null && (dates.formats.length > 0 || dates.time !== undefined);

/** Whether most values are dates with a time. */
export const hasTimes = ({ dates }: ColumnProfile): boolean => dates?.formats[0]?.kind === 'datetime';

/** Whether some value has a digit, as numbers of accounts and records have. */
export const hasDigits = ({ values }: ColumnProfile): boolean =>
  values?.some((value) => /\p{Nd}/u.test(value)) ?? true;

/** The columns that pass a test; all of them when none does. */
function preferred(columns: Columns, test: (column: ColumnProfile) => boolean): Columns {
  const passing = columns.filter(test);
  return passing.length > 0 ? passing : columns;
}

/** The columns of a text field. Kinds are few, ids of records occur once, accounts are in every row and come again. */
function textColumns(field: string, filled: Columns, { resource, rows }: DraftSetting): Columns {
  const isText = (column: ColumnProfile): boolean =>
    !isDated(column) && amountColumns([column]).length === 0 && column.kinds[0]?.kind !== 'json';
  const texts = filled.filter(isText);
  if (knownValues(resource, field)) {
    const kinds = texts.filter(
      ({ distinct, filled: cells }) =>
        distinct.isExact && distinct.count <= MAX_KINDS && distinct.count * 2 <= cells,
    );
    return preferred(kinds, ({ name, distinct }) => distinct.count > 1 && !ACCOUNT_WORD.test(name));
  }
  // Rows without a value are a hundredth at most. These may be rows of totals that nothing tells apart.
  const whole = texts.filter((column) => (rows - valuesOf(column)) * 100 <= rows);
  const varying = whole.filter(({ distinct }) => distinct.count > 1);
  // Rows of one record follow each other.
  if (field === keyField(resource))
    return preferred(
      varying
        .filter(hasDigits)
        .filter(
          (each) => each.repeats.count === 0 || each.repeatsPrevious.count * 10 >= each.repeats.count * 9,
        ),
      ({ repeats }) => repeats.count === 0,
    );
  if (field !== 'external_account_number') return varying;
  // Of columns that come again, the one with the most values is the least likely to be a kind.
  const rank = ({ name, repeats, distinct }: ColumnProfile): number =>
    (ACCOUNT_WORD.test(name) ? 1e6 : 0) + (repeats.count > 0 ? 1e5 + distinct.count : 0);
  return varying.toSorted((a, b) => rank(b) - rank(a));
}

/** Words for a customer, an account or a contract inside of a header. */
const ACCOUNT_WORD =
  /acc(?:oun)?t|cust(?:omer)?|client|kunde|konto|vertrag|klant|debiteur|contract|klient|umow|cliente|сч[её]т|客|契約/iu;
