import type { FileProfile } from '../inspection.ts';
import { comment, flowYaml, Questions, shownName, type DraftQuestion } from './draft-text.ts';
import type { DraftRequest } from './draft.ts';
import { fieldLines } from './field-lines.ts';
import { matchColumns } from './header-match.ts';
import { thousandsMarkOf } from '../column/numbers.ts';
import { commonNumbers } from './number-draft.ts';
import { currencyColumns, filterLines, ignoreLines } from './row-draft.ts';
import { sourceLines } from './source-draft.ts';

/** A mapping as far as the file decides it. */
export interface MappingDraft {
  /** YAML. */
  readonly text: string;
  /** Questions for a person, in the order of the file. */
  readonly questions: readonly DraftQuestion[];
}

/** Writes down what the file decides, and asks about everything else. A question has no effect until it is answered. */
export function draftMapping(content: FileProfile, request: DraftRequest): MappingDraft {
  const { resource, descriptors, file, given } = request;
  const { columns, table, above } = content;
  const questions = new Questions(given);
  const matches = matchColumns(resource, columns, descriptors);
  const mapped = [...matches.values()].flat();
  const used = new Set(mapped);
  const free = columns.filter((column) => !used.has(column) && column.name !== '');
  const rows = table.rows - table.emptyRows.count;
  const own = commonNumbers(columns, mapped);
  // A total has thousands where no row has them.
  const mark = table.trailer?.amounts.map((text) => thousandsMarkOf(text, own.decimal_mark)).find(Boolean);
  const numbers = { ...(mark && { thousands_mark: mark }), ...own };
  const currencies = currencyColumns(free, rows);
  const setting = { ...request, above, columns, mapped, free, rows, numbers, currencies };
  const source = sourceLines(content, setting, questions);
  const fields = fieldLines(matches, setting, questions);
  const filter = filterLines(content, { used, rows }, questions);
  const answered = [...(given?.values() ?? [])].flat().join('\n');
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
    ...ignoreLines(unused.map(({ name }) => name)),
    '',
  ].join('\n');
  return { text, questions: questions.asked };
}
