import { createHash } from 'node:crypto';
import { plainJson } from '../../core/values/plain-json.ts';
import { otherVersion } from '../seed/definition-words.ts';
import type { Instant } from '../../core/values/instant.ts';
import type { Contents, TableRow } from '../store/contents.ts';

/** The first line of a state; `written_by` is the version of the program. */
export interface StateHead {
  readonly format: string;
  readonly version: number;
  /** Version of the tables that the rows are of. */
  readonly tables: number;
  readonly written_at: Instant;
  readonly written_by: string;
}

const FORMAT = 'dataimport serve state';
const VERSION = 1;

/** Largest state, in bytes: about a million records. One text cannot be much longer in Node. */
export const LARGEST_STATE_BYTES = 256 * 1024 * 1024;

/** Line of a state on which a row stands, one-based; `index` counts rows from 0. */
export function lineOfRow(index: number): number {
  return index + 2;
}

/** Why a text is not taken as a state; its words are for people. */
export class UnfitState extends Error {}

/**
 * A state as text, one JSON document a line: a head, every row, and a last line with the number of rows and the SHA-256
 * of all that stands before it.
 * @throws UnfitState when it is too large
 */
export function stateText(
  contents: Contents,
  written: { readonly at: Instant; readonly by: string },
  largestBytes = LARGEST_STATE_BYTES,
): string {
  const head: StateHead = {
    format: FORMAT,
    version: VERSION,
    tables: contents.version,
    written_at: written.at,
    written_by: written.by,
  };
  let text = `${JSON.stringify(head)}\n`;
  let bytes = Buffer.byteLength(text);
  let rows = 0;
  for (const row of contents.rows()) {
    const line = `${JSON.stringify(row)}\n`;
    text += line;
    bytes += Buffer.byteLength(line);
    rows++;
    if (bytes > largestBytes) throw new UnfitState(`it would be larger than ${largestBytes} bytes`);
  }
  return `${text}${JSON.stringify({ rows, sha256: digestOf(text) })}\n`;
}

/**
 * The rows of a state that is whole and of this program's tables.
 * @throws UnfitState with what differs
 */
export function rowsOfState(text: string, tables: number): readonly TableRow[] {
  const head = headOfState(text);
  if (head === undefined) throw new UnfitState('it is not a state of dataimport serve');
  if (head.version !== VERSION) {
    throw new UnfitState(otherVersion(`version ${head.version}`, VERSION));
  }
  if (head.tables !== tables) {
    throw new UnfitState(
      `its tables have version ${head.tables} (written by ${head.written_by}), those of this program ${tables}`,
    );
  }
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length < 2) throw new UnfitState('its end is missing');
  const last = lines.pop()!;
  const end = plainJson(last) as { readonly rows?: unknown; readonly sha256?: unknown } | null | undefined;
  if (typeof end?.sha256 !== 'string') throw new UnfitState('its end is missing');
  const before = text.slice(0, -(last.length + 1));
  const rows = lines.length - 1;
  if (end.rows !== rows) throw new UnfitState(`it has ${rows} rows and says ${String(end.rows)}`);
  if (end.sha256 !== digestOf(before)) throw new UnfitState('it was changed: its checksum is another');
  return lines.slice(1).map(rowIn);
}

/** @throws UnfitState */
function rowIn(line: string): TableRow {
  const row = plainJson(line) as Partial<TableRow> | null | undefined;
  if (typeof row?.table === 'string' && typeof row.row === 'object' && row.row !== null)
    return row as TableRow;
  throw new UnfitState('it has a line that is no row');
}

/** The first line of a state, whatever its version; undefined when the text is none. */
export function headOfState(text: string): StateHead | undefined {
  const head = plainJson(text.slice(0, text.indexOf('\n'))) as StateHead | null | undefined;
  return head?.format === FORMAT ? head : undefined;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
