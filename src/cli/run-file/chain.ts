import { createHash, hash } from 'node:crypto';
import type { AccountKey } from '../../core/contract/account.ts';
import type { Exchange } from '../push/ports/run.ts';
import type { ChainHead, ProvenChain } from '../push/ports/report.ts';
import { DamageError } from './integrity.ts';
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
  /** See `accountText`. */
  readonly account: string;
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
      const text = linkText({
        previous,
        attempt: `${attempt.id} ${batch} ${startedAt} ${endedAt} ${status ?? '-'} ${result} ${hexOf(reason)}`,
        state,
        request,
        answer,
        outcomes: settled.length,
        sealed,
      });
      const [ofRequest, ofAnswer] = [request, answer].map((hex) => hex && Buffer.from(hex, 'hex'));
      const [ofRecords, head] = [sealed, sha256(text)].map((hex) => Buffer.from(hex, 'hex'));
      insert.run(id, attempt.id, state, ofRequest, ofAnswer, settled.length, ofRecords, head);
      return id;
    },
  };
}

function recordLine({ account, record, outcome, answered }: SealedRecord): string {
  const { seq, source, line, lastLine, byteStart, byteEnd, id, type, amount, payloadSha256 } = record;
  const row = `${seq} ${source} ${line} ${lastLine} ${byteStart} ${byteEnd}`;
  return `${row} ${account} ${hexOf(id)} ${hexOf(type)} ${amount ?? '-'} ${payloadSha256} ${outcome} ${answered ?? '-'}\n`;
}

/** An account in the lines of its records. One text serves all records of a batch, because it takes as long as the rest of a line. */
export function accountText({ import_supplier, external_account_number }: AccountKey): string {
  return `${hexOf(import_supplier)} ${hexOf(external_account_number)}`;
}

/** The head of the chain: the hash of its last link, or the hash of its beginning while there is no link. */
export function chainHeadOf(db: RunDatabase): ChainHead {
  const last = db.prepare<[], LinkRow>(LAST_LINK).get();
  return last
    ? { head: last.hash.toString('hex'), links: last.id }
    : { head: genesisOf(readHeader(db)), links: 0 };
}

/** The line of a record with its outcome, made of the rows of the run file. */
interface StoredLine {
  readonly link: number;
  readonly text: string;
}

interface SealedLink extends LinkRow {
  readonly attempt_id: number;
  readonly state: string;
  readonly request: Buffer | null;
  readonly answer: Buffer | null;
  readonly outcomes: number;
  readonly records: Buffer;
}

/** Computes every link anew and compares it. The head is that of the run file when something differs. */
export function provenChain(db: RunDatabase): ProvenChain {
  const records = db
    .prepare<[], StoredLine>(
      `SELECT link_id AS link, ${RECORD_TEXT} AS text
       FROM outcome JOIN record USING (seq) JOIN account ON account.id = record.account_id ORDER BY link_id, seq`,
    )
    .iterate();
  let broken: string | null = null;
  try {
    assertChain(db, records);
  } catch (error) {
    if (!(error instanceof DamageError)) throw error;
    broken = error.message;
  } finally {
    records.return?.();
  }
  return { ...chainHeadOf(db), broken };
}

/** @throws DamageError when something that a link seals was changed */
function assertChain(db: RunDatabase, records: Iterator<StoredLine>): void {
  const attempt = db.prepare<[number], string>(`SELECT ${ATTEMPT_TEXT} FROM attempt WHERE id = ?`).pluck();
  let previous = genesisOf(readHeader(db));
  let links = 0;
  let record = records.next();
  for (const link of db.prepare<[], SealedLink>('SELECT * FROM link ORDER BY id').iterate()) {
    const sealing = createHash('sha256');
    let found = 0;
    for (; !record.done && record.value.link <= link.id; record = records.next(), found++)
      sealing.update(record.value.text);
    const sealed = link.records.toString('hex');
    // `resume` removes the refusals that had stopped the run, so only the hash of such records is left.
    const isWithdrawn = link.state === 'rejected' && found < link.outcomes;
    if (!isWithdrawn && (found !== link.outcomes || sealing.digest('hex') !== sealed))
      throw new DamageError(`the records of attempt ${link.attempt_id} are not those that its link sealed`);
    const text = linkText({
      previous,
      attempt: attempt.get(link.attempt_id),
      state: link.state,
      request: link.request?.toString('hex') ?? null,
      answer: link.answer?.toString('hex') ?? null,
      outcomes: link.outcomes,
      sealed,
    });
    previous = link.hash.toString('hex');
    links++;
    if (link.id !== links || previous !== sha256(text))
      throw new DamageError(`link ${links} is not the hash of what it seals`);
  }
  if (!record.done) throw new DamageError('a record has an outcome and no link');
  const withoutLink = db.prepare<[], number>(WITHOUT_LINK).pluck().get();
  if (withoutLink !== undefined) throw new DamageError(`attempt ${withoutLink} has ended and has no link`);
}

const WITHOUT_LINK =
  'SELECT id FROM attempt WHERE ended_at IS NOT NULL AND id NOT IN (SELECT attempt_id FROM link) LIMIT 1';

interface LinkContent {
  readonly previous: string;
  readonly attempt: string | undefined;
  readonly state: string;
  readonly request: string | null;
  readonly answer: string | null;
  readonly outcomes: number;
  /** Hash of the records. */
  readonly sealed: string;
}

function linkText({ previous, attempt, state, request, answer, outcomes, sealed }: LinkContent): string {
  return linesOf([
    'dataimport-link-1',
    `previous ${previous}`,
    `attempt ${attempt}`,
    `state ${state}`,
    `request ${request ?? '-'}`,
    `answer ${answer ?? '-'}`,
    `records ${outcomes} ${sealed}`,
  ]);
}

/**
 * The hash that the first link follows: the header of the run. The choice about refused records is left out, because `resume` may
 * change it.
 */
function genesisOf({ id, resource, target, createdAt, toolVersion, parent, ...header }: RunHeader): string {
  const { onReject: _onReject, ...options } = header.options;
  return sha256(
    linesOf([
      'dataimport-chain-2',
      `run ${hexOf(id)}`,
      `resource ${resource}`,
      `target ${hexOf(target)}`,
      `created ${createdAt}`,
      `version ${hexOf(toolVersion)}`,
      `parent ${hexOf(parent)}`,
      `content ${header.contentSha256}`,
      `options ${hexOf(JSON.stringify(options))}`,
      ...header.sources.map(
        ({ mappedBy, ...source }, index) =>
          `source ${index + 1} ${fileText(source)} ${hexOf(mappedBy ? JSON.stringify(mappedBy) : null)}`,
      ),
      ...header.inputs.map((input, index) => `input ${index + 1} ${fileText(input)}`),
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
