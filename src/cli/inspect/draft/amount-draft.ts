import type { InspectedColumn } from '../inspection.ts';
import { flowYaml, shownName } from './draft-text.ts';
import { fieldDraft, type DraftSetting, type FieldDraft } from './field-draft.ts';
import type { FieldMatch } from './match-columns.ts';
import { numberDraft, valuesOf } from './number-draft.ts';

/** An amount out of two columns, debit and credit; undefined when the file does not have both. */
export function amountDraft(
  matches: ReadonlyMap<string, FieldMatch>,
  rows: number,
  setting: DraftSetting,
): FieldDraft | undefined {
  const [debit, credit] = [matches.get('debit')?.columns[0], matches.get('credit')?.columns[0]];
  if (!debit || !credit) return undefined;
  const amount = matches.get('amount');
  const spec = specOf(debit, credit, setting);
  if (amount) {
    const single = fieldDraft('amount', amount.columns[0], setting);
    const answers = [...(single.kind === 'decided' ? [single.line] : single.answers), spec.line];
    const because = `which is the amount: ${shownName(amount.columns[0].name)}, or ${shownName(debit.name)} less ${shownName(credit.name)}?`;
    return { kind: 'open', answers, because };
  }
  const filled = `${shownName(debit.name)} has ${valuesOf(debit)} values and ${shownName(credit.name)} ${valuesOf(credit)}, in ${rows} rows`;
  if (spec.objection !== undefined) return { kind: 'open', answers: [spec.line], because: spec.objection };
  if (valuesOf(debit) + valuesOf(credit) < rows) {
    return { kind: 'open', answers: [spec.line], because: `${filled}: what are the rows with neither?` };
  }
  return { kind: 'decided', line: spec.line, because: `debit less credit; ${filled}` };
}

function specOf(
  debit: InspectedColumn,
  credit: InspectedColumn,
  { numbers }: DraftSetting,
): { line: string; objection: string | undefined } {
  const drafts = [debit, credit].map(numberDraft);
  const objection = drafts
    .map((draft) => (draft.kind === 'unfit' || draft.kind === 'open' ? draft.because : undefined))
    .find((because) => because !== undefined);
  const marks = drafts.flatMap((draft) => (draft.kind === 'decided' ? [draft.keys] : []))[0];
  const keys = Object.keys(numbers).length > 0 ? {} : marks?.decimal_mark === ',' ? marks : {};
  return { line: `amount: ${flowYaml({ debit: debit.name, credit: credit.name, ...keys })}`, objection };
}
