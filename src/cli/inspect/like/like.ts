import { AppError } from '../../../core/app-error.ts';
import { readSource } from '../../csv/read-source.ts';
import type { SourceFile } from '../../csv/source-file.ts';
import { cellCountProblem, eachItem, type ElementPaths, type SourceRow } from '../../csv/source-row.ts';
import type { RecordRows } from '../../mapping/mapping-plan.ts';
import type { ColumnProfile } from '../column/profiled-column.ts';
import { keyField } from '../draft/header-match.ts';
import { draftFacts, type DraftRequest } from '../draft/draft-mapping.ts';
import type { Mapping } from '../../mapping/language/mapping.ts';
import type { FileProfile } from '../inspection.ts';
import {
  exampleRows,
  likenessOf,
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
      `it is open how ${file.name} is cut into cells: give --encoding or --delimiter, or leave --like out, and the draft asks for columns at fixed places`,
    );
  const { header, rows, elements } = await rowsOf(file, mapping, content);
  const { trim = false, null_tokens: tokens = [''] } = mapping.document.source ?? {};
  const cellOf = (row: SourceRow, { column }: ColumnProfile): string => {
    const cell = row.cells[column - 1] ?? '';
    const text = trim ? cell.trim() : cell;
    return tokens.includes(text) ? '' : text;
  };
  const idField = keyField(resource);
  const isId = examples.map(({ values }) => likenessOf(resource, idField ?? '', values[idField ?? '']));
  const keys = content.columns.filter(
    (column) =>
      idField !== null &&
      column.empty + column.repeatsPrevious.count > 0 &&
      isId.every((isLike) => rows.some((row) => isLike(cellOf(row, column)))),
  );
  let best: Attempt = attempt();
  // Rows are together only if that says more about the examples, and something is made of several of them.
  for (const key of keys) {
    if (best.open === 0) break;
    const other = attempt(key);
    const isShown = /"sum":true|"rows":/.test(JSON.stringify([...(other.fields?.fields ?? [])]));
    if (isShown && other.open < best.open) best = other;
  }
  if (!best.fields) throw refused(`no example is clearly one row of ${file.name}; ${nearestText(best.lost)}`);
  return best.fields;

  /** @param key the column whose cells are the same, or empty, in the rows of one record; without it each row is one */
  function attempt(key?: ColumnProfile): Attempt {
    const records = recordsOf(rows, (row) => (key ? cellOf(row, key) : String(row.byteStart)));
    const byFirst = new Map(records.map((record) => [record[0], record]));
    const recordOf = (row: SourceRow): RecordRows => byFirst.get(row) ?? [row];
    const trial = trialOf(mapping!, { header, elements, recordOf }, descriptors);
    const fieldsFrom = (found: readonly FoundExample[], lost: readonly LostExample[]): Attempt => {
      const fields = findFields({
        trial,
        examples: found,
        lost: nearestText(lost),
        key,
        rows: records.map(([first]) => first),
        recordOf: key && recordOf,
        header,
        elements,
        tie: (own) => trialOf(mapping!, { header: own, elements: undefined }, descriptors),
        draft: facts.setting,
        matches: facts.matches,
        cellOf,
      });
      return { fields, lost, open: lost.length + fields.unexplained };
    };
    const { found, lost } = exampleRows(resource, examples, records);
    if (found.length === 0) return { lost, open: Infinity };
    const first = fieldsFrom(found, lost);
    // What the other examples say may tell the rows of these.
    const more = lost.flatMap((example) => {
      const row = first.fields!.rowOf(example.values);
      return row ? [{ ...example, row }] : [];
    });
    const known = new Set(more.map(({ line }) => line));
    const others = lost.filter(({ line }) => !known.has(line));
    return more.length === 0 ? first : fieldsFrom([...found, ...more], others);
  }
}

/** What is found, the examples whose row is not clear, and how many of them and of the fields nothing explains. */
type Attempt = Readonly<{ fields?: FoundFields; lost: readonly LostExample[]; open: number }>;

/** Rows of one record follow each other, as `continuation` puts them together. */
function recordsOf(rows: readonly SourceRow[], keyOf: (row: SourceRow) => string): readonly RecordRows[] {
  const records: [SourceRow, ...SourceRow[]][] = [];
  for (const row of rows) {
    const open = records.at(-1);
    if (open && ['', keyOf(open[0])].includes(keyOf(row))) open.push(row);
    else records.push([row]);
  }
  return records;
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
