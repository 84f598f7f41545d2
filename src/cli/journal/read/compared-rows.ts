import { createHash, hash } from 'node:crypto';
import type { AccountKey } from '../../../core/contract/account.ts';
import type { CountedRecord, StagedRecord, StagingRun } from '../../push/ports/staging.ts';
import { accountText } from '../database/chain.ts';
import { checksumOf } from '../database/integrity.ts';
import { rowLine, type StagedRow } from '../database/sealed-rows.ts';
import { identityOf, partsText } from '../stage/staging.ts';
import { CountedRows } from './counted-rows.ts';

/** What the rows of a run hash to, whose chain holds. */
interface RunHashes {
  readonly rowsSha256: string;
  /** See `checksumsOf`. */
  readonly checksumsSha256: string;
}

/**
 * The rows of files that a run has read, hashed as the run has sealed them. Nothing has to be stored and sorted while the hashes are
 * equal. Otherwise the rows are kept, and both sides are compared row by row.
 */
export class ComparedRows extends CountedRows {
  /** Whether the run has the very rows of the files, once staging has ended. */
  areEqual = false;
  private readonly run: RunHashes;
  private readonly rows = new LinesHash();
  private readonly checksums = new LinesHash();
  private seq = 0;
  private account: { readonly of: AccountKey; readonly text: string } | undefined;

  constructor(run: RunHashes) {
    super();
    this.run = run;
  }

  override staging(operations: StagingRun): StagingRun {
    const counting = super.staging(operations);
    return {
      ...counting,
      appendFiltered: (position, cause) => {
        this.seal({ ...NO_RECORD, ...position, state: 'filtered', cause });
        counting.appendFiltered(position, cause);
      },
      // Rows that are equal have the warnings that the run has told.
      appendProblem: (problem, isOfHistory) => {
        if (problem.severity === 'error') counting.appendProblem(problem, isOfHistory);
      },
    };
  }

  override areEnough(end: string): boolean {
    const { rowsSha256, checksumsSha256 } = this.run;
    this.areEqual =
      end === 'staged' && this.rows.digest() === rowsSha256 && this.checksums.digest() === checksumsSha256;
    return this.areEqual || end === 'interrupted';
  }

  protected override add(counted: CountedRecord, whole: () => StagedRecord): void {
    super.add(counted, whole);
    const record = whole();
    const { position, account, id, type, amount, valueText } = record;
    const payload = record.payload();
    const content = hash('sha256', valueText);
    const isPayload = valueText === payload;
    this.seal({
      ...position,
      state: 'valid',
      account: this.textOf(account),
      identity: identityOf(record),
      id,
      type,
      amount,
      payloadSha256: isPayload ? content : hash('sha256', payload),
      content: isPayload ? null : content,
      cause: null,
    });
    const checksum = checksumOf(account, { id, type, amount, payload, parts: partsText(record) });
    this.checksums.add(`${checksum}\n`);
  }

  private seal(row: Omit<StagedRow, 'seq'>): void {
    this.rows.add(rowLine({ ...row, seq: ++this.seq }));
  }

  /** Rows of an account often follow each other. */
  private textOf(account: AccountKey): string {
    const { of: known } = this.account ?? {};
    const isKnown =
      known?.import_supplier === account.import_supplier &&
      known.external_account_number === account.external_account_number;
    if (!isKnown) this.account = { of: account, text: accountText(account) };
    return this.account!.text;
  }
}

/** SHA-256 of lines. Many are hashed at once, because a call for each takes longer than its hash. */
class LinesHash {
  private readonly hash = createHash('sha256');
  private waiting = '';

  add(line: string): void {
    this.waiting += line;
    if (this.waiting.length >= MOST_WAITING) this.flush();
  }

  digest(): string {
    this.flush();
    return this.hash.digest('hex');
  }

  private flush(): void {
    this.hash.update(this.waiting);
    this.waiting = '';
  }
}

const MOST_WAITING = 65_536;

const NO_RECORD = {
  account: null,
  identity: null,
  id: null,
  type: null,
  amount: null,
  payloadSha256: null,
  content: null,
} as const;
