import type { Descriptors, Resource } from '../../../core/contract/resources.ts';
import type { FileProfile } from '../inspection.ts';
import {
  comment,
  flowYaml,
  Questions,
  shownName,
  type DraftQuestion,
  type GivenAnswers,
} from './draft-text.ts';
import { fieldLines } from './field-lines.ts';
import { matchColumns } from './header-match.ts';
import { commonNumbers } from './number-draft.ts';
import { continuationLines, currencyColumns, filterLines, ignoreLines } from './row-draft.ts';
import { sourceLines } from './source-draft.ts';

/** A mapping as far as the file decides it. */
export interface MappingDraft {
  /** YAML. */
  readonly text: string;
  /** Questions for a person, in the order of the file. */
  readonly questions: readonly DraftQuestion[];
}

/** Facts for the draft, beside the profile of the file. */
export interface DraftRequest {
  readonly resource: Resource;
  /** Under the contract of the operator; those of the interface when left out. */
  readonly descriptors?: Descriptors | undefined;
  /** Name of the file, for the first line. */
  readonly file: string;
  readonly showValues: boolean;
  /** What a person has answered to the questions of an earlier draft of the same file; nothing when left out. */
  readonly given?: GivenAnswers;
}

/** Writes down what the file decides, and asks about everything else. A question has no effect until it is answered. */
export function draftMapping(content: FileProfile, request: DraftRequest): MappingDraft {
  const { resource, descriptors, file, showValues } = request;
  const { columns, table, layout } = content;
  const questions = new Questions(request.given);
  const matches = matchColumns(resource, columns, descriptors);
  const mapped = [...matches.values()].flat();
  const numbers = commonNumbers(columns, mapped);
  const rows = table.rows - table.emptyRows.count;
  const source = sourceLines(content, { file, resource, mapped, numbers }, questions);
  const used = new Set(mapped);
  const free = columns.filter((column) => !used.has(column) && column.name !== '');
  const currencies = currencyColumns(free, rows);
  const { isJsonLines } = layout;
  const known = { resource, descriptors, numbers, showValues, isJsonLines };
  const setting = { ...known, columns, free, rows, currencies };
  const fields = fieldLines(matches, setting, questions);
  const filter = filterLines(content, { used, rows }, questions);
  const answered = [...(request.given?.values() ?? [])].flat().join('\n');
  const unused = free.filter(
    (column) => !currencies.includes(column) && !answered.includes(flowYaml(column.name)),
  );
  const text = [
    ...comment(
      `Draft of a mapping, made from ${shownName(file)} by \`dataimport init\`. The comments give the reason for each line.`,
    ),
    ...comment('Answer each QUESTION, then type `dataimport check` on this file.'),
    'version: 1',
    `resource: ${resource}`,
    '',
    'source:',
    ...source,
    '',
    'fields:',
    ...fields,
    ...filter,
    ...continuationLines(matches, setting),
    ...ignoreLines(unused.map(({ name }) => name)),
    '',
  ].join('\n');
  return { text, questions: questions.asked };
}
