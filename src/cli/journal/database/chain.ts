import { createHash, hash } from 'node:crypto';
import type { AccountKey } from '../../../core/contract/account.ts';
import type { Exchange } from '../../push/ports/run.ts';
import type { ChainHead, ProvenChain } from '../../push/ports/report.ts';
import { hexColumn, hexOf } from './hex-column.ts';
import { DamageError } from './integrity.ts';
import { allRows, eachRow, firstRow, valueOf, valuesOf } from './queries.ts';
import type { RunDatabase } from './run-database.ts';
import { headerText, madeBy, readHeader, readScope } from './run-header.ts';
import { sealOfReading, stagedRowsOf } from './sealed-rows.ts';

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

/** A fact about records that no answer of the platform gave: a reading found it, another journal, a repeated command, or a person. */
export interface RunEvent {
  readonly at: string;
  readonly kind: 'read' | 'sent_before' | 'planned_again' | 'confirmed';
  /** The name of the person; null for a command. */
  readonly by: string | null;
  /** Further facts. */
  readonly document: Readonly<Record<string, unknown>>;
}

type LinkRow = { readonly id: number; readonly hash: Buffer };

const LAST_LINK = 'SELECT id, hash FROM link ORDER BY id DESC LIMIT 1';

/** The chain of a journal: one link for each attempt and each event, in the order in which they ended. */
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
  const add = (of: Readonly<Record<'id' | 'attempt' | 'event', number | null>>, content: LinkContent) => {
    const { state, request, answer, outcomes, sealed } = content;
    const [ofRequest, ofAnswer, ofRecords, head] = [request, answer, sealed, sha256(linkText(content))].map(
      (hex) => hex && Buffer.from(hex, 'hex'),
    );
    insert.run(of.id, of.attempt, of.event, state, ofRequest, ofAnswer, outcomes, ofRecords, head);
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
      const { request = null, answer = null } = exchange ?? {};
      const { batch, startedAt, endedAt, status, result, reason } = attempt;
      const about = `attempt ${attempt.id} ${batch} ${startedAt} ${endedAt} ${status ?? '-'} ${result} ${hexOf(reason)}`;
      const sealed = sha256(settled.map(recordLine).join(''));
      const content = { previous, about, state, request, answer, outcomes: settled.length, sealed };
      add({ id, attempt: attempt.id, event: null }, content);
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
      const insertEvent = 'INSERT INTO event (at, kind, by, document) VALUES (?, ?, ?, ?) RETURNING id';
      const event = valueOf<number>(db, insertEvent, at, kind, by, written)!;
      const { count: outcomes, digest: sealed } = sealOfEvent(db, id);
      const about = `event ${event} ${at} ${kind} ${hexOf(by)} ${hexOf(written)}`;
      const content = { previous, about, state: 'none', request: null, answer: null, outcomes, sealed };
      add({ id, attempt: null, event }, content);
    },
  };
}

/** What an event seals: the outcomes that it gave, and those that it withdrew. */
function sealOfEvent(db: RunDatabase, link: number): { count: number; digest: string } {
  const sealing = createHash('sha256');
  let count = 0;
  for (const query of [GIVEN, WITHDRAWN])
    for (const text of db.prepare<[{ link: number }], string>(query).pluck().iterate({ link })) {
      sealing.update(text);
      count++;
    }
  return { count, digest: sealing.digest('hex') };
}

function recordLine({ account, record, outcome, answered }: SealedRecord): string {
  const { seq, id, type, amount, payloadSha256 } = record;
  return `${seq} ${account} ${hexOf(id)} ${hexOf(type)} ${amount ?? '-'} ${payloadSha256} ${outcome} ${answered ?? '-'}\n`;
}

/** An account in the lines of its records. One text serves all records of a batch, because it takes as long as the rest of a line. */
export function accountText({ import_supplier, external_account_number }: AccountKey): string {
  return `${hexOf(import_supplier)} ${hexOf(external_account_number)}`;
}

/** The head of the chain: the hash of its last link, or the hash of its beginning while there is no link. */
export function chainHeadOf(db: RunDatabase): ChainHead {
  const last = firstRow<LinkRow>(db, LAST_LINK);
  return last ? { head: last.hash.toString('hex'), links: last.id } : { head: genesisOf(db), links: 0 };
}

/** The line of a record with its outcome, made of the rows of the journal. */
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

/** Computes every link anew and compares it. The head is that of the journal when something differs. */
export function provenChain(db: RunDatabase): ProvenChain {
  const records = eachRow<StoredLine>(db, ANSWERED);
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
  const event = db.prepare<[number], string>(`SELECT ${EVENT_TEXT} FROM event WHERE id = ?`).pluck();
  let previous = genesisOf(db);
  let links = 0;
  let record = records.next();
  for (const link of eachRow<SealedLink>(db, 'SELECT * FROM link ORDER BY id')) {
    links++;
    const { sealed, about } =
      link.attempt_id === null
        ? { sealed: sealOfEvent(db, link.id), about: `event ${event.get(link.event_id!)}` }
        : ofAttempt(link, link.attempt_id);
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
  assertReadings(db);
  for (const [query, what, owner] of ORPHANS) {
    const found = valueOf<number>(db, query);
    if (found !== undefined) throw new DamageError(`${what} ${found} has no ${owner}`);
  }

  function ofAttempt({ id }: SealedLink, of: number) {
    const sealing = createHash('sha256');
    let count = 0;
    for (; !record.done && record.value.link <= id; record = records.next(), count++)
      sealing.update(record.value.text);
    return { sealed: { count, digest: sealing.digest('hex') }, about: `attempt ${attempt.get(of)}` };
  }
}

/** Every reading is what its event sealed, and has its rows, unless a later reading has read some of them again. @throws DamageError */
function assertReadings(db: RunDatabase): void {
  const sealed = valuesOf<string>(db, "SELECT document FROM event WHERE kind = 'read' ORDER BY id");
  const readings = allRows<{ id: number; rows: number }>(
    db,
    "SELECT id, rows FROM reading WHERE state = 'staged' ORDER BY id",
  );
  if (readings.length !== sealed.length) throw new DamageError('its readings are not those that it sealed');
  const newest = valueOf<number>(db, 'SELECT max(id) FROM reading');
  for (const [index, { id, rows }] of readings.entries()) {
    const names = valueOf<string>(db, NAMES, id);
    const read = readHeader(db, id).sources.map(({ name, place }) => [name, place]);
    if (sealed[index] !== JSON.stringify(readingDocument(db, id)) || names !== JSON.stringify(read))
      throw new DamageError(`the reading ${id} is not what was read`);
    const staged = stagedRowsOf(db, id);
    const seal = sealOfReading(db, id);
    const areTakenOver = staged.rows < rows && id !== newest;
    if (seal?.startsWith(`${rows} `) !== true || (staged.rows !== rows && !areTakenOver))
      throw new DamageError('it has not the rows that were read from the files');
    if (!areTakenOver && staged.seal !== seal)
      throw new DamageError('the rows or problems of its files are not those that were read');
  }
}

const NAMES = `
  SELECT json_group_array(json_array(name, place)) FROM (SELECT name, place FROM source WHERE reading_id = ? ORDER BY id)`;

/** Everything that decided what a reading found, as its event seals it. */
export function readingDocument(db: RunDatabase, number: number): RunEvent['document'] {
  const header = JSON.parse(headerText(db, number)) as unknown;
  return { reading: number, rows: sealOfReading(db, number), header };
}

/** What is nobody's, as queries that find nothing. */
const ORPHANS = [
  [
    'SELECT id FROM attempt WHERE ended_at IS NOT NULL AND id NOT IN (SELECT attempt_id FROM link WHERE attempt_id IS NOT NULL) LIMIT 1',
    'the ended attempt',
    'link',
  ],
  [
    'SELECT id FROM event WHERE id NOT IN (SELECT event_id FROM link WHERE event_id IS NOT NULL) LIMIT 1',
    'the event',
    'link',
  ],
  [
    `SELECT seq FROM (SELECT seq, link_id FROM outcome UNION ALL SELECT seq, link_id FROM past_outcome)
     WHERE link_id NOT IN (SELECT id FROM link) LIMIT 1`,
    'an outcome of the record',
    'link',
  ],
  ['SELECT seq FROM record WHERE reading_id NOT IN (SELECT id FROM reading) LIMIT 1', 'the row', 'reading'],
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
    'dataimport-link-3',
    `previous ${previous}`,
    about,
    `state ${state}`,
    `request ${request ?? '-'}`,
    `answer ${answer ?? '-'}`,
    `records ${outcomes} ${sealed}`,
  ]);
}

/** The hash that the first link follows: what the journal is of. */
function genesisOf(db: RunDatabase): string {
  const { resource, target, database, supplier, shard } = readScope(db);
  const { toolVersion, createdAt } = madeBy(db);
  return sha256(
    linesOf([
      'dataimport-chain-5',
      `resource ${resource}`,
      `target ${hexOf(target)}`,
      `database ${hexOf(database)}`,
      `supplier ${hexOf(supplier)}`,
      `shard ${shard ?? '-'}`,
      `created ${createdAt}`,
      `tool ${hexOf(toolVersion)}`,
    ]),
  );
}

const ATTEMPT_TEXT = `
  id || ' ' || batch_id || ' ' || started_at || ' ' || ended_at || ' ' || coalesce(status, '-') || ' ' || result || ' ' ||
  ${hexColumn('reason')}`;

const EVENT_TEXT = `id || ' ' || at || ' ' || kind || ' ' || ${hexColumn('by')} || ' ' || ${hexColumn('document')}`;

const RECORD_TEXT = `
  seq || ' ' || ${hexColumn('import_supplier')} || ' ' || ${hexColumn('external_account_number')} || ' ' ||
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

/** The outcomes that an event gave. */
const GIVEN = `
  SELECT '+' || seq || ' ' || outcome || ' ' || ${hexColumn('origin')} || char(10)
  FROM (${ALL_GIVEN}) WHERE link_id = @link ORDER BY seq`;

/** The outcomes that an event withdrew. */
const WITHDRAWN = `
  SELECT '-' || seq || ' ' || outcome || ' ' || link_id || char(10)
  FROM past_outcome WHERE until_id = @link ORDER BY seq, link_id`;

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

const sha256 = (text: string): string => hash('sha256', text);
