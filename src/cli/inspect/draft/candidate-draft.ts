import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { fieldOfName, type CellKind } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/profiled-column.ts';
import { knownValues } from './choice-draft.ts';
import { answersOf, open, valuesOf, type DraftSetting, type FieldDraft, type FieldEntry } from './draft.ts';
import { shownName } from './draft-text.ts';
import { mayBeSerial } from './date-draft.ts';
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
export function candidateDraft(
  field: string,
  free: readonly ColumnProfile[],
  setting: DraftSetting,
  hasBothSigns = false,
): FieldDraft {
  const { resource } = setting;
  const isMixed = hasBothSigns && field === DESCRIPTORS[resource].typeField;
  const fitting = fittingColumns(field, free, setting);
  const shown = field === 'external_account_number' ? SHOWN_ACCOUNTS : SHOWN;
  const entries: readonly FieldEntry[] = fitting
    .slice(0, shown)
    .flatMap((column) => answersOf(fieldDraft(field, column, setting)));
  const known = knownValues(resource, field, setting.descriptors);
  const listed =
    fitting.length > 0
      ? ` By their values these may be it: ${namesText(fitting, shown)}.`
      : free.length > 0
        ? ` Columns that feed nothing yet: ${namesText(free, SHOWN)}.`
        : '';
  const choices = [
    ...(entries.length > 0 ? entries : ['COLUMN']),
    ...(known && !isMixed ? [{ constant: known[0]! }] : []),
  ];
  const signs = isMixed
    ? ' The amounts are positive and negative, so one constant is wrong for some rows.'
    : '';
  return open<FieldEntry>(choices, `where does the ${field} come from? No header says so.${listed}${signs}`);
}

function namesText(columns: readonly ColumnProfile[], shown: number): string {
  const names = columns.slice(0, shown).map(({ name }) => shownName(name));
  return `${names.join(', ')}${columns.length > shown ? ` and ${columns.length - shown} more` : ''}`;
}

function fittingColumns(
  field: string,
  free: readonly ColumnProfile[],
  { resource, rows, descriptors }: DraftSetting,
): readonly ColumnProfile[] {
  const filled = free.filter((column) => valuesOf(column) > 0);
  const { kind } = fieldOfName(resource, field, descriptors)!;
  if (kind !== 'text') return COLUMNS_OF_KIND[kind](filled);
  const fitting = filled.filter(textTest(field, resource, rows));
  if (knownValues(resource, field))
    return preferred(fitting, (column) => column.distinct.count > 1 && !namesAccounts(column));
  if (field.endsWith('_id')) return preferred(fitting, ({ repeats }) => repeats.count === 0);
  if (field !== 'external_account_number')
    return fitting.toSorted((a, b) => b.lengths.longest - a.lengths.longest);
  // Accounts repeat. Of columns that do, the one with the most values is the least likely to be a kind.
  const accounts = preferred(fitting, (column) => !isKind(column));
  const repeating = accounts.filter(({ repeats }) => repeats.count > 0);
  const others = accounts.filter(({ repeats }) => repeats.count === 0);
  const ordered = [...repeating.toSorted((a, b) => b.distinct.count - a.distinct.count), ...others];
  return ordered.toSorted((a, b) => accountEvidence(b) - accountEvidence(a));
}

/** The most values of a list of kinds, such as a status, and the share of the rows that they are at most. */
const FEW_KINDS = 10;
const KIND_SHARE = 0.1;

/** Whether a column has few texts that repeat all the time, as a status or a scheme has. */
function isKind(column: ColumnProfile): boolean {
  const { distinct, filled } = column;
  return (
    distinct.isExact &&
    distinct.count <= Math.min(FEW_KINDS, filled * KIND_SHARE) &&
    accountEvidence(column) === 0
  );
}

/** Whether a column has account numbers rather than kinds: numbers that look like some, or more texts than lists of kinds have. */
function namesAccounts(column: ColumnProfile): boolean {
  const isNumber = column.kinds.length === 1 && column.kinds[0]!.kind === 'integer';
  return column.distinct.count > FEW_KINDS || (isNumber && accountEvidence(column) > 0);
}

/** How much a column looks like account numbers: numbers with zeros before them, or of one length, and a header with a usual word. */
function accountEvidence({ name, lengths, leadingZeros, kinds }: ColumnProfile): number {
  const isNumber = kinds.length === 1 && kinds[0]!.kind === 'integer';
  const hasOneLength = isNumber && lengths.shortest === lengths.longest && lengths.longest >= 6;
  return (
    (ACCOUNT_WORD.test(name ?? '') ? 2 : 0) + (isNumber && leadingZeros > 0 ? 1 : 0) + (hasOneLength ? 1 : 0)
  );
}

/** Words for a customer, an account or a contract inside of a header. */
const ACCOUNT_WORD =
  /acc(?:oun)?t|cust(?:omer)?|client|kunde|konto|vertrag|klant|debiteur|contract|klient|umow|cliente|客|契約/iu;

/** The columns that pass a test; all of them when none does. */
function preferred(
  columns: readonly ColumnProfile[],
  test: (column: ColumnProfile) => boolean,
): readonly ColumnProfile[] {
  const passing = columns.filter(test);
  return passing.length > 0 ? passing : columns;
}

const COLUMNS_OF_KIND: Readonly<
  Record<Exclude<CellKind, 'text'>, (columns: readonly ColumnProfile[]) => readonly ColumnProfile[]>
> = {
  date: datedColumns,
  datetime: datedColumns,
  decimal: amountColumns,
  boolean: (columns) => columns.filter(({ distinct }) => distinct.isExact && distinct.count <= 2),
  json: (columns) => columns.filter(({ kinds }) => kinds.some(({ kind }) => kind === 'json')),
};

function datedColumns(columns: readonly ColumnProfile[]): readonly ColumnProfile[] {
  const dated = columns.filter(isDated);
  return dated.length > 0 ? dated : columns.filter(mayBeSerial);
}

/** Whether most values are dates. A few numbers of accounts look like days by chance. */
function isDated(column: ColumnProfile): boolean {
  const { dates } = column;
  if (dates === null) return false;
  const { formats, pairs, centuryDays, times } = dates;
  return formats.length + pairs.length + times.length > 0 || centuryDays * 2 >= valuesOf(column);
}

/** The test for columns of a text field. Kinds are few, ids of records occur once, accounts are in every row. */
function textTest(field: string, resource: Resource, rows: number): (column: ColumnProfile) => boolean {
  const isText = (column: ColumnProfile): boolean =>
    !isDated(column) &&
    amountColumns([column]).length === 0 &&
    !column.kinds.some(({ kind }) => kind === 'json');
  if (knownValues(resource, field))
    return (column) => {
      const { distinct, filled } = column;
      return (
        isText(column) && distinct.isExact && distinct.count <= MAX_KINDS && distinct.count * 2 <= filled
      );
    };
  if (field === keyField(resource))
    return (column) => {
      const { repeats, repeatsPrevious, distinct } = column;
      // Rows of one record follow each other.
      const isUnique =
        repeats.count === 0 || (distinct.count > 1 && repeatsPrevious.count * 10 >= repeats.count * 9);
      return isText(column) && isInNearlyAll(column, rows) && isUnique;
    };
  return (column) => isText(column) && isInNearlyAll(column, rows) && column.distinct.count > 1;
}

/** Rows without a value are a hundredth at most. These may be rows of totals that nothing tells apart. */
function isInNearlyAll(column: ColumnProfile, rows: number): boolean {
  return (rows - valuesOf(column)) * 100 <= rows;
}
