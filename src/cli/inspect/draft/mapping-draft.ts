import type { Resource } from '../../../core/contract/resources.ts';
import { fieldNames, requiredFields } from '../../mapping/column.ts';
import type { InspectedColumn, InspectedText } from '../inspection.ts';
import { amountDraft } from './amount-draft.ts';
import { comment, flowYaml, Questions, shownName } from './draft-text.ts';
import { fieldDraft, knownValues, type DraftSetting, type FieldDraft } from './field-draft.ts';
import { listLines } from './list-draft.ts';
import { matchColumns, TIER_TEXT, type FieldMatch } from './match-columns.ts';
import { numberDraft, type NumberKeys } from './number-draft.ts';
import { sourceLines } from './source-draft.ts';

/** A mapping as far as the file decides it. */
export interface MappingDraft {
  /** YAML. */
  readonly text: string;
  /** Fields that have their line. */
  readonly decided: readonly string[];
  /** What a person has to answer, in the order of the file. */
  readonly questions: readonly string[];
  /** Names of columns that feed nothing. */
  readonly unused: readonly string[];
}

/** What is known beside the file. */
export interface DraftRequest {
  readonly resource: Resource;
  /** Name of the file, for the first line. */
  readonly file: string;
  readonly showValues: boolean;
}

/** Writes down what the file shows, and asks about all else: what is asked stays out of force until it is answered. */
export function mappingDraft(content: InspectedText, request: DraftRequest): MappingDraft {
  const { resource, file, showValues } = request;
  const matches = matchColumns(resource, content.columns);
  const mapped = [...matches.values()].flatMap(({ columns }) => columns);
  const questions = new Questions();
  const numbers = commonNumbers(mapped);
  const source = sourceLines(content, mapped, numbers, questions);
  const setting: DraftSetting = { resource, numbers, showValues };
  const lists = listLines(resource, content.columns, content.table.rows);
  const fields = fieldLines(matches, content, setting, questions, new Set(lists.fields));
  const used = new Set([...mapped, ...lists.columns]);
  const unused = content.columns
    .filter((column) => !used.has(column) && column.name !== null && column.name !== '')
    .map(({ name }) => name!);
  const hasSource = source.some((line) => !/^\s*#/.test(line));
  const text = [
    ...comment(
      `Draft of a mapping, made from ${shownName(file)} by \`dataimport map init\`. Comments tell what each line rests on.`,
    ),
    ...comment('Answer each QUESTION, then type `dataimport map check` on this file.'),
    'version: 1',
    `resource: ${resource}`,
    '',
    hasSource ? 'source:' : '# source:',
    ...source,
    '',
    'fields:',
    ...fields.lines,
    ...lists.lines,
    ...continuationLines(matches),
    ...ignoreLines(unused),
    '',
  ].join('\n');
  return { text, decided: [...fields.decided, ...lists.fields], questions: questions.asked, unused };
}

/** The marks that all columns with decimals share; none when they differ. */
function commonNumbers(columns: readonly InspectedColumn[]): NumberKeys {
  const decided = columns
    .filter(({ numbers }) => numbers !== null && numbers.integers < numbers.count)
    .map(numberDraft)
    .flatMap((draft) => (draft.kind === 'decided' ? [draft.keys] : []));
  const [first] = decided.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length);
  const isShared =
    first !== undefined &&
    decided.every(
      (keys) =>
        keys.decimal_mark === first.decimal_mark &&
        (keys.thousands_mark === undefined || keys.thousands_mark === first.thousands_mark),
    );
  if (!isShared || (first.decimal_mark === '.' && first.thousands_mark === undefined)) return {};
  return first;
}

interface FieldLines {
  readonly lines: readonly string[];
  readonly decided: readonly string[];
}

function fieldLines(
  matches: ReadonlyMap<string, FieldMatch>,
  content: InspectedText,
  setting: DraftSetting,
  questions: Questions,
  lists: ReadonlySet<string>,
): FieldLines {
  const { resource } = setting;
  const required = new Set(['external_account_number', ...requiredFields(resource)]);
  const lines: string[] = [];
  const decided: string[] = [];
  const missing: string[] = [];
  for (const field of fieldNames(resource)) {
    if (lists.has(field)) continue;
    const draft = draftOf(field, matches, content, setting);
    if (draft === undefined) {
      if (field === 'import_supplier')
        lines.push(
          ...comment(
            'import_supplier: not in the file; give --supplier, or write { constant: CODE } here.',
            '  ',
          ),
        );
      else if (required.has(field))
        lines.push(
          ...questions.ask(missingText(field, content, matches), missingAnswers(field, resource), '  '),
        );
      else missing.push(field);
    } else if (draft.kind === 'decided') {
      decided.push(field);
      lines.push(...comment(`${draft.because}.`, '  '), `  ${draft.line}`);
    } else {
      lines.push(...questions.ask(draft.because, draft.answers, '  '));
      // A field that may be left out would be left out without a word, so a column that is not there stands in for it.
      if (!required.has(field))
        lines.push(`  ${field}: ${flowYaml({ column: `QUESTION ${questions.asked.length}` })}`);
    }
  }
  if (missing.length > 0) lines.push(...comment(`Not found, and not needed: ${missing.join(', ')}.`, '  '));
  return {
    lines: decided.length === 0 && !lines.some((line) => !/^\s*#/.test(line)) ? ['  {}', ...lines] : lines,
    decided,
  };
}

function draftOf(
  field: string,
  matches: ReadonlyMap<string, FieldMatch>,
  content: InspectedText,
  setting: DraftSetting,
): FieldDraft | undefined {
  const match = matches.get(field);
  if (field === 'amount' && setting.resource === 'transactions') {
    const draft = amountDraft(matches, content.table.rows, setting);
    if (draft) return draft;
  }
  if (!match) return undefined;
  const [column, ...others] = match.columns;
  if (others.length > 0) {
    const drafts = match.columns.map((each) => fieldDraft(field, each, setting));
    const answers = drafts.flatMap((draft) => (draft.kind === 'decided' ? [draft.line] : draft.answers));
    return {
      kind: 'open',
      answers,
      because: `which column is the ${field}? ${match.columns.map(({ name }) => shownName(name)).join(' or ')}`,
    };
  }
  const draft = fieldDraft(field, column, setting);
  return draft.kind === 'decided'
    ? { ...draft, because: `${draft.because}; ${TIER_TEXT[match.tier]}` }
    : draft;
}

const SHOWN_CANDIDATES = 8;

function missingText(
  field: string,
  content: InspectedText,
  matches: ReadonlyMap<string, FieldMatch>,
): string {
  const used = new Set([...matches.values()].flatMap(({ columns }) => columns));
  const free = content.columns
    .filter((column) => !used.has(column) && column.name !== null)
    .slice(0, SHOWN_CANDIDATES);
  const candidates =
    free.length === 0
      ? ''
      : ` Columns that feed nothing yet: ${free.map(({ name }) => shownName(name)).join(', ')}.`;
  return `where does the ${field} come from? No header says so.${candidates}`;
}

function missingAnswers(field: string, resource: Resource): readonly string[] {
  const known = knownValues(resource, field);
  return [`${field}: COLUMN`, ...(known ? [`${field}: { constant: ${known[0]} }`] : [])];
}

/** Ids that are empty or repeated row after row: rows that may go on with the record before. */
function continuationLines(matches: ReadonlyMap<string, FieldMatch>): readonly string[] {
  const id = (matches.get('transaction_id') ?? matches.get('statement_id'))?.columns[0];
  if (!id || (id.empty === 0 && id.repeatsPrevious.count === 0) || id.filled === 0) return [];
  const isEmpty = id.empty > id.repeatsPrevious.count;
  const because = isEmpty
    ? `${id.empty} rows have no ${shownName(id.name)}: they may go on with the record before them.`
    : `${id.repeatsPrevious.count} rows repeat the ${shownName(id.name)} of the row before (first on line ${id.repeatsPrevious.lines[0]}): several rows may be one record.`;
  const line = isEmpty
    ? `continuation: ${flowYaml({ when: { column: id.name, is: 'empty' } })}`
    : `continuation: ${flowYaml({ key: [id.name] })}`;
  return ['', ...comment(`${because} If so, remove the "# ":`), `# ${line}`];
}

function ignoreLines(unused: readonly string[]): readonly string[] {
  if (unused.length === 0) return [];
  return [
    '',
    ...comment(`Columns that feed nothing: ${unused.length}. Once you are sure, remove the "# ":`),
    `# ignore: ${flowYaml(unused)}`,
  ];
}
