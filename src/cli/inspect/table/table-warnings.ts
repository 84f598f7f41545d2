import { nextStepOf, sentenceOf } from '../../../core/error-codes/sentence.ts';
import { FirstRowAccounts } from '../../csv/first-row-accounts.ts';
import { RecordKinds } from '../../csv/record-kinds.ts';
import { accountColumns } from '../draft/header-match.ts';
import type { LayoutFinding, TableWarning } from '../inspection.ts';
import type { LooseRow } from '../layout/row-cutter.ts';

/** Looks for the warnings of `check` that need no mapping: the file has to be changed before any mapping can read it. */
export class TableWarningCounter {
  private readonly layout: LayoutFinding;
  private readonly kinds = new RecordKinds();
  /** Columns whose headers say equally surely that they have the account number. */
  private readonly accounts: readonly { readonly at: number; readonly rows: FirstRowAccounts }[];

  constructor(layout: LayoutFinding) {
    const { names, looksLikeHeader } = layout.header;
    const columns = looksLikeHeader ? accountColumns(names) : [];
    this.layout = layout;
    this.accounts = columns.map((at) => ({ at, rows: new FirstRowAccounts() }));
  }

  /** Accepts a row of data with any number of cells. */
  accept(row: LooseRow): void {
    const { cells, firstLine } = row;
    const { delimiter, isJsonLines, width } = this.layout;
    this.acceptOther(row);
    if (delimiter === null && !isJsonLines) return;
    if (cells.length !== width || cells.every((cell) => cell === '')) return;
    for (const { at, rows } of this.accounts) rows.see(cells[at]!.trim() || undefined, firstLine);
  }

  /** Accepts a row that is taken for a control record or a line of a page. Such rows may be a kind of their own. */
  acceptOther({ cells, firstLine }: LooseRow): void {
    const { delimiter, width } = this.layout;
    if (delimiter !== null) this.kinds.see(cells.length, width, firstLine);
  }

  result(): readonly TableWarning[] {
    const { header, width } = this.layout;
    const accounts = this.accounts.flatMap(({ at, rows }) => warningOf(rows.problem(), at + 1));
    // Where another column of that kind is filled, the account is there.
    const isCertain = accounts.length === this.accounts.length;
    const kinds = this.kinds.problem(width, header.looksLikeHeader ? undefined : `line ${header.line}`);
    return [...(isCertain ? accounts.slice(0, 1) : []), ...warningOf(kinds, null)];
  }
}

function warningOf(found: ReturnType<FirstRowAccounts['problem']>, column: number | null): TableWarning[] {
  if (!found) return [];
  const { code, facts } = found.problem;
  return [{ code, line: found.line, column, detail: sentenceOf(code, facts), next: nextStepOf(code, facts) }];
}
