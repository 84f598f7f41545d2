import { AppError } from '../../../core/app-error.ts';
import { readSource } from '../../csv/read-source.ts';
import type { SourceFile } from '../../csv/source-file.ts';
import { cellCountProblem, eachItem, type ElementPaths, type SourceRow } from '../../csv/source-row.ts';
import type { ColumnProfile } from '../column/profiled-column.ts';
import { draftFacts, type DraftRequest } from '../draft/draft-mapping.ts';
import type { Mapping } from '../../mapping/language/mapping.ts';
import type { FileProfile } from '../inspection.ts';
import {
  exampleRows,
  nearestText,
  type Example,
  type FoundExample,
  type LostExample,
} from './example-rows.ts';
import { findFields, type FoundFields } from './find-fields.ts';
import { trialMapping, trialOf } from './trial.ts';

/** A search reads all rows into memory. */
const MOST_ROWS = 100_000;

/**
 * Finds the fields that make the records of the examples of the rows of a file.
 * @throws AppError `usage` for a file that is too large for it, or whose layout is open
 */
export async function likeExamples(
  file: SourceFile,
  {
    content,
    request,
    examples,
  }: { content: FileProfile; request: DraftRequest; examples: readonly Example[] },
): Promise<FoundFields> {
  const { resource, descriptors } = request;
  const facts = draftFacts(content, request);
  const names = content.columns.flatMap(({ name }) => (name === null || name === '' ? [] : [name]));
  const isOpen = content.encoding.certainty === 'open' || content.layout.certainty === 'open';
  const mapping = isOpen ? undefined : trialMapping(resource, facts.source, names, descriptors);
  if (!mapping)
    throw refused(
      `the draft cannot cut ${file.name} into cells: give --encoding or --delimiter, or write the mapping without --like`,
    );
  const { header, rows, elements } = await rowsOf(file, mapping, content);
  const { trim = false, null_tokens: tokens = [''] } = mapping.document.source ?? {};
  const cellOf = (row: SourceRow, { column }: ColumnProfile): string => {
    const cell = row.cells[column - 1] ?? '';
    const text = trim ? cell.trim() : cell;
    return tokens.includes(text) ? '' : text;
  };
  const trial = trialOf(mapping, { header, elements }, descriptors);
  const fieldsFrom = (found: readonly FoundExample[], lost: readonly LostExample[]): FoundFields =>
    findFields({
      trial,
      examples: found,
      lost: nearestText(lost),
      rows,
      header,
      elements,
      tie: (own) => trialOf(mapping, { header: own, elements: undefined }, descriptors),
      draft: facts.setting,
      matches: facts.matches,
      cellOf,
    });
  const { found, lost } = exampleRows(resource, examples, rows);
  if (found.length === 0)
    throw refused(`no example is clearly one row of ${file.name}; ${nearestText(lost)}`);
  const first = fieldsFrom(found, lost);
  // What the other examples say may tell the rows of these.
  const more = lost.flatMap((example) => {
    const row = first.rowOf(example.values);
    return row ? [{ ...example, row }] : [];
  });
  const known = new Set(more.map(({ line }) => line));
  if (more.length === 0) return first;
  return fieldsFrom(
    [...found, ...more],
    lost.filter(({ line }) => !known.has(line)),
  );
}

function refused(reason: string): AppError {
  return new AppError('usage', { reason, command: 'map init' });
}

/** The rows of data: those that a push would map, without the control records that the draft asks about. */
async function rowsOf(
  file: SourceFile,
  mapping: Mapping,
  { table }: FileProfile,
): Promise<{ header: readonly string[]; rows: readonly SourceRow[]; elements: ElementPaths | undefined }> {
  const others = new Set([table.trailer?.line, ...table.subtotals.flatMap(({ lines }) => lines)]);
  const rows: SourceRow[] = [];
  let header: readonly string[] = [];
  let elements: ElementPaths | undefined;
  for await (const item of eachItem(readSource(file, mapping.format))) {
    if (item.kind === 'unreadable')
      throw new AppError(item.problem.code, { ...item.problem.facts, file: file.name, line: item.line });
    if (item.kind === 'header') ({ names: header, elements } = item);
    if (item.kind !== 'row' || others.has(item.row.firstLine) || cellCountProblem(item.row, header)) continue;
    if (item.row.cells.every((cell) => cell === '')) continue;
    if (rows.length >= MOST_ROWS)
      throw refused(`--like reads at most ${MOST_ROWS} rows: cut off the first part of ${file.name}`);
    rows.push(item.row);
  }
  return { header, rows, elements };
}
