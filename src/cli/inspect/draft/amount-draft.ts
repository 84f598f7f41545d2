import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import {
  decided,
  entryOf,
  open,
  valuesOf,
  type DraftSetting,
  type FieldDraft,
  type FieldEntry,
} from './draft.ts';
import { shownName } from './draft-text.ts';
import { idColumnOf, namesMinorUnit, type Matches } from './header-match.ts';
import { isReadBy, numberDraft, sharedMarks } from './number-draft.ts';

export function decimalDraft(
  field: string,
  column: ColumnProfile,
  { resource, numbers: ofSource }: DraftSetting,
): FieldDraft {
  const draft = numberDraft(column);
  const entries = draft.choices.map((keys) => entryOf(column, keys));
  if (draft.isOpen) return { ...draft, choices: entries };
  const { replace, ...marks } = draft.choices[0]!;
  const keys = { ...(isReadBy(marks, ofSource) ? {} : marks), ...(replace && { replace }) };
  const { amount } = DESCRIPTORS[resource];
  const ofUnit = field === amount?.field ? unitDraft(column, keys, amount.unit) : undefined;
  return ofUnit ?? decided(entryOf(column, keys), draft.because);
}

/**
 * Whole numbers may be minor units or major ones, and so may any numbers under a header that says minor units. Undefined where decimals
 * show that the column has the major units that the interface wants.
 */
function unitDraft(column: ColumnProfile, keys: object, wanted: 'major' | 'minor'): FieldDraft | undefined {
  const { integers, count } = column.numbers!;
  const decimals = count - integers;
  const saysMinor = namesMinorUnit(column.name);
  if (decimals > 0 && !saysMinor) {
    const because = `${decimals} of ${count} values have decimals, so they are major units`;
    return wanted === 'major' ? undefined : decided(entryOf(column, { ...keys, unit: 'major' }), because);
  }
  const numbers = decimals > 0 ? `${count} numbers, of which ${decimals} have decimals,` : 'whole numbers';
  return unitQuestion({ column: column.name, ...keys }, `${numbers} of ${shownName(column.name)}`);
}

function unitQuestion(entry: object, numbers: string): FieldDraft {
  const because = `are the ${numbers} minor units (5324 for 53.24) or major ones?`;
  return open(
    ['minor', 'major'].map((unit) => ({ ...entry, unit })),
    because,
  );
}

/** An amount from two columns, debit and credit; undefined when the file does not have both. */
export function amountDraft(matches: Matches, setting: DraftSetting): FieldDraft | undefined {
  const [debit, credit] = [matches.get('debit')?.[0], matches.get('credit')?.[0]];
  if (!debit || !credit) return undefined;
  const amount = matches.get('amount')?.[0];
  const difference = differenceOf(debit, credit, setting);
  if (!amount) return difference;
  const because = `which is the amount: ${shownName(amount.name)}, or ${shownName(debit.name)} less ${shownName(credit.name)}?`;
  return open([...decimalDraft('amount', amount, setting).choices, ...difference.choices], because);
}

/** Debit minus credit; a question when the two columns do not show what they mean. */
function differenceOf(
  debit: ColumnProfile,
  credit: ColumnProfile,
  { numbers, rows }: DraftSetting,
): FieldDraft {
  const both = [debit, credit];
  const drafts = both.map(numberDraft);
  const marks = sharedMarks(both);
  const [replace] = both.flatMap((column) => column.numbers?.replace ?? []);
  const keys = { ...(marks && !isReadBy(marks, numbers) && marks), ...(replace && { replace: [replace] }) };
  const entry = { debit: debit.name, credit: credit.name, ...keys };
  const doubt = drafts.find(({ isOpen }) => isOpen);
  if (doubt) return open([entry], doubt.because);
  const names = `${shownName(debit.name)} and ${shownName(credit.name)}`;
  const signed = both.filter((column) =>
    column.numbers!.signs.some(({ name }) => name !== 'plus' && name !== 'suffix'),
  );
  if (signed.length > 0)
    return open(
      [entry, { ...entry, negate: true }],
      `${signed.map(({ name }) => shownName(name)).join(' and ')} has negative numbers: is the amount debit less credit, or credit less debit?`,
    );
  if (both.every((column) => column.numbers!.integers === column.numbers!.count))
    return unitQuestion(entry, `whole numbers of ${names}`);
  if (!marks) return open([entry], `how are the numbers written? ${names} have different marks`);
  const [debits, credits] = [valuesOf(debit), valuesOf(credit)];
  const because = `${shownName(debit.name)} has ${debits} values and ${shownName(credit.name)} ${credits}, in ${rows} rows`;
  if (debits + credits < rows) return open([entry], `${because}: what are the rows with neither?`);
  return decided(entry, `debit less credit; ${because}`);
}

/** An amount, or the question whether a record is the sum of several. Rows that repeat an id may be one record. */
export function summedDraft(
  draft: FieldDraft,
  matches: Matches,
  { resource, rows }: DraftSetting,
): FieldDraft {
  const id = idColumnOf(resource, matches);
  if (draft.isOpen || !id || id.repeatsPrevious.count === 0) return draft;
  const keys = keysOf(draft.choices[0]!);
  const names: readonly unknown[] = Object.values(keys);
  const columns = [...matches.values()].flat().filter(({ name }) => names.includes(name));
  // An amount that is repeated with its id is the amount of the record.
  const isRepeated = columns.every((column) => column.repeatsPrevious.count >= id.repeatsPrevious.count);
  if (isRepeated) return draft;
  const records = rows - id.repeatsPrevious.count;
  const because = `is each row an amount of its own, or is the amount the sum of the rows with one ${shownName(id.name)} (${rows} rows, ${records} in a row without a repeat)? The sum needs \`continuation\` below`;
  return open([...draft.choices, { ...keys, sum: true }], because);
}

/** The amount in the one currency of the file. A row with another currency has no amount, so it is refused. */
export function inOneCurrency(draft: FieldDraft, { currencies }: DraftSetting): FieldDraft {
  if (currencies.length === 0) return draft;
  const when = currencies.map(({ name, values }) => ({ column: name, in: [...values!] }));
  const choices = draft.choices.map((entry) => ({ ...keysOf(entry), when }));
  if (draft.isOpen) return { ...draft, choices };
  const names = currencies.map(({ name }) => shownName(name)).join(' and ');
  return decided(choices[0]!, `${draft.because}; all values of ${names} are one currency`);
}

const keysOf = (entry: FieldEntry): object => (typeof entry === 'string' ? { column: entry } : entry);
