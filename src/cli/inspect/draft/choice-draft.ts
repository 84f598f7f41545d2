import * as z from 'zod/mini';
import type { Resource } from '../../../core/contract/resources.ts';
import { recordShape } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../inspection.ts';
import { counted } from '../occurrences.ts';
import { decided, entryOf, open, valuesOf, type DraftSetting, type FieldDraft } from './draft.ts';
import { shownName } from './draft-text.ts';

/**
 * The draft of a field with known values: the column itself when it has just these, else a table that people fill in.
 * Undefined for a field of free text, and for a column without values.
 */
export function choiceDraft(
  field: string,
  column: ColumnProfile,
  { resource, showValues }: DraftSetting,
): FieldDraft | undefined {
  const known = knownValues(resource, field);
  const { values } = column;
  if (!known || values?.length === 0) return undefined;
  if (values?.every((value) => known.includes(value))) {
    const because = `its ${values.length} different values are values of the interface`;
    return decided(entryOf(column), because);
  }
  const count = values
    ? counted(values.length, 'different value')
    : `more than ${column.distinct.count} different values`;
  const because = `what ${values?.length === 1 ? 'does' : 'do'} the ${count} of ${shownName(column.name)} mean? The interface has ${known.join(', ')}${showValues ? '' : '; `map init --show-values` lists the values here'}`;
  const entries = showValues && values && values.length <= MAX_LOOKUP ? values : ['VALUE'];
  // The table has no meanings yet, so it is refused until each was filled in.
  const lookup = Object.fromEntries(entries.map((value) => [value, '']));
  return open([entryOf(column, { lookup })], because);
}

/** A column with more different values is no list of kinds. */
const MAX_LOOKUP = 50;

/** The values that the interface has or shows for a field; undefined for free text. */
export function knownValues(resource: Resource, field: string): readonly string[] | undefined {
  const shape = recordShape(resource).fields[field];
  if (shape?.kind !== 'leaf') return undefined;
  const { schema, facts } = shape;
  return schema instanceof z.ZodMiniEnum ? (Object.values(schema.def.entries) as string[]) : facts.known;
}

/** Pairs of words for yes and no. */
const BOOLEANS: readonly (readonly [string, string])[] = [
  ['true', 'false'],
  ['J', 'N'],
  ['Ja', 'Nein'],
  ['ja', 'nein'],
  ['Y', 'N'],
  ['Yes', 'No'],
  ['yes', 'no'],
  ['TRUE', 'FALSE'],
  ['True', 'False'],
  ['T', 'F'],
  ['X', ''],
  ['1', '0'],
  ['○', '×'],
  ['はい', 'いいえ'],
];

export function booleanDraft(column: ColumnProfile): FieldDraft {
  const words = column.values ?? [];
  const pair = BOOLEANS.find(
    ([yes, no]) => words.length > 0 && words.every((word) => word === yes || word === no),
  );
  if (!pair) {
    const because = `which of the ${words.length} different values of ${shownName(column.name)} mean yes, which no?`;
    return open([entryOf(column, { true_tokens: ['1'], false_tokens: ['0'] })], because);
  }
  const [yes, no] = pair;
  const because = `all ${valuesOf(column)} values are ${yes}${no === '' ? '' : ` or ${no}`}`;
  const keys = yes === 'true' ? {} : { true_tokens: [yes], ...(no === '' ? {} : { false_tokens: [no] }) };
  return decided(entryOf(column, keys), because);
}
