import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { rowProblem, type SourceRow } from '../../csv/source-row.ts';
import type { Candidate, MappingPlan } from '../../mapping/mapping-plan.ts';

/** Finds rows of data among the lines of pages, as when a pattern of `page_lines` matches more than it should. */
export class SkippedPageLines {
  /** Rows of data that were left out, and the line of the first. */
  readonly eaten = { count: 0, line: 0 };
  /** The row of data before. */
  rowBefore: SourceRow | undefined;
  private readonly resource: Resource;
  private readonly records: { looksLikeRecord(candidate: Candidate): boolean };

  constructor(resource: Resource, records: SkippedPageLines['records']) {
    this.resource = resource;
    this.records = records;
  }

  check(row: SourceRow, plan: MappingPlan, header: readonly string[]): void {
    if (rowProblem(row, header)) return;
    const candidate = plan.candidateOf([row], true);
    if (!this.records.looksLikeRecord(candidate) || !this.isLikeRecords(candidate, plan)) return;
    if (plan.filteredBy(row) !== undefined) return;
    if (this.eaten.count++ === 0) this.eaten.line = row.firstLine;
  }

  /** Any text can be an account number and a note. So a candidate needs a date, or an account number like the one before. */
  private isLikeRecords({ account, record }: Candidate, plan: MappingPlan): boolean {
    const fields = record as Readonly<Record<string, unknown>>;
    if (DESCRIPTORS[this.resource].dates.some(({ field }) => fields[field] !== undefined)) return true;
    const before = this.rowBefore && plan.candidateOf([this.rowBefore], true).account.external_account_number;
    // The mapping may have found no account number in the row before.
    return before !== undefined && shapeOf(before) === shapeOf(account.external_account_number);
  }
}

/** The shape of an account number, with one sign for all digits and one for all letters. */
const shapeOf = (number: string): string => number.replaceAll(/\p{L}/gu, 'a').replaceAll(/\p{Nd}/gu, '9');
