import { fieldOfName, type CellKind } from '../../mapping/language/fields.ts';
import type { InspectedColumn } from '../inspection.ts';
import { booleanDraft } from './boolean-draft.ts';
import { choiceDraft } from './choice-draft.ts';
import { decimalDraft } from './decimal-draft.ts';
import { shownName } from './draft-text.ts';
import { specOf, type DraftSetting, type FieldDraft } from './field-finding.ts';
import { valuesOf } from './number-draft.ts';
import { timeDraft } from './time-draft.ts';

export function fieldDraft(field: string, column: InspectedColumn, setting: DraftSetting): FieldDraft {
  const kind = fieldOfName(setting.resource, field)!.kind;
  if (column.damage.length > 0) {
    const because = `${shownName(column.name)} has cells that a spreadsheet has damaged (first on line ${column.damage[0]!.lines[0]}): export it again`;
    return { kind: 'open', specs: [], because };
  }
  return DRAFTS[kind](field, column, setting);
}

type Drafter = (field: string, column: InspectedColumn, setting: DraftSetting) => FieldDraft;

const DRAFTS: Readonly<Record<CellKind, Drafter>> = {
  text: (field, column, setting) => choiceDraft(field, column, setting) ?? plainDraft(column),
  decimal: decimalDraft,
  date: (_, column, setting) => timeDraft(column, 'date', setting),
  datetime: (_, column, setting) => timeDraft(column, 'datetime', setting),
  boolean: (_, column) => booleanDraft(column),
  json: jsonDraft,
};

function plainDraft(column: InspectedColumn): FieldDraft {
  const { empty, distinct, repeats } = column;
  const variety = distinct.isExact
    ? `${distinct.count} different`
    : `more than ${distinct.count} different${repeats.count === 0 ? ', no repeat among those' : ''}`;
  const gaps = empty === 0 ? '' : `, ${empty} cells are empty`;
  return {
    kind: 'decided',
    spec: specOf(column),
    because: `${valuesOf(column)} values, ${variety}${gaps}`,
  };
}

function jsonDraft(field: string, column: InspectedColumn): FieldDraft {
  const json = column.kinds.find(({ kind }) => kind === 'json')?.count ?? 0;
  if (json === valuesOf(column) && json > 0) {
    return {
      kind: 'decided',
      spec: { column: column.name },
      because: `all ${json} values are JSON`,
    };
  }
  if (field === 'document_paths') {
    const spec = { items: [{ document_path: column.name }] };
    return { kind: 'decided', spec, because: `one path in each of ${valuesOf(column)} cells` };
  }
  return {
    kind: 'open',
    specs: [specOf(column)],
    because: `${shownName(column.name)} has ${json} values of JSON out of ${valuesOf(column)}`,
  };
}
