import type { Resource } from '../../../core/contract/resources.ts';
import { fieldOfName, type CellKind } from '../../mapping/language/fields.ts';
import type { InspectedColumn } from '../inspection.ts';
import { knownValues } from './choice-draft.ts';
import { shownName } from './draft-text.ts';
import { fieldDraft } from './field-draft.ts';
import { specsOf, type DraftSetting, type FieldDraft, type FieldSpec } from './field-finding.ts';
import { amountColumns, valuesOf } from './number-draft.ts';

/** Columns that are named one by one. */
const SHOWN = 30;
/** More different values are no list of kinds. */
const MAX_KINDS = 50;

/** A question for a field that no header names: every free column that could be it by its values, ready to be used. */
export function candidateDraft(
  field: string,
  free: readonly InspectedColumn[],
  setting: DraftSetting,
): FieldDraft {
  const { resource } = setting;
  const fitting = fittingColumns(field, free, setting);
  const specs = fitting.slice(0, SHOWN).flatMap((column) => specsOf(fieldDraft(field, column, setting)));
  const known = knownValues(resource, field);
  const listed =
    fitting.length > 0
      ? ` By their values these may be it: ${namesText(fitting)}.`
      : free.length > 0
        ? ` Columns that feed nothing yet: ${namesText(free)}.`
        : '';
  return {
    kind: 'open',
    specs: [
      ...(specs.length > 0 ? specs : ['COLUMN']),
      ...(known ? [{ constant: known[0]! }] : []),
    ] satisfies readonly FieldSpec[],
    because: `where does the ${field} come from? No header says so.${listed}`,
  };
}

function namesText(columns: readonly InspectedColumn[]): string {
  const names = columns.slice(0, SHOWN).map(({ name }) => shownName(name));
  return `${names.join(', ')}${columns.length > SHOWN ? ` and ${columns.length - SHOWN} more` : ''}`;
}

function fittingColumns(
  field: string,
  free: readonly InspectedColumn[],
  { resource, rows }: DraftSetting,
): readonly InspectedColumn[] {
  const filled = free.filter((column) => valuesOf(column) > 0);
  const kind = fieldOfName(resource, field)!.kind;
  if (kind === 'text') return filled.filter(textTest(field, resource, rows));
  return COLUMNS_OF_KIND[kind](filled);
}

const COLUMNS_OF_KIND: Readonly<
  Record<Exclude<CellKind, 'text'>, (columns: readonly InspectedColumn[]) => readonly InspectedColumn[]>
> = {
  date: datedColumns,
  datetime: datedColumns,
  decimal: amountColumns,
  boolean: (columns) => columns.filter(({ distinct }) => distinct.isExact && distinct.count <= 2),
  json: (columns) => columns.filter(({ kinds }) => kinds.some(({ kind }) => kind === 'json')),
};

function datedColumns(columns: readonly InspectedColumn[]): readonly InspectedColumn[] {
  return columns.filter(({ dates }) => dates !== null && (dates.formats.length > 0 || dates.centuryDays > 0));
}

function isDated({ dates }: InspectedColumn): boolean {
  return dates !== null;
}

/** What a text has to be like: kinds are few, ids of records come once, accounts stand in every row. */
function textTest(field: string, resource: Resource, rows: number): (column: InspectedColumn) => boolean {
  if (knownValues(resource, field)) {
    return (column) => {
      const { distinct, filled } = column;
      const isList = distinct.isExact && distinct.count <= MAX_KINDS && distinct.count * 2 <= filled;
      return isList && !isDated(column) && amountColumns([column]).length === 0;
    };
  }
  if (field.endsWith('_id')) {
    return (column) =>
      !isDated(column) &&
      valuesOf(column) >= rows &&
      (column.repeats.count === 0 || column.repeatsPrevious.count > 0) &&
      amountColumns([column]).length === 0;
  }
  return (column) =>
    !isDated(column) &&
    valuesOf(column) >= rows &&
    column.distinct.count > 1 &&
    amountColumns([column]).length === 0;
}
