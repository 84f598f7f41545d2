import { hash } from 'node:crypto';
import type { AccountKey } from '../../core/contract/account.ts';
import type { Exchange } from '../push/ports/run.ts';
import type { ChainHead } from '../push/ports/report.ts';
import type { RunDatabase } from './run-database.ts';
import { readHeader, type RunHeader, type RunSource } from './run-header.ts';

// docs/chain.md specifies every byte of these texts. A change needs a new name in their first line.

/** An attempt that has ended, as its link seals it. */
export interface EndedAttempt {
  readonly id: number;
  readonly batch: number;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly status: number | null;
  readonly result: string;
  readonly reason: string | null;
  /** The state in which the settlement leaves the batch; `none` for an attempt that settled nothing. */
  readonly state: 'done' | 'rejected' | 'again' | 'none';
  /** The records whose outcome the answer settled, in the order of `seq`. */
  readonly settled: readonly SealedRecord[];
  readonly exchange: Exchange | undefined;
}

/** The columns of a record that its line in a link consists of. */
export interface ChainedRecord {
  readonly seq: number;
  readonly source: number;
  readonly line: number;
  readonly lastLine: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly id: string | null;
  readonly type: string | null;
  readonly amount: string | null;
  /** As hexadecimal digits. */
  readonly payloadSha256: string;
}

interface SealedRecord {
  readonly account: AccountKey;
  readonly record: ChainedRecord;
  readonly outcome: string;
  readonly answered: string | null;
}

/** The chain of a run: one link for each attempt, in the order in which the attempts ended. */
export interface Chain {
  /** Appends the link of an attempt, in the transaction that ends it, and returns its number. */
  append(ended: EndedAttempt): number;
}

interface LinkRow {
  readonly id: number;
  readonly hash: Buffer;
}

const LAST_LINK = 'SELECT id, hash FROM link ORDER BY id DESC LIMIT 1';

export function chainOf(db: RunDatabase): Chain {
  // Read for every link, because a transaction that failed has taken its links back.
  const last = db.prepare<[], LinkRow>(LAST_LINK);
  const insert = db.prepare(
    `INSERT INTO link (id, attempt_id, state, request, answer, outcomes, records, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  let genesis: string | undefined;
  return {
    append({ state, settled, exchange, ...attempt }) {
      const before = last.get();
      const id = (before?.id ?? 0) + 1;
      const previous = before?.hash.toString('hex') ?? (genesis ??= genesisOf(readHeader(db)));
      const sealed = sha256(settled.map(recordLine).join(''));
      const { request = null, answer = null } = exchange ?? {};
      const { batch, startedAt, endedAt, status, result, reason } = attempt;
      const text = [
        'dataimport-link-1',
        `previous ${previous}`,
        `attempt ${attempt.id} ${batch} ${startedAt} ${endedAt} ${status ?? '-'} ${result} ${hexOf(reason)}`,
        `state ${state}`,
        `request ${request ?? '-'}`,
        `answer ${answer ?? '-'}`,
        `records ${settled.length} ${sealed}`,
      ];
      const [ofRequest, ofAnswer] = [request, answer].map((hex) => hex && Buffer.from(hex, 'hex'));
      const [ofRecords, head] = [sealed, sha256(linesOf(text))].map((hex) => Buffer.from(hex, 'hex'));
      insert.run(id, attempt.id, state, ofRequest, ofAnswer, settled.length, ofRecords, head);
      return id;
    },
  };
}

function recordLine({ account, record, outcome, answered }: SealedRecord): string {
  const { seq, source, line, lastLine, byteStart, byteEnd, id, type, amount, payloadSha256 } = record;
  const row = `${seq} ${source} ${line} ${lastLine} ${byteStart} ${byteEnd}`;
  const names = `${hexOf(account.import_supplier)} ${hexOf(account.external_account_number)} ${hexOf(id)} ${hexOf(type)}`;
  return `${row} ${names} ${amount ?? '-'} ${payloadSha256} ${outcome} ${answered ?? '-'}\n`;
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

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function sha256(text: string): string {
  return hash('sha256', text);
}
