import { fieldOfName, type CellKind } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import { booleanDraft, choiceDraft } from './choice-draft.ts';
import { dateFieldDraft } from './date-draft.ts';
import {
  decided,
  entryOf,
  open,
  valuesOf,
  type DraftSetting,
  type FieldDraft,
  type FieldEntry,
} from './draft.ts';
import { counted } from '../../output/text/text.ts';
import { shownName } from './draft-text.ts';
import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { namesMinorUnit, type Matches } from './header-match.ts';
import { isReadBy, numberDraft, sharedMarks } from './number-draft.ts';

/** The draft of a field that comes from a column. */
export function fieldDraft(field: string, column: ColumnProfile, setting: DraftSetting): FieldDraft {
  const [damage] = column.damage;
  if (damage?.name === 'formula' && column.damage.length === 1) {
    const replace = [{ pattern: '^="|"$', with: '' }];
    const because = `${damage.count} cells of ${shownName(column.name)} are formulas that keep a number as a text (first on line ${damage.lines[0]}): are these the texts between the quotes?`;
    return open([entryOf(column, { replace })], because);
  }
  const { kind } = fieldOfName(setting.resource, field, setting.descriptors)!;
  if (damage?.name === 'java' && column.damage.length === 1 && kind === 'decimal') {
    const because = `${damage.count} cells of ${shownName(column.name)} have exponents, as Java and JSON write numbers: are they exact?`;
    return open([entryOf(column, { exponent: true })], because);
  }
  if (damage) {
    const because = `${shownName(column.name)} has cells that a spreadsheet has damaged (first on line ${damage.lines[0]}): export it again`;
    return open([], because);
  }
  return DRAFTS[kind](field, column, setting);
}

type Drafter = (field: string, column: ColumnProfile, setting: DraftSetting) => FieldDraft;

const DRAFTS: Readonly<Record<CellKind, Drafter>> = {
  text: (field, column, setting) => choiceDraft(field, column, setting) ?? plainDraft(column),
  decimal: decimalDraft,
  date: (_, column, setting) => dateFieldDraft(column, 'date', setting),
  datetime: (_, column, setting) => dateFieldDraft(column, 'datetime', setting),
  boolean: (_, column, setting) => booleanDraft(column, setting),
  json: jsonDraft,
};

function plainDraft(column: ColumnProfile): FieldDraft {
  const { empty, distinct } = column;
  const variety = `${distinct.isExact ? '' : 'more than '}${distinct.count} different`;
  const gaps = empty === 0 ? '' : `, ${counted(empty, 'cell')} ${empty === 1 ? 'is' : 'are'} empty`;
  return decided(entryOf(column), `${valuesOf(column)} values, ${variety}${gaps}`);
}

function jsonDraft(field: string, column: ColumnProfile): FieldDraft {
  const values = valuesOf(column);
  const json = column.kinds.find(({ kind }) => kind === 'json')?.count ?? 0;
  if (json === values && json > 0) return decided({ column: column.name }, `all ${json} values are JSON`);
  if (field === 'document_paths') {
    const value = { items: [{ document_path: column.name }] };
    return decided(value, `one path in each of ${values} cells`);
  }
  const because = `${shownName(column.name)} has ${json} values of JSON out of ${values}`;
  return open([entryOf(column)], because);
}

function decimalDraft(
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
  const positive = [{ ...entry, negate: true, when: { column: credit.name, is: 'nonzero' } }, entry];
  const doubt = drafts.find(({ isOpen }) => isOpen);
  if (doubt) return open([positive, entry], doubt.because);
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
  const question = 'are credits payments, which are positive, or reversals of charges, which are negative?';
  return open([positive, entry], `${because}: ${question}`);
}

/** The amount in the one currency of the file. A row with another currency has no amount, so it is refused. */
export function inOneCurrency(draft: FieldDraft, { currencies }: DraftSetting): FieldDraft {
  if (currencies.length === 0) return draft;
  const when = currencies.map(({ name, values }) => ({ column: name, in: [...values!] }));
  const inOne = (entry: FieldEntry): object =>
    Array.isArray(entry)
      ? entry.map((each: { when?: object }) => ({
          ...each,
          when: [...(each.when ? [each.when] : []), ...structuredClone(when)],
        }))
      : { ...keysOf(entry), when };
  const choices = draft.choices.map(inOne);
  if (draft.isOpen) return { ...draft, choices };
  const names = currencies.map(({ name }) => shownName(name)).join(' and ');
  return decided(choices[0]!, `${draft.because}; all values of ${names} are one currency`);
}

const keysOf = (entry: FieldEntry): object => (typeof entry === 'string' ? { column: entry } : entry);
