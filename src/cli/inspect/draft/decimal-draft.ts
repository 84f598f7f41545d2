import type { InspectedColumn } from '../inspection.ts';
import { shownName } from './draft-text.ts';
import { specOf, type DraftSetting, type FieldDraft } from './field-finding.ts';
import { numberDraft, valuesOf, type NumberKeys } from './number-draft.ts';

export function decimalDraft(
  field: string,
  column: InspectedColumn,
  { numbers: ofSource }: DraftSetting,
): FieldDraft {
  const draft = numberDraft(column);
  if (draft.kind === 'unfit')
    return {
      kind: 'open',
      specs: [specOf(column)],
      because: `is ${shownName(column.name)} the ${field}? ${draft.because}`,
    };
  if (draft.kind === 'open') {
    return {
      kind: 'open',
      specs: draft.choices.map((keys) => specOf(column, { ...keys, ...currencyKeys(column) })),
      because: draft.because,
    };
  }
  const keys = {
    ...(draft.kind === 'decided' && !isReadBy(draft.keys, ofSource)
      ? { decimal_mark: '.', ...draft.keys }
      : {}),
    ...currencyKeys(column),
  };
  if (field === 'gross_amount') return minorDraft(column, keys);
  const because =
    draft.kind === 'plain'
      ? `all ${valuesOf(column)} values of ${shownName(column.name)} are whole numbers`
      : draft.because;
  return { kind: 'decided', spec: specOf(column, keys), because };
}

/** A mark for thousands that is declared and does not occur harms nothing. */
function isReadBy(own: NumberKeys, declared: NumberKeys): boolean {
  return (
    (own.decimal_mark ?? '.') === (declared.decimal_mark ?? '.') &&
    (own.thousands_mark === undefined || own.thousands_mark === declared.thousands_mark)
  );
}

/** Signs and codes of currencies, a plus: not part of a number in a mapping, so they are taken away. */
function currencyKeys({ numbers }: InspectedColumn): object {
  const marks = (numbers?.currencies ?? []).map(({ currency }) =>
    currency.replaceAll(/[$.]/g, String.raw`\$&`),
  );
  const hasPlus = numbers?.signs.some(({ sign }) => sign === 'plus') ?? false;
  const any = marks.length === 1 ? marks[0]! : `(?:${marks.join('|')})`;
  const patterns = [
    ...(marks.length > 0 ? [String.raw`\s*${any}\s*`] : []),
    ...(hasPlus ? [String.raw`^\+`] : []),
  ];
  return patterns.length === 0 ? {} : { replace: patterns.map((pattern) => ({ pattern, with: '' })) };
}

/** The interface wants minor units; digits after a decimal mark show that a column has major ones. */
function minorDraft(column: InspectedColumn, keys: object): FieldDraft {
  const { numbers } = column;
  if (numbers!.integers < numbers!.count) {
    const because = `${numbers!.count - numbers!.integers} of ${numbers!.count} values have decimals, so they are major units`;
    return { kind: 'decided', spec: specOf(column, { ...keys, unit: 'major' }), because };
  }
  const specs = ['minor', 'major'].map((unit) => specOf(column, { ...keys, unit }));
  return {
    kind: 'open',
    specs,
    because: `are the whole numbers of ${shownName(column.name)} minor units (5324 for 53.24) or major ones?`,
  };
}
