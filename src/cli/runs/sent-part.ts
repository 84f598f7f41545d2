import type { RecordOutcome } from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { inOrder } from '../comparison/pairing.ts';
import type { SentRecord, SourceRecord } from '../comparison/ports.ts';
import { groupsOf, merged } from '../comparison/record-groups.ts';

/** A record with one of these outcomes is sent, or looked for, when the command is run again. */
const LEFT: readonly RecordOutcome[] = ['not_sent', 'unknown'];

/** Outcomes of records that are there, or may be, while no answer says what they are. */
type Unproven = Extract<RecordOutcome, 'verify' | 'uncompared'>;

/** The runs of a version, and the runs that brought the rest of its records to the platform. */
export interface VersionRuns {
  readonly runs: readonly RunFile[];
  /** Other runs by their ids. */
  readonly others: ReadonlyMap<string, RunFile>;
}

/**
 * The part of the files that runs have proven to be sent. The rest is no difference: rows that are left are sent later, and a person
 * compares those that nothing proves.
 */
export class SentPart {
  /** Rows that are left, and rows that a person has to compare, once `ofSource` was read to its end. */
  left = 0;
  unproven = 0;
  /** Rows that are there, because the platform refused them so, and that nobody has compared. */
  uncompared = 0;
  private readonly version: VersionRuns;
  private readonly skipped: ReadonlySet<RecordOutcome>;
  private readonly isWhole: boolean;

  /** The records of the runs that prove nothing about a row. */
  private readonly doubtful = new WeakMap<SourceRecord, SentRecord>();

  constructor(version: VersionRuns) {
    const unproven: readonly Unproven[] = ['verify', 'uncompared'];
    this.skipped = new Set([...LEFT, ...unproven]);
    this.version = version;
    this.isWhole = [...version.runs, ...version.others.values()].every(
      (run) => !run.isOpen && unproven.every((outcome) => run.rows()[outcome] === 0),
    );
  }

  /** The records of the runs, sorted. `origin` of a record counts the runs of the version first, then the others. */
  records(): Iterable<SentRecord> {
    const records = allRecordsOf(this.version);
    return this.isWhole
      ? records
      : Iterator.from(records).filter(({ outcome }) => !this.skipped.has(outcome));
  }

  /** Sorted records of the files, without those that the runs have not proven. */
  ofSource(source: Iterable<SourceRecord>): Iterable<SourceRecord> {
    return this.isWhole ? source : this.provenOf(source);
  }

  /** All sorted records of the files. Those that the runs have not proven are for `mayMiss`. */
  ofAllSource(source: Iterable<SourceRecord>): Iterable<SourceRecord> {
    return this.isWhole ? source : this.markedOf(source);
  }

  /** Whether a ledger may lack a record, because the runs have not proven it. It is counted then. */
  mayMiss(row: SourceRecord): boolean {
    const sent = this.doubtful.get(row);
    if (sent === undefined) return false;
    this.count(sent.outcome);
    return true;
  }

  /** The record to verify of a row; undefined for a row that needs no proof. */
  toVerify(row: SourceRecord): SentRecord | undefined {
    const sent = this.doubtful.get(row);
    return sent?.outcome === 'verify' ? sent : undefined;
  }

  private *provenOf(source: Iterable<SourceRecord>): Generator<SourceRecord> {
    for (const row of this.markedOf(source)) {
      const sent = this.doubtful.get(row);
      if (sent === undefined) yield row;
      else this.count(sent.outcome);
    }
  }

  private *markedOf(source: Iterable<SourceRecord>): Generator<SourceRecord> {
    for (const group of groupsOf(source, allRecordsOf(this.version)))
      for (const pair of inOrder(group)) {
        if (pair.kind === 'extra') continue;
        if (pair.kind === 'pair' && this.skipped.has(pair.found.outcome))
          this.doubtful.set(pair.source, pair.found);
        yield pair.source;
      }
  }

  private count(outcome: RecordOutcome): void {
    if (outcome === 'verify') this.unproven++;
    else if (outcome === 'uncompared') this.uncompared++;
    else this.left++;
  }
}

/** All records of a version, sorted. `origin` of a record counts the runs of the version first, then the others. */
export function allRecordsOf({ runs, others }: VersionRuns): Iterable<SentRecord> {
  const own = runs.map((run, origin) => run.proving.sentRecords(origin));
  const ids = [...others.keys()];
  const before = runs.flatMap((run) =>
    [...run.proving.rowsSentBefore()].flatMap(([id, ranges]) => {
      const other = others.get(id);
      return other ? [other.proving.recordsIn(ranges, runs.length + ids.indexOf(id))] : [];
    }),
  );
  return merged([...own, ...before]);
}
