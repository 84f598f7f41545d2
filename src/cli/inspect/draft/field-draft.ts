import { fieldOfName, type CellKind } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import { decimalDraft } from './amount-draft.ts';
import { booleanDraft, choiceDraft } from './choice-draft.ts';
import { dateFieldDraft } from './date-draft.ts';
import { decided, entryOf, open, valuesOf, type DraftSetting, type FieldDraft } from './draft.ts';
import { shownName } from './draft-text.ts';

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
  boolean: (_, column) => booleanDraft(column),
  json: jsonDraft,
};

function plainDraft(column: ColumnProfile): FieldDraft {
  const { empty, distinct } = column;
  const variety = `${distinct.isExact ? '' : 'more than '}${distinct.count} different`;
  const gaps = empty === 0 ? '' : `, ${empty} cells are empty`;
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
