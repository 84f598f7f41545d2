import { FIELD_FACTS, unwrapped } from '../../../core/contract/field.ts';
import { note } from '../../../core/contract/note.ts';
import { paymentInstruction } from '../../../core/contract/payment-instruction.ts';
import type { Resource } from '../../../core/contract/resources.ts';
import { statement } from '../../../core/contract/statement.ts';
import { transaction, TRANSACTION_TYPES } from '../../../core/contract/transaction.ts';
import { fieldOfName, type CellKind } from '../../mapping/column.ts';
import type { InspectedColumn } from '../inspection.ts';
import { dateDraft } from './date-draft.ts';
import { flowYaml, shownName } from './draft-text.ts';
import { numberDraft, valuesOf, type NumberKeys } from './number-draft.ts';

/** A line for a field, with its evidence; or a question, with lines to choose from. */
export type FieldDraft =
  | { readonly kind: 'decided'; readonly line: string; readonly because: string }
  | { readonly kind: 'open'; readonly answers: readonly string[]; readonly because: string };

/** What the draft of a field has to know of the whole. */
export interface DraftSetting {
  readonly resource: Resource;
  /** How the source says numbers are written; what a column says beyond it stands at its field. */
  readonly numbers: NumberKeys;
  readonly showValues: boolean;
}

export function fieldDraft(field: string, column: InspectedColumn, setting: DraftSetting): FieldDraft {
  const kind = fieldOfName(setting.resource, field)!.kind;
  if (column.damage.length > 0) {
    const because = `${shownName(column.name)} has cells that a spreadsheet has damaged (first on line ${column.damage[0]!.lines[0]}): export it again`;
    return { kind: 'open', answers: [], because };
  }
  return DRAFTS[kind](field, column, setting);
}

type Drafter = (field: string, column: InspectedColumn, setting: DraftSetting) => FieldDraft;

const DRAFTS: Readonly<Record<CellKind, Drafter>> = {
  text: (field, column, setting) => choiceDraft(field, column, setting) ?? plainDraft(field, column),
  decimal: decimalDraft,
  date: (field, column) => timeDraft(field, column, 'date'),
  datetime: (field, column) => timeDraft(field, column, 'datetime'),
  boolean: booleanDraft,
  json: jsonDraft,
};

function lineOf(field: string, column: InspectedColumn, keys: object = {}): string {
  const hasKeys = Object.keys(keys).length > 0;
  return `${field}: ${flowYaml(hasKeys ? { column: column.name, ...keys } : column.name)}`;
}

function plainDraft(field: string, column: InspectedColumn): FieldDraft {
  const { empty, distinct, repeats } = column;
  const variety = distinct.isExact
    ? `${distinct.count} different`
    : `more than ${distinct.count} different${repeats.count === 0 ? ', no repeat among those' : ''}`;
  const gaps = empty === 0 ? '' : `, ${empty} cells are empty`;
  return {
    kind: 'decided',
    line: lineOf(field, column),
    because: `${valuesOf(column)} values, ${variety}${gaps}`,
  };
}

function decimalDraft(
  field: string,
  column: InspectedColumn,
  { numbers: ofSource }: DraftSetting,
): FieldDraft {
  const draft = numberDraft(column);
  if (draft.kind === 'unfit')
    return {
      kind: 'open',
      answers: [lineOf(field, column)],
      because: `is ${shownName(column.name)} the ${field}? ${draft.because}`,
    };
  if (draft.kind === 'open') {
    return {
      kind: 'open',
      answers: draft.choices.map((keys) => lineOf(field, column, keys)),
      because: draft.because,
    };
  }
  const keys = {
    ...(draft.kind === 'decided' && !sameMarks(draft.keys, ofSource)
      ? { decimal_mark: '.', ...draft.keys }
      : {}),
    ...currencyKeys(column),
  };
  if (field === 'gross_amount') return minorDraft(field, column, keys);
  const because =
    draft.kind === 'plain'
      ? `all ${valuesOf(column)} values of ${shownName(column.name)} are whole numbers`
      : draft.because;
  return { kind: 'decided', line: lineOf(field, column, keys), because };
}

function sameMarks(a: NumberKeys, b: NumberKeys): boolean {
  return (a.decimal_mark ?? '.') === (b.decimal_mark ?? '.') && a.thousands_mark === b.thousands_mark;
}

/** One currency sign or code, a plus: not part of a number in a mapping, so they are taken away. */
function currencyKeys({ numbers }: InspectedColumn): object {
  const marks = (numbers?.currencies ?? []).map(({ currency }) => currency.replace('$', String.raw`\$`));
  const hasPlus = numbers?.signs.some(({ sign }) => sign === 'plus') ?? false;
  const patterns = [
    ...(marks.length === 1 ? [String.raw`\s*${marks[0]!}\s*`] : []),
    ...(hasPlus ? [String.raw`^\+`] : []),
  ];
  return patterns.length === 0 ? {} : { replace: patterns.map((pattern) => ({ pattern, with: '' })) };
}

/** The interface wants minor units; digits after a decimal mark show that a column has major ones. */
function minorDraft(field: string, column: InspectedColumn, keys: object): FieldDraft {
  const { numbers } = column;
  if (numbers!.integers < numbers!.count) {
    const because = `${numbers!.count - numbers!.integers} of ${numbers!.count} values have decimals, so they are major units`;
    return { kind: 'decided', line: lineOf(field, column, { ...keys, unit: 'major' }), because };
  }
  const answers = ['minor', 'major'].map((unit) => lineOf(field, column, { ...keys, unit }));
  return {
    kind: 'open',
    answers,
    because: `are the whole numbers of ${shownName(column.name)} minor units (5324 for 53.24) or major ones?`,
  };
}

function timeDraft(field: string, column: InspectedColumn, target: 'date' | 'datetime'): FieldDraft {
  const draft = dateDraft(column, target);
  if (draft.kind === 'decided')
    return { kind: 'decided', line: lineOf(field, column, draft.keys), because: draft.because };
  return {
    kind: 'open',
    answers: draft.choices.map((keys) => lineOf(field, column, keys)),
    because: draft.because,
  };
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
  ['はい', 'いいえ'],
];

function booleanDraft(field: string, column: InspectedColumn): FieldDraft {
  const words = column.values ?? [];
  const pair =
    words.length === 0
      ? undefined
      : BOOLEANS.find(([yes, no]) => words.every((word) => word === yes || word === no));
  if (!pair) {
    const answers = [lineOf(field, column, { true_tokens: ['1'], false_tokens: ['0'] })];
    return {
      kind: 'open',
      answers,
      because: `which of the ${words.length} different values of ${shownName(column.name)} mean yes, which no?`,
    };
  }
  const because = `all ${valuesOf(column)} values are ${pair[0]}${pair[1] === '' ? '' : ` or ${pair[1]}`}`;
  if (pair[0] === 'true') return { kind: 'decided', line: lineOf(field, column), because };
  const keys = { true_tokens: [pair[0]], ...(pair[1] === '' ? {} : { false_tokens: [pair[1]] }) };
  return { kind: 'decided', line: lineOf(field, column, keys), because };
}

function jsonDraft(field: string, column: InspectedColumn): FieldDraft {
  const json = column.kinds.find(({ kind }) => kind === 'json')?.count ?? 0;
  if (json === valuesOf(column) && json > 0) {
    return {
      kind: 'decided',
      line: `${field}: ${flowYaml({ column: column.name })}`,
      because: `all ${json} values are JSON`,
    };
  }
  if (field === 'document_paths') {
    const line = `${field}: ${flowYaml({ items: [{ document_path: column.name }] })}`;
    return { kind: 'decided', line, because: `one path in each of ${valuesOf(column)} cells` };
  }
  return {
    kind: 'open',
    answers: [lineOf(field, column)],
    because: `${shownName(column.name)} has ${json} values of JSON out of ${valuesOf(column)}`,
  };
}

/** A field with values of its own: taken over when the column has just those, else a table that people fill in. */
function choiceDraft(
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
      line: lineOf(field, column),
      because: `its ${values.length} different values are values of the interface`,
    };
  }
  const count = values ? `${values.length}` : `more than ${column.distinct.count}`;
  const because = `what do the ${count} different values of ${shownName(column.name)} mean? The interface has ${known.join(', ')}${showValues ? '' : '; `map init --show-values` lists the values here'}`;
  const entries = showValues && values && values.length <= MAX_LOOKUP ? values : ['VALUE'];
  // Without meanings: the table is refused until each has been filled in.
  const lookup = Object.fromEntries(entries.map((value) => [value, '']));
  return { kind: 'open', answers: [lineOf(field, column, { lookup })], because };
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
