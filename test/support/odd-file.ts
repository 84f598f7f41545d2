import type { LocatedProblem } from '../../src/cli/push/ports/report.ts';
import type { CountedRecord, StagingRun } from '../../src/cli/push/ports/staging.ts';
import type { StageJob } from '../../src/cli/push/stage-job.ts';
import type { SeenRecord, StagedFile } from '../../src/cli/push/staged-file.ts';
import type { Resource } from '../../src/core/contract/resources.ts';
import { TODAY } from './push-records.ts';

/** The files `a.csv` and `b.csv`, once every row is read, and what is reported about them. */
export function oddFile(resource: Resource): {
  readonly file: StagedFile;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const appendProblem = ({ file, line, severity, code, attr, detail }: LocatedProblem): void =>
    void problems.push(`${file}:${line} ${severity} ${code} ${attr}: ${detail}`);
  const file: StagedFile = {
    job: {
      resource,
      check: { today: TODAY },
      sources: [{ name: 'a.csv' }, { name: 'b.csv' }],
    } as never as StageJob,
    run: { appendProblem } as StagingRun,
    counts: { rows: 0, parts: 0, ofOtherShards: 0, invalid: 0, errors: 0 },
    columns: [[], []],
  };
  return { file, problems };
}

/** A record of an account, as it is counted. */
export function countedOf(account: string, changes: Partial<CountedRecord> = {}): CountedRecord {
  return {
    position: { source: 1, firstLine: 2, lastLine: 2, byteStart: 0, byteEnd: 1 },
    account: { import_supplier: 'ACME', external_account_number: account },
    identity: { key: account, variant: undefined },
    id: null,
    type: null,
    amount: null,
    ...changes,
  };
}

/** A record of the first file as it goes by. */
export function seenOf(line: number, changes: Partial<SeenRecord> = {}): SeenRecord {
  return { fields: {}, counted: countedOf('A'), line: { source: 1, line }, isFirst: true, ...changes };
}
