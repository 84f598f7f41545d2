import { FirstRowAccounts } from '../csv/first-row-accounts.ts';
import type { MappingPlan, RecordRows } from '../mapping/mapping-plan.ts';
import { checkCandidate, countedRecord } from './check-candidate.ts';
import type { IdentifierShapes } from './identifier-shapes.ts';
import type { SourcePosition } from './ports/staging.ts';
import type { RecordTallies } from './record-tallies.ts';
import type { SourceReport, SourceReportParts } from './source-report.ts';
import type { StageJob } from './stage-job.ts';

export interface SourceStagingParts extends SourceReportParts {
  readonly job: StageJob;
  readonly shapes: IdentifierShapes;
  /** The counts that the rules between rows need. */
  readonly tallies: RecordTallies;
  /** Whether the run keeps valid records. */
  readonly keepsRecords: boolean;
}

/** Maps and checks the records of one source, and appends them to the run. */
export class RecordStaging {
  readonly accounts = new FirstRowAccounts();
  private readonly parts: SourceStagingParts;
  private readonly report: SourceReport;

  constructor(parts: SourceStagingParts, report: SourceReport) {
    this.parts = parts;
    this.report = report;
  }

  accept(rows: RecordRows, plan: MappingPlan): void {
    const { job, run, shapes, tallies, keepsRecords } = this.parts;
    const { firstLine } = rows[0];
    const number = job.inShard && plan.accountNumberIn(rows);
    if (this.isOfOtherShard(number)) {
      plan.passOver(rows);
      return this.leaveOutOfShard(rows, number);
    }
    const candidate = plan.candidateOf(rows);
    const { external_account_number } = candidate.account;
    // Where other fields decide about the account number, a row of another shard is mapped, too. It is not checked.
    if (this.isOfOtherShard(external_account_number))
      return this.leaveOutOfShard(rows, external_account_number);
    this.accounts.see(external_account_number, firstLine);
    const { record, problems } = checkCandidate(job, candidate);
    const position = this.report.positionOf(rows);
    this.report.reportRecord(problems, rows[0], { plan, parts: candidate.parts });
    if (record === undefined) return this.appendInvalid(position);
    const counted = countedRecord(job.resource, { account: candidate.account, record, position });
    tallies.add(counted, record);
    shapes.see(counted, record);
    if (keepsRecords)
      run.appendRecord({ ...counted, parts: candidate.parts, payload: JSON.stringify(record) });
    else run.countRecord(counted);
  }

  appendInvalid(position: SourcePosition): void {
    this.parts.counts.invalid++;
    this.parts.run.appendInvalid(position);
  }

  /** A row without an account number belongs to no shard, so that each of them reports it. */
  private isOfOtherShard(accountNumber: unknown): boolean {
    const { inShard } = this.parts.job;
    return (
      inShard !== null && typeof accountNumber === 'string' && accountNumber !== '' && !inShard(accountNumber)
    );
  }

  private leaveOutOfShard(rows: RecordRows, accountNumber: string | null | undefined): void {
    this.accounts.see(accountNumber, rows[0].firstLine);
    this.parts.counts.ofOtherShards++;
    this.parts.run.appendFiltered(this.report.positionOf(rows), { kind: 'shard', place: '' });
  }
}
