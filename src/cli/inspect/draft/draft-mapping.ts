import type { FileProfile } from '../inspect-file.ts';
import { counted } from '../../output/text/text.ts';
import { comment, declared, flowYaml, Questions, shownName, proposal } from './draft-text.ts';
import { type DraftRequest, open, type DraftSetting, type FieldDraft, type FieldEntry } from './draft.ts';
import { matchColumns, isForeign, keyField, namesEnergy, type Matches } from './header-match.ts';
import { thousandsMarkOf } from '../column/numbers.ts';
import { commonNumbers, amountColumns } from './number-draft.ts';
import { currencyColumns, filterLines, ignoreLines } from './row-draft.ts';
import { sourceLines } from './source-draft.ts';
import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { fieldNames, fieldOfName, requiredFields } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import { SEE_LINES } from './choice-draft.ts';
import { candidateDraft, hasDigits, hasTimes } from './candidate-draft.ts';
import { amountDraft, fieldDraft, inOneCurrency } from './field-draft.ts';

/** Writes down in YAML what the file decides, and asks about everything else. A question has no effect until it is answered. */
export function draftMapping(given: FileProfile, request: DraftRequest) {
  const { resource, file, again } = request;
  const { names } = given.layout.header;
  // A mapping cannot tell columns of the same name apart, so no field comes from them.
  const columns = given.columns.map((column) =>
    names.indexOf(column.name) === names.lastIndexOf(column.name) ? column : { ...column, name: '' },
  );
  const content = { ...given, columns };
  const { table } = content;
  const questions = new Questions();
  const matches = matchColumns(resource, columns, request.descriptors);
  const mapped = [...matches.values()].flat();
  const free = columns.filter((column) => !mapped.includes(column) && column.name !== '');
  const rows = table.rows - table.emptyRows.count;
  const own = commonNumbers(columns, mapped);
  // A total has thousands where no row has them.
  const mark = table.trailer?.amounts.map((text) => thousandsMarkOf(text, own.decimal_mark)).find(Boolean);
  const numbers = { ...(mark && { thousands_mark: mark }), ...own };
  const currencies = currencyColumns(free, rows);
  const setting = { ...request, columns, mapped, free, rows, numbers, currencies };
  const source = sourceLines(content, setting, questions);
  const fields = fieldLines(matches, setting, questions);
  const filter = filterLines(content, setting, questions);
  const unused = free.filter((column) => !currencies.includes(column));
  const text = [
    ...comment(
      `Draft of a mapping, made from ${shownName(file)} by \`dataimport init\`. The comments give the reason for each line.`,
    ),
    ...comment('Answer each QUESTION, then type `dataimport check` on this file.'),
    ...declared(
      questions.asked.some(({ text: asked }) => asked.includes(SEE_LINES)),
      'To have the values in this file that a QUESTION is about, remove the file and type this',
      `#   ${again()} --show-values`,
    ),
    'version: 1',
    `resource: ${resource}`,
    '',
    'source:',
    ...source,
    '',
    'fields:',
    ...fields,
    ...filter,
    ...ignoreLines(unused.map(({ name }) => name)),
    '',
  ].join('\n');
  return { text, questions: questions.asked };
}

/** The lines of `fields`, without their key. */
function fieldLines(matches: Matches, setting: DraftSetting, questions: Questions): readonly string[] {
  const { resource, descriptors } = setting;
  const required = new Set([...requiredFields(resource, descriptors), ...neededContent(resource, matches)]);
  const lines: string[] = [];
  const missing: string[] = [];
  for (const field of fieldNames(resource, descriptors)) {
    const found =
      draftOf(field, matches, setting) ??
      (required.has(field) || isUnfedTime(field, setting)
        ? candidateDraft(field, setting, typesOf(matches, setting))
        : numberedDraft(field, setting));
    const isNeededAmount = required.has(field) && field === DESCRIPTORS[resource].amount?.field;
    const draft = found && isNeededAmount ? inOneCurrency(found, setting) : found;
    if (draft === undefined) {
      if (field === 'import_supplier') lines.push(...SUPPLIER);
      else missing.push(field);
    } else if (!draft.isOpen)
      lines.push(...comment(`${draft.because}.`, '  '), `  ${field}: ${flowYaml(draft.choices[0])}`);
    else {
      const answers = draft.choices.map((entry) => [flowYaml(entry)]);
      const isOptional = !required.has(field);
      lines.push(...questions.ask({ text: draft.because, key: field, answers, isOptional }, '  '));
    }
  }
  if (missing.length > 0) lines.push(...comment(`Not found, and not needed: ${missing.join(', ')}.`, '  '));
  return lines;
}

/** The question about columns of a list of the interface, such as `line_items.0.net_amount`, or the kWh of each zone. */
function numberedDraft(field: string, { columns }: DraftSetting): FieldDraft | undefined {
  const isItem = (name: string): boolean => field === 'line_items' && namesEnergy(name);
  const [first, ...others] = columns.filter(({ name }) => name.startsWith(`${field}.`) || isItem(name));
  if (!first) return undefined;
  const names = `${shownName(first.name)} (${counted(others.length + 1, 'column')})`;
  return open([], `which values does ${field} have? The file has columns such as ${names}`);
}

/** The types of amounts that are positive and negative, as far as columns tell them. Undefined where one type may be that of all rows. */
function typesOf(matches: Matches, setting: DraftSetting): readonly FieldEntry[] | undefined {
  const { amount } = DESCRIPTORS[setting.resource];
  if (!amount) return undefined;
  const [credit] = matches.get('credit') ?? [];
  if (credit && amountDraft(matches, setting)) {
    const when = { column: credit.name, is: 'nonzero' };
    return [[{ constant: 'PAYMENT', when }, { constant: 'CHARGE' }]];
  }
  const isSigned = ({ numbers }: ColumnProfile): boolean =>
    numbers?.signs.some(({ name }) => name !== 'plus') ?? false;
  return matches.get(amount.field)?.some(isSigned) ? [] : undefined;
}

/** Where no header names any of the fields of which a record needs one, the first of them is asked for. */
function neededContent(resource: Resource, matches: Matches): readonly string[] {
  const { oneOf = [] }: { oneOf?: readonly string[] } = DESCRIPTORS[resource];
  return oneOf.some((field) => matches.has(field)) ? [] : oneOf.slice(0, 1);
}

const SUPPLIER = [
  ...comment('No column names the supplier: give --supplier CODE, or remove the "# ":', '  '),
  ...proposal(['import_supplier: { constant: CODE }'], '  '),
];

/** Whether a field for date-times gets nothing, and a column of date-times feeds nothing. The records would get the time of the import. */
function isUnfedTime(field: string, { resource, descriptors, free }: DraftSetting): boolean {
  const isNamed = field === 'created_at' && fieldOfName(resource, field, descriptors)?.kind === 'datetime';
  return isNamed && free.some(hasTimes);
}

/**
 * The columns whose header names the field and whose values can be it. A column with one value in all rows is no id. When one
 * column alone never repeats, it is the id.
 */
function tellingColumns(
  field: string,
  columns: readonly ColumnProfile[],
  rows: number,
): readonly ColumnProfile[] {
  const isId = field.endsWith('_id');
  if (rows < 2 || (!isId && columns.length === 1)) return columns;
  const varying = columns.filter(({ distinct }) => distinct.count > 1);
  const unique = varying.filter(({ repeats, filled }) => repeats.count === 0 && filled >= rows);
  if (isId) return unique.length === 1 ? unique : varying;
  return varying.length > 0 ? varying : columns;
}

/** Columns of amounts whose headers are in another script, so that nobody has compared them with that of the amount. */
function foreignAmounts({ name }: ColumnProfile, free: readonly ColumnProfile[]): readonly ColumnProfile[] {
  return isForeign(name) ? [] : amountColumns(free).filter((column) => isForeign(column.name));
}

function draftOf(field: string, matches: Matches, setting: DraftSetting): FieldDraft | undefined {
  const match = matches.get(field);
  const isAmount = field === DESCRIPTORS[setting.resource].amount?.field;
  const difference = isAmount ? amountDraft(matches, setting) : undefined;
  if (difference) return difference;
  if (!match) return undefined;
  const [column, ...others] = tellingColumns(field, match, setting.rows);
  if (!column) return undefined;
  const choicesOf = (some: readonly ColumnProfile[]) =>
    [column, ...some].flatMap((each) => fieldDraft(field, each, setting).choices);
  const rivals = others.length === 0 && isAmount ? foreignAmounts(column, setting.free) : others;
  if (rivals.length > 0) {
    const names = [column, ...rivals].map(({ name }) => shownName(name)).join(' or ');
    return open(choicesOf(rivals), `which column is the ${field}? ${names}`);
  }
  const draft = fieldDraft(field, column, setting);
  const isKey = field === ACCOUNT || field === keyField(setting.resource);
  const doubt = isKey && column.name !== field ? doubtOf(column, setting) : '';
  if (doubt === '') return draft;
  const candidates = candidateDraft(field, setting);
  const because = `is ${shownName(column.name)} the ${field}? ${doubt}`;
  return { ...candidates, choices: [...draft.choices, ...candidates.choices], because };
}

const ACCOUNT = 'external_account_number';
/** In fewer rows a value may come again by chance. */
const LEAST_ROWS = 3;

/** Why the values of a column may not be numbers of accounts or records, whatever its header says; empty without a doubt. */
function doubtOf(column: ColumnProfile, { rows }: DraftSetting): string {
  if (rows >= LEAST_ROWS && column.distinct.count === 1) return `All ${rows} rows have the same value`;
  return hasDigits(column) ? '' : 'None of its values has a digit';
}
