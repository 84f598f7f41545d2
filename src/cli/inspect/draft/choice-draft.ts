import * as z from 'zod/mini';
import { FIELD_FACTS, unwrapped } from '../../../core/contract/field.ts';
import { DESCRIPTORS, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import { recordShape } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import { counted } from '../../output/text/text.ts';
import { decided, entryOf, open, valuesOf, type DraftSetting, type FieldDraft } from './draft.ts';
import { flowYaml, shownName } from './draft-text.ts';

/**
 * The draft of a field with known values: the column itself when it has just these, else a table that people fill in.
 * Undefined for a field of free text, and for a column without values.
 */
export function choiceDraft(
  field: string,
  column: ColumnProfile,
  { resource, descriptors, showValues }: DraftSetting,
): FieldDraft | undefined {
  const known = knownValues(resource, field, descriptors);
  const { values } = column;
  const owner = descriptors ? 'contract' : 'interface';
  if (!known || values?.length === 0) return undefined;
  if (values?.every((value) => known.includes(value))) {
    const because = `only values of the ${owner} are in it (${values.length} different)`;
    return decided(entryOf(column), because);
  }
  const count = values
    ? counted(values.length, 'different value')
    : `more than ${column.distinct.count} different values`;
  const because = `what ${values?.length === 1 ? 'does' : 'do'} the ${count} of ${shownName(column.name)}${whereValues(column, showValues)} mean? The ${owner} has ${shownValues(known)}`;
  // A table without meanings is refused until each was filled in. A check of the file names the values that another one lacks.
  const isShown = showValues && values && values.length <= MAX_KINDS;
  const lookup = isShown ? Object.fromEntries(values.map((value) => [value, ''])) : { VALUE: known[0]! };
  return open([entryOf(column, { lookup })], because);
}

/** The values of an operator are many, so a question has the first of them. */
function shownValues(known: readonly string[]): string {
  const more = known.length > MAX_KINDS ? ` and ${known.length - MAX_KINDS} more` : '';
  return `${known.slice(0, MAX_KINDS).join(', ')}${more}`;
}

export const SEE_LINES = '(see line';

/** The values that a question is about, or the lines on which a person finds them. */
export function whereValues({ values, firstLines }: ColumnProfile, showValues: boolean): string {
  if (!values || values.length > MAX_KINDS) return '';
  return showValues ? ` (${values.map(flowYaml).join(', ')})` : ` ${SEE_LINES} ${firstLines.join(', ')})`;
}

/** A column with more different values is no list of kinds. */
export const MAX_KINDS = 50;

/**
 * The values that the interface has or shows for a field; undefined for free text. Under a contract with closed lists for types,
 * the values of these lists.
 */
export function knownValues(
  resource: Resource,
  field: string,
  descriptors: Descriptors = DESCRIPTORS,
): readonly string[] | undefined {
  const shape = recordShape(resource, descriptors).fields[field];
  if (shape?.kind !== 'leaf') return undefined;
  const { schema, facts } = shape;
  if (schema instanceof z.ZodMiniEnum) return Object.values(schema.def.entries) as string[];
  const { typeField, schemaFor } = descriptors[resource];
  const types = typeField === null || typeField === field ? [] : (knownValues(resource, typeField) ?? []);
  const listed = types.flatMap((type) => {
    const ofType = schemaFor?.({ [typeField!]: type }) as z.ZodMiniObject | undefined;
    const value = ofType?.shape[field] as z.ZodMiniType | undefined;
    return (value && FIELD_FACTS.get(unwrapped(value))?.values) ?? [];
  });
  const values = listed.filter((value) => value !== '');
  return values.length > 0 ? [...new Set(values)] : (facts.values ?? facts.known);
}

/** Words for yes, and behind each other in the same order those for no. Beside an X, no is an empty cell. */
const YES = 'true J Ja ja Y Yes yes TRUE True T X 1 ○ はい'.split(' ');
const NO = 'false N Nein nein N No no FALSE False F  0 × いいえ'.split(' ');

export function booleanDraft(column: ColumnProfile, { showValues }: DraftSetting): FieldDraft {
  const words = column.values ?? [];
  const at = YES.findIndex((yes, pair) => words.every((word) => word === yes || word === NO[pair]));
  if (at < 0 || words.length === 0) {
    const because = `which values of ${shownName(column.name)}${whereValues(column, showValues)} mean yes, which no?`;
    return open([entryOf(column, { true_tokens: ['1'], false_tokens: ['0'] })], because);
  }
  const [yes, no] = [YES[at]!, NO[at]!];
  const because = `all ${valuesOf(column)} values are ${yes}${no === '' ? '' : ` or ${no}`}`;
  const keys = yes === 'true' ? {} : { true_tokens: [yes], ...(no === '' ? {} : { false_tokens: [no] }) };
  return decided(entryOf(column, keys), because);
}
