import { ColumnCounter } from '../column/column-profile.ts';
import type { LayoutFinding, TableProfile, TableWarning } from '../inspection.ts';
import type { ColumnProfile } from '../column/profiled-column.ts';
import { OccurrenceCount } from '../column/occurrences.ts';
import { RowCutter, type LooseRow } from '../layout/row-cutter.ts';
import type { LineEnd, TextLine } from '../bytes/text-lines.ts';
import { PageLineCounter, SubtotalCounter, trailerFinding, type RowTotals } from './total-rows.ts';
import { nextStepOf, sentenceOf } from '../../../core/error-codes/sentence.ts';
import { FirstRowAccounts } from '../../csv/first-row-accounts.ts';
import { RecordKinds } from '../../csv/record-kinds.ts';
import { accountColumns } from '../draft/header-match.ts';

/** Further columns are not looked at. */
const MAX_COLUMNS = 2_000;
/** Different values that are remembered over all columns, and in one. */
const MAX_VALUES = 400_000;
const MAX_VALUES_OF_COLUMN = 20_000;

/** Looks at the rows of a file, from its header on. */
export class TableCounter {
  private readonly columns: readonly ColumnCounter[];
  private readonly cutter: RowCutter;
  private readonly layout: LayoutFinding;
  private readonly header: string;
  private isHeaderSeen: boolean;
  private rows = 0;
  private readonly found = {
    blankLines: new OccurrenceCount(),
    ragged: new OccurrenceCount(),
    brokenLines: new OccurrenceCount(),
    repeatedHeaders: new OccurrenceCount(),
    emptyRows: new OccurrenceCount(),
  };
  private readonly subtotals = new SubtotalCounter();
  private readonly pageLines = new PageLineCounter();
  private readonly warnings: TableWarningCounter;
  private readonly lineEnds = { lf: 0, crlf: 0, cr: 0 };
  /** The last row so far, which may be no data. */
  private last: LooseRow | undefined;
  private lastLine = 0;

  constructor(layout: LayoutFinding) {
    const { delimiter, quote, escape, width, header, isJsonLines } = layout;
    // Without a delimiter the line is one cell, because no line contains its own end.
    this.cutter = new RowCutter({ delimiter: delimiter ?? '\n', quote, escape });
    this.layout = layout;
    this.header = header.names.join('\n');
    this.isHeaderSeen = !header.looksLikeHeader;
    const count = Math.min(delimiter === null && !isJsonLines ? 1 : width, MAX_COLUMNS);
    const limit = Math.min(MAX_VALUES_OF_COLUMN, Math.ceil(MAX_VALUES / Math.max(count, 1)));
    this.columns = Array.from({ length: count }, () => new ColumnCounter(limit));
    this.warnings = new TableWarningCounter(layout);
  }

  accept(line: TextLine): void {
    this.lastLine = line.number;
    if (line.number < this.layout.header.line) {
      if (line.text === '') this.found.blankLines.add(line.number);
      else this.pageLines.addTitle(line.text);
      return;
    }
    const row = this.cutter.accept(line);
    if (row) {
      this.countEnd(line.end);
      this.acceptRow(row);
    }
  }

  /** Accepts a row of JSON Lines, or the line of a broken one. */
  acceptKeyed(line: number, cells: readonly string[] | null): void {
    this.lastLine = line;
    if (cells) this.countRow({ cells, firstLine: line, lastLine: line, isBlank: false });
    else this.found.brokenLines.add(line);
  }

  /** @param showValues whether columns may show values */
  result(showValues: boolean): { table: TableProfile; columns: readonly ColumnProfile[] } {
    const open = this.cutter.end(this.lastLine);
    if (open) this.acceptRow(open);
    const trailer = (this.last && trailerFinding(this.last, this.totals())) ?? null;
    if (this.last) {
      if (trailer) this.warnings.acceptOther(this.last);
      else this.countRow(this.last);
    }
    const { layout, cutter } = this;
    const table = {
      ...this.found,
      rows: this.rows,
      columnsLeftOut: layout.delimiter === null ? 0 : Math.max(0, layout.width - MAX_COLUMNS),
      subtotals: this.subtotals.result(),
      pageLines: this.pageLines.result(),
      trailer,
      lineEnds: this.lineEnds,
      lineEndsInQuotes: cutter.lineEndsInQuotes,
      quotedCells: cutter.quotedCells,
      bareQuotes: cutter.bareQuotes,
      textAfterQuote: cutter.textAfterQuote,
      unclosedQuotes: cutter.unclosed,
      warnings: this.warnings.result(),
    };
    const columns = this.columns.map((column, at) => ({
      column: at + 1,
      name: nameOf(layout, at),
      ...column.result(showValues),
    }));
    return { table, columns };
  }

  private acceptRow(given: LooseRow): void {
    const row = withoutFormFeed(given);
    if (row.isBlank) {
      this.found.blankLines.add(row.firstLine);
      return;
    }
    if (!this.isHeaderSeen) {
      this.isHeaderSeen = true;
      return;
    }
    if (this.layout.header.looksLikeHeader && row.cells.join('\n') === this.header) {
      this.found.repeatedHeaders.add(row.firstLine);
      return;
    }
    const { header, delimiter } = this.layout;
    if (header.line > 1 && this.pageLines.accept(row, delimiter ?? '')) {
      // Lines above a header are titles of a page. Without a header they may be rows.
      if (!header.looksLikeHeader) this.warnings.acceptOther(row);
      return;
    }
    if (this.last) this.countRow(this.last);
    this.last = row;
  }

  private countRow(row: LooseRow): void {
    const { cells, firstLine } = row;
    const isWhole = this.layout.delimiter === null || cells.length === this.layout.width;
    if (isWhole && this.subtotals.accept(row, (column, mark) => this.columns[column]?.total(mark))) return;
    this.rows++;
    this.warnings.accept(row);
    if (this.layout.delimiter !== null && cells.length !== this.layout.width) {
      this.found.ragged.add(firstLine);
      return;
    }
    if (cells.every((cell) => cell === '')) this.found.emptyRows.add(firstLine);
    for (let at = 0; at < this.columns.length; at++) this.columns[at]!.accept(cells[at]!, firstLine);
  }

  private totals(): RowTotals {
    const filled = this.columns.map((column) => column.filled);
    return {
      rows: this.rows,
      width: this.layout.delimiter === null ? 1 : this.layout.width,
      filled,
      total: (column, decimalMark) => this.columns[column]!.total(decimalMark),
    };
  }

  private countEnd(end: LineEnd): void {
    if (end === '\n') this.lineEnds.lf++;
    else if (end === '\r\n') this.lineEnds.crlf++;
    else if (end === '\r') this.lineEnds.cr++;
  }
}

/** The form feed before the first line of a page is no part of its first cell. */
function withoutFormFeed(row: LooseRow): LooseRow {
  const [first = '', ...others] = row.cells;
  if (!first.startsWith('\f')) return row;
  const text = first.replace(/^\f+/, '');
  return { ...row, cells: [text, ...others], isBlank: text === '' && others.length === 0 };
}

function nameOf({ header, delimiter, isJsonLines }: LayoutFinding, at: number): string | null {
  if (!header.looksLikeHeader) return null;
  return delimiter === null && !isJsonLines ? header.names.join('') : (header.names[at] ?? '');
}

/** Looks for the warnings of `check` that need no mapping: the file has to be changed before any mapping can read it. */
class TableWarningCounter {
  private readonly layout: LayoutFinding;
  private readonly kinds = new RecordKinds();
  /** Columns whose headers say equally surely that they have the account number. */
  private readonly accounts: readonly { at: number; rows: FirstRowAccounts }[];

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
