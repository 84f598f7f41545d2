import { createHash, hash } from 'node:crypto';
import type { Exchange } from '../../push/ports/run.ts';
import type { ChainHead } from '../../push/ports/report.ts';
import { DamageError } from './integrity.ts';
import { UNPACKED } from './packed-outcomes.ts';
import { eachRow, firstRow, hexColumn, valueOf } from './queries.ts';
import type { RunDatabase } from './run-database.ts';
import { headerText } from './run-header.ts';

// docs/chain.md specifies every byte of these texts. A change needs a new name in their first line.

/** A fact about records that no answer of the platform gave: a reading found it, another journal, a repeated command, or a person. */
export interface RunEvent {
  readonly at: string;
  readonly kind: 'read' | 'sent_before' | 'planned_again' | 'confirmed';
  /** The name of the person; null for a command. */
  readonly by: string | null;
  /** Further facts. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** How an attempt ended. */
export interface EndOfAttempt {
  /** The state in which the settlement leaves the batch; `none` for an attempt that settled nothing. */
  readonly state: 'done' | 'rejected' | 'again' | 'none';
  readonly exchange: Exchange | undefined;
}

/** The chain of a journal: one link for each attempt and each event, in the order in which they ended. */
export function chainOf(db: RunDatabase) {
  const insert = db.prepare(
    `INSERT INTO link (id, attempt_id, event_id, state, request, answer, outcomes, records, hash)
     VALUES (?, ?, ?, ?, unhex(?), unhex(?), 0, x'', x'')`,
  );
  const seal = db.prepare('UPDATE link SET outcomes = ?, records = unhex(?), hash = unhex(?) WHERE id = ?');
  // The outcomes of an answer are packed until something reads them.
  const answered = db.prepare<[Of], Line>(linesSql([given(UNPACKED, '= @link'), links('= @link')]));
  const add = (
    [attempt, event]: readonly [attempt: number | null, event: number | null],
    { state, exchange }: EndOfAttempt,
    lines: typeof answered,
    write: (link: number) => void,
  ): void => {
    // Read for every link, because a transaction that failed has taken its links back.
    const before = chainHeadOf(db);
    const id = before.links + 1;
    insert.run(id, attempt, event, state, exchange?.request ?? null, exchange?.answer ?? null);
    write(id);
    const [added] = linksIn(lines.iterate({ link: id }));
    seal.run(added!.outcomes, added!.records, added!.hashAfter(before.head), id);
  };
  return {
    /** Appends the link of an attempt, in the transaction that ends it. `write` gets its number, and packs the outcomes of the answer. */
    append(attempt: number, end: EndOfAttempt, write: (link: number) => void = () => undefined): void {
      add([attempt, null], end, answered, write);
    },
    /** Appends the link of an event. `write` writes the outcomes that it gives, and moves those that it withdraws. */
    appendEvent({ at, kind, by, document }: RunEvent, write: (link: number) => void): void {
      const insertEvent = 'INSERT INTO event (at, kind, by, document) VALUES (?, ?, ?, ?) RETURNING id';
      const event = valueOf<number>(db, insertEvent, at, kind, by, JSON.stringify(document))!;
      const lines = linesSql([given(ALL_GIVEN, '= @link'), withdrawn('= @link'), links('= @link')]);
      add([null, event], { state: 'none', exchange: undefined }, db.prepare(lines), write);
    },
  };
}

type Of = { readonly link: number };

/** The head of the chain: the hash of its last link, or the hash of its beginning while there is no link. */
export function chainHeadOf(db: RunDatabase): ChainHead {
  const last = 'SELECT lower(hex(hash)) AS head, id AS links FROM link ORDER BY id DESC LIMIT 1';
  return firstRow<ChainHead>(db, last) ?? { head: genesisOf(db), links: 0 };
}

/** Computes every link anew. @throws DamageError when something that a link seals was changed */
export function assertLinks(db: RunDatabase): void {
  const all = [given(ALL_GIVEN, 'NOTNULL'), withdrawn('NOTNULL'), links('NOTNULL')];
  let head = genesisOf(db);
  let number = 0;
  for (const { link, sealed, hash: noted, outcomes, records, hashAfter } of linksIn(
    eachRow(db, linesSql(all)),
  )) {
    number++;
    if (sealed !== `${outcomes} ${records}`)
      throw new DamageError(`the records of link ${number} are not those that it sealed`);
    if (link !== number || noted !== hashAfter(head))
      throw new DamageError(`link ${number} is not the hash of what it seals`);
    head = noted;
  }
}

/** Everything that decided what a reading found, as its event seals it. */
export function readingDocument(db: RunDatabase, number: number): RunEvent['document'] {
  const rows = valueOf<string>(db, 'SELECT seal FROM reading WHERE id = ?', number);
  return { reading: number, rows, header: JSON.parse(headerText(db, number)) as unknown };
}

/** The hash that the first link follows: what the journal is of. */
const genesisOf = (db: RunDatabase): string => sha256(valueOf<string>(db, GENESIS)!);

/** The line of an outcome, or a link: the last one of its lines. */
interface Line {
  readonly link: number;
  readonly text: string;
  /** What a link says of its outcomes; null for the line of an outcome. */
  readonly sealed: string | null;
  readonly hash: string | null;
}

/** The links in a sequence of lines, with what they have to seal. */
function* linksIn(lines: Iterable<Line>) {
  let sealing = createHash('sha256');
  let outcomes = 0;
  for (const { text, ...line } of lines)
    if (line.hash === null) {
      sealing.update(text);
      outcomes++;
    } else {
      const records = sealing.digest('hex');
      const rest = `${text}records ${outcomes} ${records}\n`;
      const hashAfter = (previous: string) => sha256(`dataimport-link-3\nprevious ${previous}\n${rest}`);
      yield { ...line, hash: line.hash, outcomes, records, hashAfter };
      sealing = createHash('sha256');
      outcomes = 0;
    }
}

const linesSql = (parts: readonly string[]): string =>
  `${parts.join(' UNION ALL ')} ORDER BY link, kind, seq, since`;

const GENESIS = `
  SELECT 'dataimport-chain-5\nresource ' || resource || '\ntarget ' || ${hexColumn('target')} || '\ndatabase ' || ${hexColumn('database')} ||
    '\nsupplier ' || ${hexColumn('supplier')} || '\nshard ' || coalesce(shard, '-') || '\ncreated ' || created_at ||
    '\ntool ' || ${hexColumn('tool_version')} || char(10)
  FROM journal`;

const RECORD_TEXT = `
  seq || ' ' || ${hexColumn('import_supplier')} || ' ' || ${hexColumn('external_account_number')} || ' ' ||
  ${hexColumn('record.id')} || ' ' || ${hexColumn('type')} || ' ' || coalesce(record.amount, '-') || ' ' ||
  lower(hex(payload_sha256)) || ' ' || outcome || ' ' || coalesce(given.amount, '-')`;

/** All outcomes that a link gave, whether they still count or not. */
const ALL_GIVEN = `
  SELECT seq, outcome, amount, link_id, origin FROM outcome
  UNION ALL SELECT seq, outcome, amount, link_id, origin FROM past_outcome`;

/** The lines of the outcomes that links gave: of an answer with the record, of an event with the other journal. */
const given = (outcomes: string, which: string): string => `
  SELECT link_id AS link, 0 AS kind, seq, 0 AS since, NULL AS sealed, NULL AS hash,
    iif(event_id IS NULL, ${RECORD_TEXT}, '+' || seq || ' ' || outcome || ' ' || ${hexColumn('given.origin')}) || char(10) AS text
  FROM (${outcomes}) AS given JOIN link ON link.id = link_id JOIN record USING (seq) JOIN account ON account.id = record.account_id
  WHERE link_id ${which}`;

/** The lines of the outcomes that events withdrew. */
const withdrawn = (which: string): string => `
  SELECT until_id, 1, seq, link_id, NULL, NULL, '-' || seq || ' ' || outcome || ' ' || link_id || char(10)
  FROM past_outcome WHERE until_id ${which}`;

const links = (which: string): string => `
  SELECT link.id, 2, 0, 0, outcomes || ' ' || lower(hex(records)), lower(hex(hash)),
    iif(event_id IS NULL,
      'attempt ' || attempt.id || ' ' || batch_id || ' ' || started_at || ' ' || ended_at || ' ' || coalesce(status, '-') || ' ' ||
        result || ' ' || ${hexColumn('reason')},
      'event ' || event.id || ' ' || at || ' ' || event.kind || ' ' || ${hexColumn('by')} || ' ' || ${hexColumn('document')}) ||
    '\nstate ' || state || '\nrequest ' || ${hexColumn('request')} || '\nanswer ' || ${hexColumn('answer')} || char(10)
  FROM link LEFT JOIN attempt ON attempt.id = attempt_id LEFT JOIN event ON event.id = event_id
  WHERE link.id ${which}`;

const sha256 = (text: string): string => hash('sha256', text);
