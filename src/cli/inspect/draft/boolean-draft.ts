import type { InspectedColumn } from '../inspection.ts';
import { shownName } from './draft-text.ts';
import { specOf, type FieldDraft } from './field-finding.ts';
import { valuesOf } from './number-draft.ts';

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
  ['はい', 'いいえ'],
];

export function booleanDraft(column: InspectedColumn): FieldDraft {
  const words = column.values ?? [];
  const pair =
    words.length === 0
      ? undefined
      : BOOLEANS.find(([yes, no]) => words.every((word) => word === yes || word === no));
  if (!pair) {
    const specs = [specOf(column, { true_tokens: ['1'], false_tokens: ['0'] })];
    return {
      kind: 'open',
      specs,
      because: `which of the ${words.length} different values of ${shownName(column.name)} mean yes, which no?`,
    };
  }
  const because = `all ${valuesOf(column)} values are ${pair[0]}${pair[1] === '' ? '' : ` or ${pair[1]}`}`;
  if (pair[0] === 'true') return { kind: 'decided', spec: specOf(column), because };
  const keys = { true_tokens: [pair[0]], ...(pair[1] === '' ? {} : { false_tokens: [pair[1]] }) };
  return { kind: 'decided', spec: specOf(column, keys), because };
}
