import { createHash, type Hash } from 'node:crypto';
import { DamageError } from './integrity.ts';
import type { LeftOutCause, SourcePosition } from '../../push/ports/staging.ts';
import { hexColumn, hexOf } from './hex-column.ts';
import type { RunDatabase } from './run-database.ts';

/** Rows whose lines are one text, because passing each of them to JavaScript takes as long as making it. */
const ROWS_AT_ONCE = 500;

/** What the staged rows hash to, alone and together with the problems. */
interface StagedRows {
  readonly rowsSha256: string;
  /** The number of rows, and the hash of the rows and problems. */
  readonly seal: string;
}

/**
 * Number and SHA-256 of everything that staging found: each row that is kept, and each problem. docs/chain.md specifies the lines.
 * `sent_before` has the rows that are not kept. Another event seals them, also when they are kept later (`--again`).
 */
export function stagedRowsOf(db: RunDatabase): StagedRows {
  const { rows, sealing } = hashedLines(db, ROWS);
  const rowsSha256 = sealing.copy().digest('hex');
  for (const text of db.prepare<[], string>(PROBLEMS).pluck().iterate()) sealing.update(text);
  return { rowsSha256, seal: `${rows} ${sealing.digest('hex')}` };
}

/** SHA-256 of the checksums of all valid records, a line each. The chain does not seal them. */
export const checksumsOf = (db: RunDatabase): string => hashedLines(db, CHECKSUMS).sealing.digest('hex');

/** Hashes the lines that a query makes of the rows of a range. */
function hashedLines(db: RunDatabase, query: string): { rows: number; sealing: Hash } {
  const sealing = createHash('sha256');
  const lines = db.prepare<[number, number], { count: number; text: string | null }>(query);
  const last = db.prepare<[], number | null>('SELECT max(seq) FROM record').pluck().get() ?? 0;
  let rows = 0;
  for (let from = 1; from <= last; from += ROWS_AT_ONCE) {
    const { count, text } = lines.get(from, from + ROWS_AT_ONCE - 1)!;
    rows += count;
    sealing.update(text ?? '');
  }
  return { rows, sealing };
}

/** Staging keeps as many rows as it has sealed. @throws DamageError when some were removed, or others added */
export function assertStagedRows(db: RunDatabase): void {
  const sealed = sealOfStagedRows(db);
  const rows = db.prepare<[], number>(`SELECT count(*) FROM record WHERE ${SEALED}`).pluck().get()!;
  if (sealed !== null && Number.parseInt(sealed, 10) !== rows)
    throw new DamageError('it has not the rows that were read from the files');
}

/** Keeps the seal of the staged rows for the beginning of the chain. A run that is thrown away needs none. */
export function sealStagedRows(db: RunDatabase): void {
  if (db.name === '') return;
  db.transaction(() => db.prepare('UPDATE run SET staged = ?').run(stagedRowsOf(db).seal))();
}

/** The seal that staging kept; null before that. */
export function sealOfStagedRows(db: RunDatabase): string | null {
  return db.prepare<[], string | null>('SELECT staged FROM run').pluck().get() ?? null;
}

const ROW = `
  seq || ' ' || record.state || ' ' || source_id || ' ' || first_line || ' ' || last_line || ' ' || byte_start || ' ' ||
  byte_end || ' ' || ${hexColumn('import_supplier')} || ' ' || ${hexColumn('external_account_number')} || ' ' ||
  ${hexColumn('identity_key')} || ' ' || ${hexColumn('identity_variant')} || ' ' || ${hexColumn('record.id')} || ' ' ||
  ${hexColumn('type')} || ' ' || coalesce(record.amount, '-') || ' ' || ${hexColumn('payload_sha256')} || ' ' ||
  ${hexColumn('content')} || ' ' || coalesce(kind, '-') || ' ' || ${hexColumn('place')} || char(10)`;

/** A row of the files as the run file has it. */
export interface StagedRow extends SourcePosition {
  readonly seq: number;
  readonly state: 'valid' | 'filtered';
  /** See `accountText`; null for a row without a valid record. */
  readonly account: string | null;
  readonly identity: { readonly key: string; readonly variant: string } | null;
  readonly id: string | null;
  readonly type: string | null;
  readonly amount: string | null;
  /** As hexadecimal digits; `content` is null where it is the same hash. */
  readonly payloadSha256: string | null;
  readonly content: string | null;
  readonly cause: LeftOutCause | null;
}

/** The line that `ROW` makes of a row. */
export function rowLine(row: StagedRow): string {
  const { seq, state, source, firstLine, lastLine, byteStart, byteEnd } = row;
  const { account, identity, id, type, amount, payloadSha256, content, cause } = row;
  const place = `${seq} ${state} ${source} ${firstLine} ${lastLine} ${byteStart} ${byteEnd} ${account ?? '- -'}`;
  const facts = `${hexOf(identity?.key)} ${hexOf(identity?.variant)} ${hexOf(id)} ${hexOf(type)} ${amount ?? '-'}`;
  return `${place} ${facts} ${payloadSha256 ?? '-'} ${content ?? '-'} ${cause?.kind ?? '-'} ${hexOf(cause?.place)}\n`;
}

/** Rows that another run has sent are sealed by an event. */
const SEALED = `
  seq > coalesce((SELECT last_seq FROM sent_before WHERE first_seq <= seq ORDER BY first_seq DESC LIMIT 1), 0)`;

const ROWS = `
  SELECT count(*) AS count, group_concat(text, '') AS text FROM (
    SELECT ${ROW} AS text
    FROM record LEFT JOIN account ON account.id = account_id LEFT JOIN cause ON cause.id = cause_id
    WHERE seq BETWEEN ? AND ? AND ${SEALED}
    ORDER BY seq)`;

const CHECKSUMS = `
  SELECT count(*) AS count, group_concat(checksum || char(10), '') AS text FROM (
    SELECT checksum FROM record WHERE seq BETWEEN ? AND ? AND state = 'valid' ORDER BY seq)`;

const PROBLEMS = `
  SELECT 'problem ' || severity || ' ' || code || ' ' || coalesce(source_id, '-') || ' ' || coalesce(line, '-') || ' ' ||
    ${hexColumn('document')} || char(10)
  FROM problem WHERE batch_id IS NULL AND of_history = 0 ORDER BY id`;
