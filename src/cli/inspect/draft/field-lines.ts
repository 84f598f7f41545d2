import { fieldNames, requiredFields } from '../../mapping/language/fields.ts';
import { amountDraft } from './amount-draft.ts';
import { candidateDraft } from './candidate-draft.ts';
import { comment, flowYaml, proposal, shownName, type Questions } from './draft-text.ts';
import { fieldDraft } from './field-draft.ts';
import { specsOf, type DraftSetting, type FieldDraft } from './field-finding.ts';
import { TIER_TEXT, type FieldMatch } from './match-columns.ts';
import { summedDraft } from './summed-draft.ts';

/** The lines of `fields`, without their key. */
export interface FieldLines {
  readonly lines: readonly string[];
  /** Fields that have their line. */
  readonly decided: readonly string[];
}

/** @param lists fields that have their lines elsewhere */
export function fieldLines(
  matches: ReadonlyMap<string, FieldMatch>,
  setting: DraftSetting,
  questions: Questions,
  lists: ReadonlySet<string>,
): FieldLines {
  const { resource } = setting;
  const required = new Set(['external_account_number', ...requiredFields(resource)]);
  const used = new Set([...matches.values()].flatMap(({ columns }) => columns));
  const free = setting.columns.filter(
    (column) => !used.has(column) && column.name !== null && column.name !== '',
  );
  const lines: string[] = [];
  const decided: string[] = [];
  const missing: string[] = [];
  for (const field of fieldNames(resource)) {
    if (lists.has(field)) continue;
    const draft =
      draftOf(field, matches, setting) ??
      (required.has(field) && field !== 'import_supplier' ? candidateDraft(field, free, setting) : undefined);
    if (draft === undefined) {
      if (field === 'import_supplier') lines.push(...SUPPLIER);
      else missing.push(field);
    } else if (draft.kind === 'decided') {
      decided.push(field);
      lines.push(...comment(`${draft.because}.`, '  '), `  ${field}: ${flowYaml(draft.spec)}`);
    } else lines.push(...questionLines(field, draft, questions, required.has(field)));
  }
  if (missing.length > 0) lines.push(...comment(`Not found, and not needed: ${missing.join(', ')}.`, '  '));
  return { lines, decided };
}

const SUPPLIER = [
  ...comment('No column names the supplier: give --supplier CODE, or remove the "# ":', '  '),
  ...proposal(['import_supplier: { constant: CODE }'], '  '),
];

/** A field that may be left out would be left out without a word, so its key stands there without a value. */
function questionLines(
  field: string,
  { specs, because }: FieldDraft & { kind: 'open' },
  questions: Questions,
  isRequired: boolean,
): readonly string[] {
  if (isRequired)
    return questions.ask(
      because,
      specs.map((spec) => `${field}: ${flowYaml(spec)}`),
      '  ',
    );
  const question = questions.ask(because, [], '  ');
  const what = specs.length === 0 ? '' : ' or the "# " of one answer';
  return [
    ...question,
    ...comment(`Remove the line \`${field}:\`${what}.`, '  '),
    `  ${field}:`,
    ...proposal(specs.map(flowYaml), '    '),
  ];
}

function draftOf(
  field: string,
  matches: ReadonlyMap<string, FieldMatch>,
  setting: DraftSetting,
): FieldDraft | undefined {
  const match = matches.get(field);
  const isAmount = field === 'amount' && setting.resource === 'transactions';
  const difference = isAmount ? amountDraft(matches, setting) : undefined;
  if (difference) return summedDraft(difference, matches, setting.rows);
  if (!match) return undefined;
  const [column, ...others] = match.columns;
  if (others.length > 0) {
    return {
      kind: 'open',
      specs: match.columns.flatMap((each) => specsOf(fieldDraft(field, each, setting))),
      because: `which column is the ${field}? ${match.columns.map(({ name }) => shownName(name)).join(' or ')}`,
    };
  }
  const draft = fieldDraft(field, column, setting);
  if (draft.kind === 'open') return draft;
  const sure = { ...draft, because: `${draft.because}; ${TIER_TEXT[match.tier]}` };
  return isAmount || field === 'gross_amount' ? summedDraft(sure, matches, setting.rows) : sure;
}
