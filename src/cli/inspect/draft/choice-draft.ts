import { FIELD_FACTS, unwrapped } from '../../../core/contract/field.ts';
import { note } from '../../../core/contract/note.ts';
import { paymentInstruction } from '../../../core/contract/payment-instruction.ts';
import type { Resource } from '../../../core/contract/resources.ts';
import { statement } from '../../../core/contract/statement.ts';
import { transaction, TRANSACTION_TYPES } from '../../../core/contract/transaction.ts';
import { counted } from '../counted.ts';
import type { InspectedColumn } from '../inspection.ts';
import { shownName } from './draft-text.ts';
import { specOf, type DraftSetting, type FieldDraft } from './field-finding.ts';

/** A field with values of its own: taken over when the column has just those, else a table that people fill in. */
export function choiceDraft(
  field: string,
  column: InspectedColumn,
  { resource, showValues }: DraftSetting,
): FieldDraft | undefined {
  const known = knownValues(resource, field);
  if (!known) return undefined;
  const values = column.values;
  if (values?.every((value) => known.includes(value)) && values.length > 0) {
    return {
      kind: 'decided',
      spec: specOf(column),
      because: `its ${values.length} different values are values of the interface`,
    };
  }
  const count = values
    ? counted(values.length, 'different value')
    : `more than ${column.distinct.count} different values`;
  if (values?.length === 0) return undefined;
  const because = `what ${values?.length === 1 ? 'does' : 'do'} the ${count} of ${shownName(column.name)} mean? The interface has ${known.join(', ')}${showValues ? '' : '; `map init --show-values` lists the values here'}`;
  const entries = showValues && values && values.length <= MAX_LOOKUP ? values : ['VALUE'];
  // Without meanings: the table is refused until each has been filled in.
  const lookup = Object.fromEntries(entries.map((value) => [value, '']));
  return { kind: 'open', specs: [specOf(column, { lookup })], because };
}

/** More values are no list of kinds. */
const MAX_LOOKUP = 50;

const SHAPES = {
  notes: note,
  transactions: transaction,
  statements: statement,
  'payment-instructions': paymentInstruction,
};

/** The values that the interface has or shows for a field; undefined for free text. */
export function knownValues(resource: Resource, field: string): readonly string[] | undefined {
  if (resource === 'transactions' && field === 'type') return TRANSACTION_TYPES;
  const shape: Readonly<Record<string, Parameters<typeof unwrapped>[0]>> = SHAPES[resource].shape;
  const schema = shape[field];
  return schema && FIELD_FACTS.get(unwrapped(schema))?.known;
}
