import type { InspectedColumn } from '../inspection.ts';
import { decimalDraft } from './decimal-draft.ts';
import { shownName } from './draft-text.ts';
import { specsOf, type DraftSetting, type FieldDraft } from './field-finding.ts';
import type { FieldMatch } from './match-columns.ts';
import { numberDraft, valuesOf } from './number-draft.ts';

/** An amount out of two columns, debit and credit; undefined when the file does not have both. */
export function amountDraft(
  matches: ReadonlyMap<string, FieldMatch>,
  setting: DraftSetting,
): FieldDraft | undefined {
  const [debit, credit] = [matches.get('debit')?.columns[0], matches.get('credit')?.columns[0]];
  if (!debit || !credit) return undefined;
  const amount = matches.get('amount');
  const spec = differenceOf(debit, credit, setting);
  if (amount) {
    const specs = [...specsOf(decimalDraft('amount', amount.columns[0], setting)), spec.keys];
    const because = `which is the amount: ${shownName(amount.columns[0].name)}, or ${shownName(debit.name)} less ${shownName(credit.name)}?`;
    return { kind: 'open', specs, because };
  }
  const filled = `${shownName(debit.name)} has ${valuesOf(debit)} values and ${shownName(credit.name)} ${valuesOf(credit)}, in ${setting.rows} rows`;
  if (spec.objection !== undefined) return { kind: 'open', specs: [spec.keys], because: spec.objection };
  if (valuesOf(debit) + valuesOf(credit) < setting.rows) {
    return { kind: 'open', specs: [spec.keys], because: `${filled}: what are the rows with neither?` };
  }
  return { kind: 'decided', spec: spec.keys, because: `debit less credit; ${filled}` };
}

function differenceOf(
  debit: InspectedColumn,
  credit: InspectedColumn,
  { numbers }: DraftSetting,
): { keys: object; objection: string | undefined } {
  const drafts = [debit, credit].map(numberDraft);
  const objection = drafts
    .map((draft) => (draft.kind === 'unfit' || draft.kind === 'open' ? draft.because : undefined))
    .find((because) => because !== undefined);
  const marks = drafts.flatMap((draft) => (draft.kind === 'decided' ? [draft.keys] : []))[0];
  const keys = Object.keys(numbers).length > 0 ? {} : marks?.decimal_mark === ',' ? marks : {};
  return { keys: { debit: debit.name, credit: credit.name, ...keys }, objection };
}
