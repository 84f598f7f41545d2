import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import { fieldNames, requiredFields } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../profiled-column.ts';
import { amountDraft, summedDraft } from './amount-draft.ts';
import { candidateDraft } from './candidate-draft.ts';
import { answersOf, open, type DraftSetting, type FieldDraft } from './draft.ts';
import { comment, flowYaml, proposal, shownName, type Questions } from './draft-text.ts';
import { fieldDraft } from './field-draft.ts';
import type { FieldMatch } from './header-match.ts';

/** The lines of `fields`, without their key, and the fields that are decided. @param lists fields that have lines elsewhere */
export function fieldLines(
  matches: ReadonlyMap<string, FieldMatch>,
  setting: DraftSetting,
  questions: Questions,
  lists: ReadonlySet<string>,
): { readonly lines: readonly string[]; readonly decided: readonly string[] } {
  const { resource, descriptors } = setting;
  const required = new Set(requiredFields(resource, descriptors));
  const used = new Set([...matches.values()].flatMap(({ columns }) => columns));
  const free = setting.columns.filter(
    (column) => !used.has(column) && column.name !== null && column.name !== '',
  );
  const lines: string[] = [];
  const decided: string[] = [];
  const missing: string[] = [];
  for (const field of fieldNames(resource, descriptors)) {
    if (lists.has(field)) continue;
    const draft =
      draftOf(field, matches, setting) ??
      (required.has(field) ? candidateDraft(field, free, setting) : undefined);
    if (draft === undefined) {
      if (field === 'import_supplier') lines.push(...SUPPLIER);
      else missing.push(field);
    } else if (draft.kind === 'decided') {
      decided.push(field);
      lines.push(...comment(`${draft.because}.`, '  '), `  ${field}: ${flowYaml(draft.value)}`);
    } else lines.push(...questionLines(field, draft, questions, required.has(field)));
  }
  if (missing.length > 0) lines.push(...comment(`Not found, and not needed: ${missing.join(', ')}.`, '  '));
  return { lines, decided };
}

const SUPPLIER = [
  ...comment('No column names the supplier: give --supplier CODE, or remove the "# ":', '  '),
  ...proposal(['import_supplier: { constant: CODE }'], '  '),
];

/** An optional field gets a key without a value. Without a key it would be left out, and nobody would notice. */
function questionLines(
  field: string,
  { choices, because }: FieldDraft & { kind: 'open' },
  questions: Questions,
  isRequired: boolean,
): readonly string[] {
  const answers = choices.map(flowYaml);
  if (isRequired)
    return questions.ask(
      because,
      answers.map((answer) => `${field}: ${answer}`),
      '  ',
    );
  const rest = answers.length === 0 ? '' : ' or the "# " of one answer';
  return [
    ...questions.ask(because, [], '  '),
    ...comment(`Remove the line \`${field}:\`${rest}.`, '  '),
    `  ${field}:`,
    ...proposal(answers, '    '),
  ];
}

/**
 * The columns of a header that can be the field by their values. A column with one value in all rows is no id, and of several
 * columns the only one that never repeats is the id.
 */
function tellingColumns(
  field: string,
  columns: FieldMatch['columns'],
  rows: number,
): readonly ColumnProfile[] {
  const isId = field.endsWith('_id');
  if (rows < 2 || (!isId && columns.length === 1)) return columns;
  const varying = columns.filter(({ distinct }) => distinct.count > 1);
  const unique = varying.filter(({ repeats, filled }) => repeats.count === 0 && filled >= rows);
  if (isId) return unique.length === 1 ? unique : varying;
  return varying.length > 0 ? varying : columns;
}

function draftOf(
  field: string,
  matches: ReadonlyMap<string, FieldMatch>,
  setting: DraftSetting,
): FieldDraft | undefined {
  const match = matches.get(field);
  const isAmount = field === DESCRIPTORS[setting.resource].amount?.field;
  const difference = isAmount ? amountDraft(matches, setting) : undefined;
  if (difference) return summedDraft(difference, matches, setting);
  if (!match) return undefined;
  const [column, ...others] = tellingColumns(field, match.columns, setting.rows);
  if (!column) return undefined;
  if (others.length > 0) {
    const names = [column, ...others].map(({ name }) => shownName(name));
    const choices = [column, ...others].flatMap((each) => answersOf(fieldDraft(field, each, setting)));
    return open(choices, `which column is the ${field}? ${names.join(' or ')}`);
  }
  const draft = fieldDraft(field, column, setting);
  if (draft.kind === 'open') return draft;
  const sure = { ...draft, because: `${draft.because}; ${match.because}` };
  return isAmount ? summedDraft(sure, matches, setting) : sure;
}
