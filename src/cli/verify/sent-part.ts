import type { RecordOutcome } from '../push/ports/report.ts';
import { ARRIVED } from '../push/ports/report.ts';
import type { Reading } from '../journal/reading.ts';
import { inOrder } from '../comparison/pairing.ts';
import type { SentRecord, SourceRecord } from '../comparison/ports.ts';
import { groupsOf, merged, type RecordGroup } from '../comparison/record-groups.ts';

/**
 * Rows that are counted apart from the compared ones, because no answer of the platform says that they arrived as they are. `left`: the
 * command sends them, or looks for them, when it is run again. `refused`: by the platform. `conflicting`: they are there with other content
 * or on another account. `unproven`: a person has to compare them. `uncompared`: they are there, and nobody has
 * compared them (`--on-existing accept`). `confirmed`: a person, or a ledger, says that they are there.
 */
export const ROWS_APART = ['left', 'refused', 'conflicting', 'unproven', 'uncompared', 'confirmed'] as const;
type RowApart = (typeof ROWS_APART)[number];
export type RowsApart = Readonly<Record<RowApart, number>>;

/** Rows that no run has reported as arrived. They are missing, and no difference. */
export const MISSING = ['left', 'refused', 'conflicting', 'unproven'] as const satisfies readonly RowApart[];

/** No row. */
export const NONE_APART: RowsApart = {
  left: 0,
  refused: 0,
  conflicting: 0,
  unproven: 0,
  uncompared: 0,
  confirmed: 0,
};

const APART: Readonly<Partial<Record<RecordOutcome, RowApart>>> = {
  not_sent: 'left',
  unknown: 'left',
  rejected: 'refused',
  changed: 'conflicting',
  moved: 'conflicting',
  verify: 'unproven',
  uncompared: 'uncompared',
  confirmed: 'confirmed',
};

const hasArrived = ({ outcome }: SentRecord): boolean => ARRIVED.some((arrived) => arrived === outcome);

/** The readings of files, and those of other journals that brought records of them to the platform, by the names of the journals. */
export interface SentReadings {
  readonly readings: readonly Reading[];
  readonly elsewhere: ReadonlyMap<string, Reading>;
}

/** The part of the files that was sent, and that an answer of the platform proves. The rest is counted apart. */
export class SentPart {
  private readonly counts = { ...NONE_APART };
  private readonly sent: SentReadings;
  /** The records of rows that prove nothing about them. */
  private readonly doubtful = new WeakMap<SourceRecord, SentRecord>();

  constructor(sent: SentReadings) {
    this.sent = sent;
  }

  /** The rows that were counted apart, once the rows were read to their end. */
  get apart(): RowsApart {
    return this.counts;
  }

  /** Sorted rows and their records, without those that are counted apart. */
  *compared(source: Iterable<SourceRecord>): Generator<RecordGroup<SentRecord>> {
    for (const { rows, extra } of this.groups(source)) {
      const group = { source: [] as SourceRecord[], found: extra.filter(isProof) };
      for (const [row, sent] of rows)
        if (sent && !isProof(sent)) this.counts[APART[sent.outcome]!]++;
        else {
          group.source.push(row);
          if (sent) group.found.push(sent);
        }
      yield group;
    }
  }

  /** All sorted rows. Those that did not arrive are for `mayMiss`. */
  *ofAllSource(source: Iterable<SourceRecord>): Generator<SourceRecord> {
    for (const { rows } of this.groups(source))
      for (const [row, sent] of rows) {
        if (sent && !isProof(sent)) this.doubtful.set(row, sent);
        yield row;
      }
  }

  /** Whether a ledger may lack a record, because it has not arrived. It is counted then. */
  mayMiss(row: SourceRecord): boolean {
    const sent = this.doubtful.get(row);
    const kind = sent && APART[sent.outcome];
    if (kind === undefined || !MISSING.some((missing) => missing === kind)) return false;
    this.counts[kind]++;
    return true;
  }

  /** Whether the record of a row is on the platform with other content or on another account. */
  isConflicting(row: SourceRecord): boolean {
    const sent = this.doubtful.get(row);
    return sent !== undefined && APART[sent.outcome] === 'conflicting';
  }

  /** The record of a row whose content no answer has proven; undefined for a row that needs no proof. */
  toProve(row: SourceRecord): SentRecord | undefined {
    const sent = this.doubtful.get(row);
    const isUncompared = sent?.outcome === 'uncompared' && sent.sentBy === null;
    return sent?.outcome === 'verify' || isUncompared ? sent : undefined;
  }

  /** Rows of one account and key with their records, and the records of the readings that no row is. */
  private *groups(source: Iterable<SourceRecord>) {
    const { readings } = this.sent;
    const own = merged(readings.map((reading, origin) => reading.proving.sentRecords(origin)));
    for (const group of groupsOf(source, own)) {
      const rows: (readonly [row: SourceRecord, sent: SentRecord | undefined])[] = [];
      const extra: SentRecord[] = [];
      for (const pair of inOrder(group))
        if (pair.kind === 'extra') extra.push(pair.found);
        else if (pair.kind === 'pair') rows.push([pair.source, this.first(pair.found)]);
        else rows.push([pair.source, this.ofOtherReading(pair.source)]);
      yield { rows, extra };
    }
  }

  /** The record of a row that another reading of the journal has read since, or before. */
  private ofOtherReading(row: SourceRecord): SentRecord | undefined {
    for (const [origin, { proving }] of this.sent.readings.entries()) {
      const sent = proving.recordOf(row, origin);
      if (sent?.content.equals(row.content)) return this.first(sent);
      if (sent) return { ...sent, outcome: hasArrived(sent) ? 'changed' : 'not_sent' };
    }
    return undefined;
  }

  /** A record with the outcome in the journal that brought it to the platform: this one knows only that another one did. */
  private first(sent: SentRecord): SentRecord {
    const seen = new Set<string>();
    let { outcome, sentBy } = sent;
    while (sentBy !== null && !seen.has(sentBy)) {
      seen.add(sentBy);
      const other = this.sent.elsewhere.get(sentBy)?.proving.recordOf(sent);
      if (!other) break;
      ({ outcome, sentBy } = other);
    }
    return { ...sent, outcome };
  }
}

const isProof = ({ outcome }: SentRecord): boolean => APART[outcome] === undefined;
