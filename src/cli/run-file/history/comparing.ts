import type { AccountKey } from '../../../core/contract/account.ts';
import { compareDecimals, Decimal } from '../../../core/values/decimal.ts';
import type { ConflictKind, Conflicts, HistoryConflict } from '../../push/ports/staging.ts';
import { chainOf } from '../database/chain.ts';
import { CONTENT } from './history-learning.ts';
import type { HistoryView, Judgement, OtherRecords, RecordThere } from './history-view.ts';
import type { RunDatabase } from '../database/run-database.ts';
import type { RunHeader } from '../database/run-header.ts';
import { planOpenRecords, withdrawIn } from '../send/taking-up.ts';
import { rememberRun, type UnseenRecord } from '../read/withdrawn.ts';

/** Outcomes that the history gives, by its judgement. */
const OUTCOMES: Readonly<Record<Exclude<Judgement['kind'], 'new'>, string>> = {
  sent_before: 'sent_before',
  changed: 'changed',
  moved: 'moved',
  verify: 'verify',
  refused: 'rejected',
};

/** The judgements about the records of one run, until the event that gives them is written. */
export interface Judgements {
  /** Notes what the history says of a record of this run. */
  add(seq: number, judgement: Judgement): void;
  /** The records that are not to be sent as they are, in file order, after the record `after`, at most `limit`. */
  conflicts: Conflicts['conflicts'];
}

const TABLES = `
  DROP TABLE IF EXISTS temp.judged;
  CREATE TEMP TABLE judged (seq INTEGER PRIMARY KEY, outcome TEXT NOT NULL, run INTEGER NOT NULL, there INTEGER NOT NULL);
`;

/** The judgements are kept in a temporary table, because every record of a run may have one. */
export function judgementsOf(db: RunDatabase, view: HistoryView): Judgements {
  db.exec(TABLES);
  const insert = db.prepare('INSERT OR REPLACE INTO temp.judged VALUES (?, ?, ?, ?)');
  const page = db.prepare<[number, number], ConflictRow>(CONFLICTS);
  return {
    add(seq, judgement) {
      if (judgement.kind !== 'new')
        insert.run(seq, OUTCOMES[judgement.kind], judgement.there.run, judgement.there.seq);
    },
    conflicts: (after, limit) =>
      page.all(after, limit).map(({ kind, run, there, type, amount, ...line }): HistoryConflict => ({
        ...line,
        kind,
        differs: differing({ type, amount }, view.factsOf({ run, seq: there })),
        earlier: view.placeOf({ run, seq: there }) ?? { file: '?', line: 0, run: '?', wasCompared: true },
      })),
  };
}

type JudgedRow = Readonly<Record<'seq' | 'run' | 'there', number>>;

type RecordFacts = ReturnType<OtherRecords['factsOf']>;

function differing(own: RecordFacts, other: RecordFacts | undefined): HistoryConflict['differs'] {
  if (!other) return [];
  const [amount, before] = [own.amount, other.amount].map((text) => text && Decimal.parse(text));
  const isOther = amount && before ? compareDecimals(amount, before) !== 0 : amount !== before;
  return [...(own.type === other.type ? [] : (['type'] as const)), ...(isOther ? (['amount'] as const) : [])];
}

interface ConflictRow extends JudgedRow, RecordFacts {
  readonly source: number;
  readonly line: number;
  readonly kind: ConflictKind;
}

const CONFLICTS = `
  SELECT seq, source_id AS source, first_line AS line, judged.outcome AS kind, run, there, type, amount
  FROM temp.judged JOIN record USING (seq) WHERE seq > ? AND judged.outcome <> 'sent_before' ORDER BY seq LIMIT ?`;

/**
 * Drops the judgements about rows that are no valid records by now, and about records that have not moved: the record on the other
 * account is a row of this version, too, or several rows have its id.
 */
export function dropUntrue(db: RunDatabase, view: HistoryView): void {
  db.exec(`
    DELETE FROM temp.judged WHERE seq NOT IN (SELECT seq FROM record WHERE state = 'valid');
    DELETE FROM temp.judged WHERE outcome = 'moved' AND (run, there) IN (
      SELECT run, there FROM temp.judged WHERE outcome = 'moved' GROUP BY run, there HAVING count(*) > 1)`);
  const moved = db.prepare<[], JudgedRow>(`SELECT * FROM temp.judged WHERE outcome = 'moved'`).all();
  const drop = db.prepare('DELETE FROM temp.judged WHERE seq = ?');
  for (const { seq, run, there } of moved)
    if (view.hasSeen({ run, seq: there })) drop.run(seq);
    // Its record is not gone: it is on another account.
    else view.see({ run, seq: there });
}

/** Further facts of a comparison, for its event. */
export interface ComparedFacts {
  readonly now: string;
  /** Rows that were not kept, of the comparison that made the run; left out for a later one. */
  readonly rowsSentBefore?: number | undefined;
  /** The id of a run by its number in the index. */
  readonly idOf: (run: number) => string;
}

/**
 * Gives the records of a run the outcomes that the history has for them, and withdraws those that it had before. One event of the chain
 * says both. Nothing is written when nothing has changed.
 */
export function writeJudgements(db: RunDatabase, { now, rowsSentBefore, idOf }: ComparedFacts): void {
  db.transaction(() => {
    const idNumbers = db.prepare<[], number>('SELECT DISTINCT run FROM temp.judged').pluck().all();
    for (const number of idNumbers) rememberRun(db, idOf(number));
    db.exec(
      'DROP TABLE IF EXISTS temp.other; CREATE TEMP TABLE other (number INTEGER PRIMARY KEY, id INTEGER)',
    );
    const insert = db.prepare('INSERT INTO temp.other SELECT ?, id FROM other_run WHERE run = ?');
    for (const number of idNumbers) insert.run(number, idOf(number));
    db.exec(`
      DROP TABLE IF EXISTS temp.gone;
      CREATE TEMP TABLE gone AS SELECT seq FROM outcome WHERE (seq, outcome) NOT IN (SELECT seq, outcome FROM temp.judged)
        AND (seq IN (SELECT seq FROM temp.judged) OR (origin IS NOT NULL AND outcome <> 'sent_before'))`);
    const changes = db.prepare(CHANGES).pluck().get();
    if (changes === 0 && rowsSentBefore === undefined) return;
    const document = rowsSentBefore === undefined ? {} : { rows_sent_before: rowsSentBefore };
    chainOf(db).appendEvent({ at: now, kind: 'compared', by: null, document }, (link) => {
      withdrawIn(db, 'gone', link);
      db.prepare(
        `INSERT INTO outcome (seq, outcome, link_id, origin)
         SELECT seq, outcome, ?, other.id FROM (${GIVEN_NOW}) JOIN temp.other ON number = run ORDER BY seq`,
      ).run(link);
    });
    planOpenRecords(db);
  })();
}

/** Judgements that a record does not have already. */
const GIVEN_NOW = `
  SELECT seq, outcome, run FROM temp.judged WHERE (seq, outcome) NOT IN (SELECT seq, outcome FROM main.outcome)`;
const CHANGES = `SELECT EXISTS (${GIVEN_NOW}) OR EXISTS (SELECT 1 FROM temp.gone)`;

interface OpenRow extends AccountKey {
  readonly seq: number;
  readonly key: string;
  readonly variant: string;
  readonly id: string | null;
  readonly content: Buffer;
}

/** Records that are judged at once, because a table cannot be written while it is read. */
const PAGE = 10_000;

/** Judges the records of a run that are still to be sent, and those that the history kept back before. */
export function judgeOpenRecords(db: RunDatabase, view: HistoryView, judgements: Judgements): void {
  const page = db.prepare<[number, number], OpenRow>(
    `SELECT seq, import_supplier, external_account_number, identity_key AS key, identity_variant AS variant, record.id,
       coalesce(content, payload_sha256) AS content
     FROM record JOIN account ON account.id = account_id LEFT JOIN outcome USING (seq)
     WHERE state = 'valid' AND seq > ? AND (
       (outcome.outcome IS NULL AND NOT EXISTS (
         SELECT 1 FROM batch WHERE batch.account_id = record.account_id AND record.seq BETWEEN first_seq AND last_seq
           AND (batch.state = 'sent' OR in_doubt = 1)))
       OR (origin IS NOT NULL AND outcome.outcome <> 'sent_before')) ORDER BY seq LIMIT ?`,
  );
  for (let rows = page.all(0, PAGE); rows.length > 0; rows = page.all(rows.at(-1)!.seq, PAGE))
    for (const { seq, key, variant, id, content, ...account } of rows)
      judgements.add(
        seq,
        view.judge({ account, id, content: content.toString('latin1') }, () => ({ key, variant })),
      );
  for (const { seq, there } of overruledIn(db, view.records.confirmed()))
    judgements.add(seq, { kind: 'changed', there });
}

/** The records of a run that have an outcome, and have other content since a person has confirmed them. */
export function* overruledIn(
  db: RunDatabase,
  confirmed: Iterable<RecordThere>,
): Generator<{ seq: number; there: RecordThere; isKnown: boolean }> {
  const find = db.prepare<[object], { seq: number; outcome: string }>(
    `SELECT seq, outcome FROM account JOIN record ON account_id = account.id JOIN outcome USING (seq)
     WHERE import_supplier = @supplier AND external_account_number = @account AND identity_key = @key
       AND identity_variant = @variant AND state = 'valid' AND ${CONTENT} <> @content`,
  );
  for (const there of confirmed)
    for (const { seq, outcome } of find.all(there)) yield { seq, there, isKnown: outcome === 'changed' };
}

/** The records of a run, as another run reads them. */
export function otherRecordsOf(
  db: RunDatabase,
  { id, sources }: RunHeader,
): OtherRecords & {
  /** The valid records of the sources with one of these places, or else of all, except those that `isSeen` says. */
  unseen(places: ReadonlySet<string>, isSeen: (seq: number) => boolean): Iterable<UnseenRecord>;
} {
  const account = db.prepare<[number], AccountKey>(
    'SELECT import_supplier, external_account_number FROM account WHERE id = ?',
  );
  const place = db.prepare<[number], { source: number; line: number; outcome: string | null }>(
    'SELECT source_id AS source, first_line AS line, outcome FROM record LEFT JOIN outcome USING (seq) WHERE seq = ?',
  );
  const content = db
    .prepare<[number], Buffer>('SELECT coalesce(content, payload_sha256) FROM record WHERE seq = ?')
    .pluck();
  const facts = db.prepare<[number], { type: string | null; amount: string | null }>(
    'SELECT type, amount FROM record WHERE seq = ?',
  );
  return {
    id,
    accountOf: (number) => account.get(number)!,
    placeOf(seq) {
      const { source, line, outcome } = place.get(seq)!;
      return { file: sources[source - 1]!.name, line, wasCompared: outcome !== 'uncompared' };
    },
    contentOf: (seq) => content.get(seq)!,
    factsOf: (seq) => facts.get(seq)!,
    *unseen(places, isSeen) {
      const all = sources.map((_, index) => index + 1);
      const named = all.filter((number) => places.has(sources[number - 1]!.place ?? ''));
      const others = db.prepare<[], string>('SELECT place FROM replaced').pluck().all();
      // The version was sent under another name first, or has the same place in a cohort.
      const isWhole = named.length === 0 || others.some((place) => places.has(place));
      const numbers = isWhole ? all : named;
      const rows = db
        .prepare<[string], OpenRow & { source: number; line: number; account: number }>(UNSEEN)
        .iterate(JSON.stringify(numbers));
      for (const { seq, key, variant, id: recordId, source, line, account: number } of rows)
        if (!isSeen(seq))
          yield {
            ...account.get(number)!,
            seq,
            key,
            variant,
            id: recordId,
            file: sources[source - 1]!.name,
            place: sources[source - 1]!.place ?? sources[source - 1]!.name,
            line,
            run: id,
          };
    },
  };
}

const UNSEEN = `
  SELECT seq, account_id AS account, identity_key AS key, identity_variant AS variant, id, source_id AS source, first_line AS line
  FROM record WHERE state = 'valid' AND source_id IN (SELECT value FROM json_each(?)) ORDER BY seq`;
