import { failure, type Problem } from '../../core/problem.ts';

/** Fewer rows without an account number are slips of single rows. */
const LEAST = 3;

/** Rows without an account number behind rows that have one, as reports write it that name each account once. */
export class FirstRowAccounts {
  private hasAccount = false;
  private isInGroup = false;
  private rows = 0;
  private groups = 0;
  private missing = 0;
  private firstLine = 0;

  see(account: unknown, line: number): void {
    this.rows++;
    if (account !== undefined) {
      this.hasAccount = true;
      this.isInGroup = false;
      return;
    }
    if (!this.hasAccount) return;
    if (++this.missing === 1) this.firstLine = line;
    if (!this.isInGroup) this.groups++;
    this.isInGroup = true;
  }

  /** The problem of the file, at the line of the first of the rows. */
  problem(): { problem: Problem; line: number } | undefined {
    if (this.missing < LEAST || this.groups < 2 || this.missing * 4 < this.rows) return undefined;
    const facts = { count: this.missing, rows: this.rows };
    return {
      problem: failure('account_in_first_row_only', ['external_account_number'], facts),
      line: this.firstLine,
    };
  }
}
