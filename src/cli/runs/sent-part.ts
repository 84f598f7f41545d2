import type { RecordOutcome } from '../push/ports/report.ts';
import { openRows } from '../ending/ending.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { inOrder } from '../comparison/pairing.ts';
import type { SentRecord, SourceRecord } from '../comparison/ports.ts';
import { groupsOf, merged, SortedLookup } from '../comparison/record-groups.ts';

/**
 * Rows that are counted apart from the compared ones, because no answer of the platform says that they arrived as they are. `left`: the
 * command sends them, or looks for them, when it is run again. `refused`: by the platform. `conflicting`: an earlier version brought them
 * there with other content or on another account. `unproven`: a person has to compare them. `uncompared`: they are there, and nobody has
 * compared them (`--on-existing accept`). `confirmed`: a person, or a ledger, says that they are there.
 */
export const ROWS_APART = ['left', 'refused', 'conflicting', 'unproven', 'uncompared', 'confirmed'] as const;
type RowApart = (typeof ROWS_APART)[number];
export type RowsApart = Readonly<Record<RowApart, number>>;

/** Rows that no run has reported as arrived. They are missing, and no difference. */
export const MISSING = ['left', 'refused', 'conflicting', 'unproven'] as const satisfies readonly RowApart[];

/** The counts of several comparisons as one: of each kind the count that `choose` takes. */
export function rowsApart(all: readonly RowsApart[], choose: (...counts: number[]) => number): RowsApart {
  const counts = ROWS_APART.map((kind) => [kind, choose(...all.map((apart) => apart[kind]))]);
  return Object.fromEntries(counts) as RowsApart;
}

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

/** The runs of a version, and the runs that brought the rest of its records to the platform. */
export interface VersionRuns {
  readonly runs: readonly RunFile[];
  /** Other runs by their ids. */
  readonly others: ReadonlyMap<string, RunFile>;
}

/** The part of the files that runs have sent, and that an answer of the platform proves. The rest is counted apart. */
export class SentPart {
  private readonly counts = { left: 0, refused: 0, conflicting: 0, unproven: 0, uncompared: 0, confirmed: 0 };
  private readonly version: VersionRuns;
  /** Whether every record of the runs has arrived, as answers of the platform say. */
  readonly isWhole: boolean;

  /** The records of the runs that prove nothing about a row. */
  private readonly doubtful = new WeakMap<SourceRecord, SentRecord>();

  constructor(version: VersionRuns) {
    this.version = version;
    this.isWhole = [...version.runs, ...version.others.values()].every((run) => {
      const rows = run.rows();
      return openRows(rows) + rows.uncompared === 0 && run.proving.confirmedBy().length === 0;
    });
  }

  /** The rows that were counted apart, once the rows were read to their end. */
  get apart(): RowsApart {
    return this.counts;
  }

  /** The records of the runs, sorted. `origin` of a record counts the runs of the version first, then the others. */
  records(): Iterable<SentRecord> {
    return this.isWhole
      ? allRecordsOf(this.version)
      : provenRecordsOf(this.version).filter(({ outcome }) => APART[outcome] === undefined);
  }

  /** Sorted records of the files, without those that are counted apart. */
  ofSource(source: Iterable<SourceRecord>): Iterable<SourceRecord> {
    return this.isWhole ? source : this.provenOf(source);
  }

  /**
   * All sorted records of the files. Those that no run has reported as arrived are for `mayMiss`. `resorted`: reads them in another
   * order, which they are to have. The doubtful ones are in memory then.
   */
  ofAllSource(
    source: () => Iterable<SourceRecord>,
    resorted?: () => Iterable<SourceRecord>,
  ): Iterable<SourceRecord> {
    if (this.isWhole) return (resorted ?? source)();
    return resorted ? this.markedIn(source(), resorted) : this.markedOf(source());
  }

  /** Whether a ledger may lack a record, because no run has reported it as arrived. It is counted then. */
  mayMiss(row: SourceRecord): boolean {
    const sent = this.doubtful.get(row);
    const kind = sent && APART[sent.outcome];
    if (kind === undefined || !MISSING.some((missing) => missing === kind)) return false;
    this.counts[kind]++;
    return true;
  }

  /** Whether an earlier version brought the record of a row to the platform with other content or on another account. */
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

  private *provenOf(source: Iterable<SourceRecord>): Generator<SourceRecord> {
    for (const row of this.markedOf(source)) {
      const sent = this.doubtful.get(row);
      const kind = sent && APART[sent.outcome];
      if (kind === undefined) yield row;
      else this.counts[kind]++;
    }
  }

  private *markedIn(
    source: Iterable<SourceRecord>,
    resorted: () => Iterable<SourceRecord>,
  ): Generator<SourceRecord> {
    const doubtful = new Map<number, SentRecord>();
    for (const row of this.markedOf(source)) {
      const sent = this.doubtful.get(row);
      if (sent) doubtful.set(row.seq, sent);
    }
    for (const row of resorted()) {
      const sent = doubtful.get(row.seq);
      if (sent) this.doubtful.set(row, sent);
      yield row;
    }
  }

  private *markedOf(source: Iterable<SourceRecord>): Generator<SourceRecord> {
    for (const group of groupsOf(source, provenRecordsOf(this.version)))
      for (const pair of inOrder(group)) {
        if (pair.kind === 'extra') continue;
        if (pair.kind === 'pair' && APART[pair.found.outcome] !== undefined)
          this.doubtful.set(pair.source, pair.found);
        yield pair.source;
      }
  }
}

/** All records of a version, sorted. `origin` of a record counts the runs of the version first, then the others. */
function allRecordsOf({ runs, others }: VersionRuns): Iterable<SentRecord> {
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

/** All records of a version with the outcomes that the run gave which brought them there: a later run knows only that another one did. */
function provenRecordsOf(version: VersionRuns): IteratorObject<SentRecord> {
  return Iterator.from(withFirstOutcomes(allRecordsOf(version), version.others, new Set()));
}

/** @param trail runs whose records are being read: a record of one of them has no other run before it */
function* withFirstOutcomes(
  records: Iterable<SentRecord>,
  others: VersionRuns['others'],
  trail: ReadonlySet<string>,
): Generator<SentRecord> {
  const firsts = new Map<string, SortedLookup<SentRecord>>();
  try {
    for (const record of records) {
      const { sentBy } = record;
      const run = sentBy === null || trail.has(sentBy) ? undefined : others.get(sentBy);
      if (!run || sentBy === null) {
        yield record;
        continue;
      }
      let first = firsts.get(sentBy);
      if (!first) {
        const apart = withFirstOutcomes(run.proving.recordsApart(), others, new Set([...trail, sentBy]));
        firsts.set(sentBy, (first = new SortedLookup(apart)));
      }
      const { outcome } = first.equalTo(record) ?? record;
      yield { ...record, outcome };
    }
  } finally {
    // A run file that is still being read cannot be closed.
    for (const first of firsts.values()) first.close();
  }
}
