import type { RunFile } from '../run-file/run-file.ts';
import { inOrder } from '../verify/pairing.ts';
import type { SentRecord, SourceRecord } from '../verify/ports.ts';
import { groupsOf, merged } from '../verify/record-groups.ts';

/** A record with one of these outcomes is sent, or looked for, when its run is continued. */
const LEFT: ReadonlySet<SentRecord['outcome']> = new Set(['not_sent', 'unknown']);

/** The part of the files that runs have sent. The rest of an unfinished run is no difference, because it is sent later. */
export class SentPart {
  /** Rows that are left, once `ofSource` was read to its end. */
  left = 0;
  private readonly runs: readonly RunFile[];
  private readonly isWhole: boolean;

  constructor(runs: readonly RunFile[]) {
    this.runs = runs;
    this.isWhole = runs.every((run) => !run.isOpen);
  }

  /** The records of the runs, sorted. */
  records(): Iterable<SentRecord> {
    const records = this.allRecords();
    return this.isWhole ? records : withoutLeft(records);
  }

  /** Sorted records of the files, without those that the runs have left. */
  ofSource(source: Iterable<SourceRecord>): Iterable<SourceRecord> {
    return this.isWhole ? source : this.sentOf(source, this.allRecords());
  }

  private allRecords(): Iterable<SentRecord> {
    return merged(this.runs.map((run, origin) => run.proving.sentRecords(origin)));
  }

  private *sentOf(source: Iterable<SourceRecord>, sent: Iterable<SentRecord>): Generator<SourceRecord> {
    for (const group of groupsOf(source, sent))
      for (const pair of inOrder(group)) {
        if (pair.kind === 'extra') continue;
        if (pair.kind === 'pair' && LEFT.has(pair.found.outcome)) this.left++;
        else yield pair.source;
      }
  }
}

function* withoutLeft(records: Iterable<SentRecord>): Generator<SentRecord> {
  for (const record of records) if (!LEFT.has(record.outcome)) yield record;
}
