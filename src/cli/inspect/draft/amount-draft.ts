import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import type { ColumnProfile } from '../column/profiled-column.ts';
import {
  answersOf,
  decided,
  entryOf,
  open,
  valuesOf,
  type DraftSetting,
  type FieldDraft,
  type FieldEntry,
  type NumberKeys,
} from './draft.ts';
import { shownName } from './draft-text.ts';
import { idColumnOf, type FieldMatch } from './header-match.ts';
import { namesMinorUnit } from './header-terms.ts';
import { numberDraft } from './number-draft.ts';

export function decimalDraft(
  field: string,
  column: ColumnProfile,
  { resource, numbers: ofSource }: DraftSetting,
): FieldDraft {
  const draft = numberDraft(column);
  const name = shownName(column.name);
  if (draft.kind === 'unfit') return open([entryOf(column)], `is ${name} the ${field}? ${draft.because}`);
  if (draft.kind === 'open') {
    const choices = draft.choices.map((keys) => entryOf(column, { ...keys, ...plusKeys(column) }));
    return open(choices, draft.because);
  }
  const isOwn = draft.kind === 'decided' && !isReadBy(draft.value, ofSource);
  const keys = { ...(isOwn ? { decimal_mark: '.', ...draft.value } : {}), ...plusKeys(column) };
  const { amount } = DESCRIPTORS[resource];
  const ofUnit = field === amount?.field ? unitDraft(column, keys, amount.unit) : undefined;
  if (ofUnit) return ofUnit;
  const because =
    draft.kind === 'plain' ? `all ${valuesOf(column)} values of ${name} are whole numbers` : draft.because;
  return decided(entryOf(column, keys), because);
}

/** Whether the marks that the source declares read a column. A declared mark for thousands need not occur. */
function isReadBy(own: NumberKeys, declared: NumberKeys): boolean {
  return (
    (own.decimal_mark ?? '.') === (declared.decimal_mark ?? '.') &&
    (own.thousands_mark === undefined || own.thousands_mark === declared.thousands_mark)
  );
}

/** The replacement for a plus, which no number of a mapping has. */
function plusKeys({ numbers }: ColumnProfile): object {
  const hasPlus = numbers?.signs.some(({ sign }) => sign === 'plus') ?? false;
  return hasPlus ? { replace: [{ pattern: String.raw`^\+`, with: '' }] } : {};
}

/**
 * Whole numbers may be minor units or major ones, and so may any numbers under a header that says minor units. Undefined where decimals
 * show that the column has the major units that the interface wants.
 */
function unitDraft(column: ColumnProfile, keys: object, wanted: 'major' | 'minor'): FieldDraft | undefined {
  const { integers, count } = column.numbers!;
  const decimals = count - integers;
  const saysMinor = namesMinorUnit(column.name ?? '');
  if (decimals > 0 && !saysMinor) {
    const because = `${decimals} of ${count} values have decimals, so they are major units`;
    return wanted === 'major' ? undefined : decided(entryOf(column, { ...keys, unit: 'major' }), because);
  }
  const choices = ['minor', 'major'].map((unit) => entryOf(column, { ...keys, unit }));
  const numbers = decimals > 0 ? `${count} numbers, of which ${decimals} have decimals,` : 'whole numbers';
  const because = `are the ${numbers} of ${shownName(column.name)} minor units (5324 for 53.24) or major ones?`;
  return open(choices, because);
}

/** An amount from two columns, debit and credit; undefined when the file does not have both. */
export function amountDraft(
  matches: ReadonlyMap<string, FieldMatch>,
  setting: DraftSetting,
): FieldDraft | undefined {
  const [debit, credit] = [matches.get('debit')?.columns[0], matches.get('credit')?.columns[0]];
  if (!debit || !credit) return undefined;
  const amount = matches.get('amount')?.columns[0];
  const difference = differenceOf(debit, credit, setting);
  const entries = answersOf(difference);
  if (amount) {
    const choices = [...answersOf(decimalDraft('amount', amount, setting)), ...entries];
    const because = `which is the amount: ${shownName(amount.name)}, or ${shownName(debit.name)} less ${shownName(credit.name)}?`;
    return open(choices, because);
  }
  if (difference.kind === 'open') return difference;
  const filled = `${shownName(debit.name)} has ${valuesOf(debit)} values and ${shownName(credit.name)} ${valuesOf(credit)}, in ${setting.rows} rows`;
  if (valuesOf(debit) + valuesOf(credit) < setting.rows)
    return open(entries, `${filled}: what are the rows with neither?`);
  return decided(difference.value, `debit less credit; ${filled}`);
}

/** Debit minus credit; a question when one of the two columns does not show how it writes numbers. */
function differenceOf(debit: ColumnProfile, credit: ColumnProfile, { numbers }: DraftSetting): FieldDraft {
  const drafts = [debit, credit].map(numberDraft);
  const [doubt] = drafts.flatMap((draft) =>
    draft.kind === 'unfit' || draft.kind === 'open' ? [draft.because] : [],
  );
  const [marks] = drafts.flatMap((draft) => (draft.kind === 'decided' ? [draft.value] : []));
  const keys = Object.keys(numbers).length === 0 && marks?.decimal_mark === ',' ? marks : {};
  const entry = { debit: debit.name, credit: credit.name, ...keys };
  if (doubt !== undefined) return open([entry], doubt);
  if (!drafts.every(({ kind }) => kind === 'plain')) return decided(entry, '');
  const names = [debit, credit].map(({ name }) => shownName(name)).join(' and ');
  return open(
    ['minor', 'major'].map((unit) => ({ ...entry, unit })),
    `are the whole numbers of ${names} minor units (5324 for 53.24) or major ones?`,
  );
}

/** An amount, or the question whether a record is the sum of several. Rows that repeat an id may be one record. */
export function summedDraft(
  draft: FieldDraft,
  matches: ReadonlyMap<string, FieldMatch>,
  { resource, rows }: DraftSetting,
): FieldDraft {
  const id = idColumnOf(resource, matches);
  if (draft.kind === 'open' || draft.value === null || !id || id.repeatsPrevious.count === 0) return draft;
  const columns = columnsOf(draft.value, matches);
  // An amount that is repeated with its id is the amount of the record.
  const isRepeated = columns.every((column) => column.repeatsPrevious.count >= id.repeatsPrevious.count);
  if (isRepeated) return draft;
  const keys = typeof draft.value === 'string' ? { column: draft.value } : draft.value;
  const records = rows - id.repeatsPrevious.count;
  const because = `is each row an amount of its own, or is the amount the sum of the rows with one ${shownName(id.name)} (${rows} rows, ${records} in a row without a repeat)? The sum needs \`continuation\` below`;
  return open([draft.value, { ...keys, sum: true }], because);
}

/** The amount in the one currency of the file. A row with another currency has no amount, so it is refused. */
export function inOneCurrency(draft: FieldDraft, { currencies }: DraftSetting): FieldDraft {
  if (currencies.length === 0) return draft;
  const when = currencies.map(({ name, values }) => ({ column: name, in: [...values!] }));
  const guarded = (entry: FieldEntry): FieldEntry =>
    entry && { ...(typeof entry === 'string' ? { column: entry } : entry), when };
  if (draft.kind === 'open') return open(draft.choices.map(guarded), draft.because);
  const names = currencies.map(({ name }) => shownName(name)).join(' and ');
  return decided(guarded(draft.value), `${draft.because}; all values of ${names} are one currency`);
}

function columnsOf(
  entry: NonNullable<FieldEntry>,
  matches: ReadonlyMap<string, FieldMatch>,
): readonly ColumnProfile[] {
  const names: readonly unknown[] = typeof entry === 'string' ? [entry] : Object.values(entry);
  return [...matches.values()]
    .flatMap(({ columns }) => columns)
    .filter(({ name }) => name !== null && names.includes(name));
}
