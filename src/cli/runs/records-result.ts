import type { TracedAttempt, TracedRecord } from '../push/ports/trace.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument, snakeKeys } from '../output/json.ts';
import { problemLine } from '../output/text/problem-line.ts';
import { counted, escapeControl, escapedLines } from '../output/text/text.ts';

/** A column and the field that it fills. */
interface FeedingColumn {
  readonly attr: string;
  /** From 1; null for a key path of JSON Lines. */
  readonly column: number | null;
  readonly header: string;
  /** Name of the joined file that has the column; null for the file of the record. */
  readonly file: string | null;
}

/** A record with the columns that fed it. */
interface ShownRecord {
  readonly record: TracedRecord;
  readonly file: string;
  readonly columns: readonly FeedingColumn[];
  /** The cells of its rows; empty when they are not shown. */
  readonly cells: readonly (readonly string[])[];
}

/** Every step of the chosen records of a run. */
export interface RecordsResult {
  readonly run: string;
  /** Number of the chosen records, listed or not. */
  readonly total: number;
  readonly rows: readonly ShownRecord[];
  /** Whether values of cells are shown. */
  readonly showValues: boolean;
}

export const shownRecords = shownAs<RecordsResult>({
  document: ({ run, total, rows, showValues }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    run,
    records: rows.map(({ record, file, columns, cells }) => {
      const {
        account,
        importSupplier,
        id,
        amount,
        answered,
        payload,
        problems,
        source: _,
        ...known
      } = record;
      const values = { importSupplier, account, id, amount, answered, payload, cells };
      return {
        file,
        ...(snakeKeys({ ...known, ...(showValues && values) }, []) as object),
        columns,
        problems,
      };
    }),
    records_total: total,
  }),
  text: ({ run, total, rows, showValues }) =>
    [
      `${counted(total, 'record')} of the run ${escapeControl(run)}\n`,
      ...rows.map((row) => rowText(row, showValues)),
      total > rows.length ? `… and ${total - rows.length} more\n` : '',
    ].join('\n'),
});

function rowText({ record, file, columns, cells }: ShownRecord, showValues: boolean): string {
  const { line, lastLine, byteStart, byteEnd, state, batch, attempts, origin } = record;
  const lines = lastLine > line ? `${line} to ${lastLine}` : String(line);
  return [
    escapedLines([
      `row       ${file}, line ${lines}, bytes ${byteStart} to ${byteEnd}: ${stateText(record)}`,
      ...columns.map((column) => `column    ${columnText(column, cells[0])}`),
      ...(showValues && cells.length > 1
        ? [`rows      ${counted(cells.length, 'row')} make this record`]
        : []),
      ...(['invalid', 'filtered'].includes(state) ? [] : recordLines(record, showValues)),
      ...(batch === null
        ? []
        : [`request   ${batch.id}, ${batch.state}${batch.inDoubt === 1 ? ', may have been applied' : ''}`]),
      ...attempts.map((attempt, index) => `attempt   ${attemptText(attempt, index + 1)}`),
      ...(record.outcome === null ? [] : [`outcome   ${outcomeText(record, showValues)}`]),
      ...(origin === null ? [] : [`journal   ${origin} has the record`]),
    ]),
    ...record.problems.map((problem) => `${problemLine(problem)}\n`),
  ].join('');
}

function stateText({ state, cause, place }: TracedRecord): string {
  if (state !== 'filtered') return state;
  return `left out (${[cause, place].filter((part) => part !== null).join(' at ')})`;
}

function columnText(
  { attr, column, header, file }: FeedingColumn,
  cells: readonly string[] | undefined,
): string {
  const where = [
    column === null ? null : `column ${column}`,
    `"${header}"`,
    file === null ? null : `of ${file}`,
  ].filter((part) => part !== null);
  const value = cells === undefined || column === null || file !== null ? '' : `: ${cells[column - 1] ?? ''}`;
  return `${attr} <- ${where.join(' ')}${value}`;
}

function recordLines(record: TracedRecord, showValues: boolean): readonly string[] {
  const { importSupplier, account, id, type, amount, payload, payloadSha256 } = record;
  const values = showValues
    ? [
        `account   ${importSupplier} ${account}`,
        `record    ${[id, type, amount].filter((part) => part !== null).join(' ')}`,
        payload === null ? 'sent      the text is erased' : `sent      ${compact(payload)}`,
      ]
    : [];
  return [...values, `SHA-256   ${payloadSha256 ?? 'unknown'} of the text that is sent`];
}

const compact = (payload: string): string => (isJsonObject(plainJson(payload)) ? payload : 'not readable');

function attemptText(
  { startedAt, endedAt, status, result, reason, batch }: TracedAttempt,
  number: number,
): string {
  const answer = status === null ? 'no answer' : `status ${status}`;
  const why = reason === null ? '' : `: ${reason}`;
  return `${number} (request ${batch}) ${startedAt} to ${endedAt ?? 'now'}, ${answer}, ${result ?? 'in flight'}${why}`;
}

function outcomeText({ outcome, answered }: TracedRecord, showValues: boolean): string {
  const amount = showValues && answered !== null ? `, the answer names ${answered}` : '';
  return `${(outcome ?? '').replace('_', ' ')}${amount}`;
}
