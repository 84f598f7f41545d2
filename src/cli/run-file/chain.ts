import { hash } from 'node:crypto';
import type { Exchange } from '../push/ports/run.ts';
import type { ChainHead } from '../push/ports/report.ts';
import type { RunDatabase } from './run-database.ts';
import { readHeader, type RunHeader, type RunSource } from './run-header.ts';

// docs/chain.md specifies every byte of these texts. A change needs a new name in their first line.

/** An attempt that has ended, as its link seals it. */
export interface EndedAttempt {
  readonly id: number;
  /** The state in which the settlement leaves the batch; `none` for an attempt that settled nothing. */
  readonly state: 'done' | 'rejected' | 'again' | 'none';
  /** Number of the outcomes that were written with the link. */
  readonly outcomes: number;
  /** Where the records of the batch are: the account, and the first and last of its records; left out when there is no outcome. */
  readonly records?: { readonly account: number; readonly first: number; readonly last: number } | undefined;
  readonly exchange: Exchange | undefined;
}

/** The chain of a run: one link for each attempt, in the order in which the attempts ended. */
export interface Chain {
  /** The number of the next link. Its outcomes have it before the link is appended. */
  nextId(): number;
  /** Appends the link of an attempt, in the transaction that ends it. */
  append(ended: EndedAttempt): void;
}

interface LinkRow {
  readonly id: number;
  readonly hash: Buffer;
}

const LAST_LINK = 'SELECT id, hash FROM link ORDER BY id DESC LIMIT 1';

export function chainOf(db: RunDatabase): Chain {
  // Read for every link, because a transaction that failed has taken its links back.
  const last = db.prepare<[], LinkRow>(LAST_LINK);
  const attempt = db.prepare<[number], string>(`SELECT ${ATTEMPT_TEXT} FROM attempt WHERE id = ?`).pluck();
  const records = db
    .prepare<[number, number, number, number], string>(
      `SELECT ${RECORD_TEXT} FROM record JOIN account ON account.id = record.account_id JOIN outcome USING (seq)
       WHERE record.state = 'valid' AND record.account_id = ? AND seq BETWEEN ? AND ? AND link_id = ? ORDER BY seq`,
    )
    .pluck();
  const insert = db.prepare(
    `INSERT INTO link (id, attempt_id, state, request, answer, outcomes, records, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  let genesis: string | undefined;
  return {
    nextId: () => (last.get()?.id ?? 0) + 1,
    append({ id: attemptId, state, outcomes, records: range, exchange }) {
      const before = last.get();
      const id = (before?.id ?? 0) + 1;
      const previous = before?.hash.toString('hex') ?? (genesis ??= genesisOf(readHeader(db)));
      const lines =
        range === undefined || outcomes === 0 ? [] : records.all(range.account, range.first, range.last, id);
      if (lines.length !== outcomes)
        throw new Error(`run file: link ${id} seals ${lines.length} of ${outcomes} outcomes`);
      const sealed = sha256(lines.join(''));
      const { request = null, answer = null } = exchange ?? {};
      const text = [
        'dataimport-link-1',
        `previous ${previous}`,
        `attempt ${attempt.get(attemptId)}`,
        `state ${state}`,
        `request ${request ?? '-'}`,
        `answer ${answer ?? '-'}`,
        `records ${outcomes} ${sealed}`,
      ];
      const [ofRequest, ofAnswer] = [request, answer].map((hex) => hex && Buffer.from(hex, 'hex'));
      const [ofRecords, head] = [sealed, sha256(linesOf(text))].map((hex) => Buffer.from(hex, 'hex'));
      insert.run(id, attemptId, state, ofRequest, ofAnswer, outcomes, ofRecords, head);
    },
  };
}

/** The head of the chain: the hash of its last link, or the hash of its beginning while there is no link. */
export function chainHeadOf(db: RunDatabase): ChainHead {
  const last = db.prepare<[], LinkRow>(LAST_LINK).get();
  return last
    ? { head: last.hash.toString('hex'), links: last.id }
    : { head: genesisOf(readHeader(db)), links: 0 };
}

/** The hash that the first link follows: the inputs of the run, its target, and the options of its requests. */
function genesisOf({ id, resource, target, createdAt, toolVersion, parent, ...header }: RunHeader): string {
  const { contract, checkPreviouslyAdded, forceAddToCurrentStatement } = header.options;
  return sha256(
    linesOf([
      'dataimport-chain-1',
      `run ${hexOf(id)}`,
      `resource ${resource}`,
      `target ${hexOf(target)}`,
      `created ${createdAt}`,
      `version ${hexOf(toolVersion)}`,
      `parent ${hexOf(parent)}`,
      `contract ${contract?.sha256 ?? '-'} ${contract?.fileSha256 ?? '-'}`,
      `check_previously_added ${checkPreviouslyAdded}`,
      `force_add_to_current_statement ${forceAddToCurrentStatement}`,
      ...header.sources.map((source) => `source ${fileText(source)}`),
      ...header.inputs.map((input) => `input ${fileText(input)}`),
    ]),
  );
}

function fileText({ name, bytes, sha256: content }: RunSource): string {
  return `${hexOf(name)} ${bytes} ${content}`;
}

/** A text as hexadecimal digits of its UTF-8 bytes, so that it can contain any character; `-` for null. */
function hexOf(text: string | null): string {
  return text === null ? '-' : Buffer.from(text).toString('hex');
}

/** The same in SQL. */
const hexColumn = (column: string): string => `iif(${column} IS NULL, '-', lower(hex(${column})))`;

const ATTEMPT_TEXT = `
  id || ' ' || batch_id || ' ' || started_at || ' ' || ended_at || ' ' || coalesce(status, '-') || ' ' || result || ' ' ||
  ${hexColumn('reason')}`;

const RECORD_TEXT = `
  seq || ' ' || source_id || ' ' || first_line || ' ' || last_line || ' ' || byte_start || ' ' || byte_end || ' ' ||
  ${hexColumn('import_supplier')} || ' ' || ${hexColumn('external_account_number')} || ' ' ||
  ${hexColumn('record.id')} || ' ' || ${hexColumn('type')} || ' ' || coalesce(record.amount, '-') || ' ' ||
  lower(hex(payload_sha256)) || ' ' || outcome || ' ' || coalesce(outcome.amount, '-') || char(10)`;

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function sha256(text: string): string {
  return hash('sha256', text);
}
