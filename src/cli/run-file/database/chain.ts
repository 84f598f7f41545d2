import { createHash, hash } from 'node:crypto';
import type { AccountKey } from '../../../core/contract/account.ts';
import type { Exchange } from '../../push/ports/run.ts';
import type { ChainHead, ProvenChain } from '../../push/ports/report.ts';
import { hexColumn, hexOf } from './hex-column.ts';
import { DamageError } from './integrity.ts';
import type { RunDatabase } from './run-database.ts';
import { readHeader, type RunSource } from './run-header.ts';
import { sealOfStagedRows, stagedRowsOf } from './sealed-rows.ts';

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

/** Something about the records of a run that no answer says: the history, a repeated command, or a person. */
export interface RunEvent {
  readonly at: string;
  readonly kind: 'compared' | 'planned_again' | 'confirmed';
  /** The name of the person; null for a command. */
  readonly by: string | null;
  /** Further facts. `rows_sent_before`: how many rows are in `sent_before`, of the comparison that made these rows. */
  readonly document: Readonly<Record<string, string | number | boolean>>;
}

type LinkRow = { readonly id: number; readonly hash: Buffer };

const LAST_LINK = 'SELECT id, hash FROM link ORDER BY id DESC LIMIT 1';

/** The chain of a run: one link for each attempt and each event, in the order in which they ended. */
export function chainOf(db: RunDatabase) {
  // Read for every link, because a transaction that failed has taken its links back.
  const last = db.prepare<[], LinkRow>(LAST_LINK);
  const insert = db.prepare(
    `INSERT INTO link (id, attempt_id, event_id, state, request, answer, outcomes, records, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  let genesis: string | undefined;
  const before = (): { id: number; previous: string } => {
    const link = last.get();
    return {
      id: (link?.id ?? 0) + 1,
      previous: link?.hash.toString('hex') ?? (genesis ??= genesisOf(db)),
    };
  };
  return {
    /** As `chainHeadOf`, without preparing a statement after each commit. */
    head(): ChainHead {
      const { id, previous } = before();
      return { head: previous, links: id - 1 };
    },
    /** Appends the link of an attempt, in the transaction that ends it, and returns its number. */
    append({ state, settled, exchange, ...attempt }: EndedAttempt) {
      const { id, previous } = before();
      const sealed = sha256(settled.map(recordLine).join(''));
      const { request = null, answer = null } = exchange ?? {};
      const { batch, startedAt, endedAt, status, result, reason } = attempt;
      const text = linkText({
        previous,
        about: `attempt ${attempt.id} ${batch} ${startedAt} ${endedAt} ${status ?? '-'} ${result} ${hexOf(reason)}`,
        state,
        request,
        answer,
        outcomes: settled.length,
        sealed,
      });
      const [ofRequest, ofAnswer] = [request, answer].map((hex) => hex && Buffer.from(hex, 'hex'));
      const [ofRecords, head] = [sealed, sha256(text)].map((hex) => Buffer.from(hex, 'hex'));
      insert.run(id, attempt.id, null, state, ofRequest, ofAnswer, settled.length, ofRecords, head);
      return id;
    },
    /**
     * Appends the link of an event. `write` gets the number of the link, writes the outcomes that it gives and moves those that it
     * withdraws. Both happen in the transaction of the caller.
     */
    appendEvent({ at, kind, by, document }: RunEvent, write: (link: number) => void) {
      const { id, previous } = before();
      write(id);
      const written = JSON.stringify(document);
      const event = db
        .prepare<[string, string, string | null, string], number>(
          'INSERT INTO event (at, kind, by, document) VALUES (?, ?, ?, ?) RETURNING id',
        )
        .pluck()
        .get(at, kind, by, written)!;
      const { count, digest } = sealOfEvent(db, id, 'rows_sent_before' in document);
      const text = linkText({
        previous,
        about: `event ${event} ${at} ${kind} ${hexOf(by)} ${hexOf(written)}`,
        state: 'none',
        request: null,
        answer: null,
        outcomes: count,
        sealed: digest,
      });
      const [ofRecords, head] = [digest, sha256(text)].map((hex) => Buffer.from(hex, 'hex'));
      insert.run(id, null, event, 'none', null, null, count, ofRecords, head);
      return id;
    },
  };
}

/** What an event seals: the outcomes that it gave, those that it withdrew, and the rows that it did not keep. */
function sealOfEvent(
  db: RunDatabase,
  link: number,
  hasRowsSentBefore: boolean,
): { count: number; digest: string } {
  const sealing = createHash('sha256');
  let count = 0;
  for (const query of hasRowsSentBefore ? [GIVEN, WITHDRAWN, ...SENT_BEFORE] : [GIVEN, WITHDRAWN])
    for (const text of db.prepare<[{ link: number }], string>(query).pluck().iterate({ link })) {
      sealing.update(text);
      count++;
    }
  return { count, digest: sealing.digest('hex') };
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
  return last ? { head: last.hash.toString('hex'), links: last.id } : { head: genesisOf(db), links: 0 };
}

/** The line of a record with its outcome, made of the rows of the run file. */
type StoredLine = { readonly link: number; readonly text: string };

interface SealedLink extends LinkRow {
  readonly attempt_id: number | null;
  readonly event_id: number | null;
  readonly state: string;
  readonly request: Buffer | null;
  readonly answer: Buffer | null;
  readonly outcomes: number;
  readonly records: Buffer;
}

/**
 * Computes every link anew and compares it. The head is that of the run file when something differs. `rowsSha256`: what the rows that it
 * seals hash to; null when it does not hold, or seals none.
 */
export function provenChain(db: RunDatabase): ProvenChain & { readonly rowsSha256: string | null } {
  const records = db.prepare<[], StoredLine>(ANSWERED).iterate();
  let broken: string | null = null;
  let rowsSha256: string | null = null;
  try {
    rowsSha256 = assertChain(db, records);
  } catch (error) {
    if (!(error instanceof DamageError)) throw error;
    broken = error.message;
  } finally {
    records.return?.();
  }
  return { ...chainHeadOf(db), broken, rowsSha256 };
}

/** Returns what the sealed rows hash to; null when none are sealed. @throws DamageError when something that a link seals was changed */
function assertChain(db: RunDatabase, records: Iterator<StoredLine>): string | null {
  const attempt = db.prepare<[number], string>(`SELECT ${ATTEMPT_TEXT} FROM attempt WHERE id = ?`).pluck();
  const event = db.prepare<[number], { text: string; ranges: number }>(
    `SELECT ${EVENT_TEXT} AS text, json_type(document, '$.rows_sent_before') IS NOT NULL AS ranges FROM event WHERE id = ?`,
  );
  let previous = genesisOf(db);
  let links = 0;
  let record = records.next();
  for (const link of db.prepare<[], SealedLink>('SELECT * FROM link ORDER BY id').iterate()) {
    links++;
    const { sealed, about } =
      link.attempt_id === null ? ofEvent(link.id, link.event_id!) : ofAttempt(link, link.attempt_id);
    if (sealed.count !== link.outcomes || sealed.digest !== link.records.toString('hex'))
      throw new DamageError(`the records of link ${links} are not those that it sealed`);
    const text = linkText({
      previous,
      about,
      state: link.state,
      request: link.request?.toString('hex') ?? null,
      answer: link.answer?.toString('hex') ?? null,
      outcomes: link.outcomes,
      sealed: sealed.digest,
    });
    previous = link.hash.toString('hex');
    if (link.id !== links || previous !== sha256(text))
      throw new DamageError(`link ${links} is not the hash of what it seals`);
  }
  const sealed = sealOfStagedRows(db);
  const staged = sealed === null ? null : stagedRowsOf(db);
  if (sealed !== (staged?.seal ?? null))
    throw new DamageError('the rows or problems of its files are not those that were read');
  for (const [query, what] of WITHOUT_LINK) {
    const found = db.prepare<[], number>(query).pluck().get();
    if (found !== undefined) throw new DamageError(`${what} ${found} has no link`);
  }
  return staged?.rowsSha256 ?? null;

  function ofAttempt({ id }: SealedLink, of: number) {
    const sealing = createHash('sha256');
    let count = 0;
    for (; !record.done && record.value.link <= id; record = records.next(), count++)
      sealing.update(record.value.text);
    return { sealed: { count, digest: sealing.digest('hex') }, about: `attempt ${attempt.get(of)}` };
  }
  function ofEvent(id: number, of: number) {
    const found = event.get(of);
    return { sealed: sealOfEvent(db, id, found?.ranges === 1), about: `event ${found?.text}` };
  }
}

const WITHOUT_LINK = [
  [
    'SELECT id FROM attempt WHERE ended_at IS NOT NULL AND id NOT IN (SELECT attempt_id FROM link WHERE attempt_id IS NOT NULL) LIMIT 1',
    'the ended attempt',
  ],
  [
    'SELECT id FROM event WHERE id NOT IN (SELECT event_id FROM link WHERE event_id IS NOT NULL) LIMIT 1',
    'the event',
  ],
  [
    `SELECT seq FROM (SELECT seq, link_id FROM outcome UNION ALL SELECT seq, link_id FROM past_outcome)
     WHERE link_id NOT IN (SELECT id FROM link) LIMIT 1`,
    'an outcome of the record',
  ],
] as const;

interface LinkContent {
  readonly previous: string;
  /** The attempt or event, as its line. */
  readonly about: string;
  readonly state: string;
  readonly request: string | null;
  readonly answer: string | null;
  readonly outcomes: number;
  /** Hash of the records. */
  readonly sealed: string;
}

function linkText({ previous, about, state, request, answer, outcomes, sealed }: LinkContent): string {
  return linesOf([
    'dataimport-link-2',
    `previous ${previous}`,
    about,
    `state ${state}`,
    `request ${request ?? '-'}`,
    `answer ${answer ?? '-'}`,
    `records ${outcomes} ${sealed}`,
  ]);
}

/** The hash that the first link follows: the header of the run, and the rows that it has read. */
function genesisOf(db: RunDatabase): string {
  const { id, resource, target, createdAt, toolVersion, options, ...header } = readHeader(db);
  return sha256(
    linesOf([
      'dataimport-chain-4',
      `run ${hexOf(id)}`,
      `resource ${resource}`,
      `target ${hexOf(target)}`,
      `database ${hexOf(header.database)}`,
      `created ${createdAt}`,
      `tool ${hexOf(toolVersion)}`,
      `version ${header.version}`,
      `content ${header.contentSha256}`,
      `options ${hexOf(JSON.stringify(options))}`,
      ...header.sources.map(
        ({ mappedBy, place, ...source }, index) =>
          `source ${index + 1} ${fileText(source)} ${hexOf(place)} ${hexOf(mappedBy ? JSON.stringify(mappedBy) : null)}`,
      ),
      ...header.inputs.map((input, index) => `input ${index + 1} ${fileText(input)}`),
      `staged ${sealOfStagedRows(db) ?? '-'}`,
    ]),
  );
}

function fileText({ name, bytes, sha256: content }: RunSource): string {
  return `${hexOf(name)} ${bytes} ${content}`;
}

/** A text as hexadecimal digits of its UTF-8 bytes, so that it can contain any character; `-` for null. */

const ATTEMPT_TEXT = `
  id || ' ' || batch_id || ' ' || started_at || ' ' || ended_at || ' ' || coalesce(status, '-') || ' ' || result || ' ' ||
  ${hexColumn('reason')}`;

const EVENT_TEXT = `id || ' ' || at || ' ' || kind || ' ' || ${hexColumn('by')} || ' ' || ${hexColumn('document')}`;

const RECORD_TEXT = `
  seq || ' ' || source_id || ' ' || first_line || ' ' || last_line || ' ' || byte_start || ' ' || byte_end || ' ' ||
  ${hexColumn('import_supplier')} || ' ' || ${hexColumn('external_account_number')} || ' ' ||
  ${hexColumn('record.id')} || ' ' || ${hexColumn('type')} || ' ' || coalesce(record.amount, '-') || ' ' ||
  lower(hex(payload_sha256)) || ' ' || outcome || ' ' || coalesce(given.amount, '-') || char(10)`;

/** All outcomes that a link gave, whether they still count or not. */
const ALL_GIVEN = `
  SELECT seq, outcome, amount, link_id, origin FROM outcome
  UNION ALL SELECT seq, outcome, amount, link_id, origin FROM past_outcome`;

/** The outcomes that answers gave, in the order of their links. */
const ANSWERED = `
  SELECT link_id AS link, ${RECORD_TEXT} AS text
  FROM (${ALL_GIVEN}) AS given JOIN link ON link.id = link_id AND attempt_id IS NOT NULL
    JOIN record USING (seq) JOIN account ON account.id = record.account_id
  ORDER BY link_id, seq`;

const ORIGIN_TEXT = hexColumn('(SELECT run FROM other_run WHERE other_run.id = origin)');

/** The outcomes that an event gave. */
const GIVEN = `
  SELECT '+' || seq || ' ' || outcome || ' ' || ${ORIGIN_TEXT} || char(10)
  FROM (${ALL_GIVEN}) WHERE link_id = @link ORDER BY seq`;

/** The outcomes that an event withdrew. */
const WITHDRAWN = `
  SELECT '-' || seq || ' ' || outcome || ' ' || link_id || char(10)
  FROM past_outcome WHERE until_id = @link ORDER BY seq, link_id`;

/** The rows that were not kept, and their sums. The number of the link is not used. */
const SENT_BEFORE = [
  `SELECT '=' || first_seq || ' ' || last_seq || ' ' || ${hexColumn('run')} || ' ' || there_seq || char(10)
   FROM sent_before JOIN other_run ON other_run.id = run_id WHERE @link > 0 ORDER BY first_seq`,
  `SELECT '=' || ${hexColumn('type')} || ' ' || count || ' ' || coalesce(read, '-') || char(10)
   FROM sent_before_total WHERE @link > 0 ORDER BY type`,
];

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

const sha256 = (text: string): string => hash('sha256', text);
