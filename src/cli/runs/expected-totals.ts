import { AppError } from '../../core/app-error.ts';
import { Decimal } from '../../core/values/decimal.ts';
import type { OnClose } from '../command-ports.ts';
import { readSource } from '../csv/read-source.ts';
import { cellCountProblem, eachItem, type SourceRow } from '../csv/source-row.ts';
import { openSourceFile } from '../csv/source-file.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import type { JoinStore } from '../mapping/joined-rows.ts';
import { openJoinStores } from '../run-file/join-store.ts';
import type { ExpectedTotals } from './cross-checks.ts';

/** The file of a check of totals, and its columns. */
interface TotalsFile {
  readonly file: string;
  readonly account: string;
  readonly total: string;
}

/**
 * Reads the totals that a person expects into a temporary file, so that memory does not grow with them.
 * @throws AppError `expected_total_unreadable`, `file_not_readable`
 */
export async function expectedTotals(
  { file, account, total }: TotalsFile,
  { cwd, onClose }: { readonly cwd: string; readonly onClose: OnClose },
): Promise<ExpectedTotals> {
  const source = await openSourceFile(file, cwd);
  const stores = openJoinStores();
  onClose(() => stores.close());
  const unreadable = (line: number, reason: string): AppError =>
    new AppError('expected_total_unreadable', { file, line, reason });
  const store = stores.make();
  let header: readonly string[] = [];
  try {
    for await (const item of eachItem(readSource(source))) {
      if (item.kind === 'header') {
        header = item.names;
        const missing = [account, total].find((name) => !header.includes(name));
        if (missing !== undefined) throw unreadable(item.line, `there is no column \`${missing}\``);
      } else if (item.kind === 'row') addRow(item.row, { header, account, total, store, unreadable });
      else if ('problem' in item && item.problem.severity === 'error') {
        const line = item.kind === 'broken' ? item.row.firstLine : item.line;
        throw unreadable(line, sentenceOf(item.problem.code, item.problem.facts));
      }
    }
  } finally {
    await source.close();
  }
  return {
    file,
    take({ external_account_number: number }) {
      const [first, second] = store.take(number);
      if (second) throw unreadable(second.line, 'its account has an earlier row');
      return first && Decimal.of(first.cells[0]!);
    },
    *left() {
      for (const { line, cells } of store.left()) yield { line, total: Decimal.of(cells[0]!) };
    },
  };
}

function addRow(
  row: SourceRow,
  {
    header,
    account,
    total,
    store,
    unreadable,
  }: Omit<TotalsFile, 'file'> & {
    readonly header: readonly string[];
    readonly store: JoinStore;
    readonly unreadable: (line: number, reason: string) => AppError;
  },
): void {
  const problem = cellCountProblem(row, header);
  if (problem) throw unreadable(row.firstLine, sentenceOf(problem.code, problem.facts));
  const [number, amount] = [row.cells[header.indexOf(account)]!, row.cells[header.indexOf(total)]!];
  const exact = Decimal.parse(amount);
  if (!exact) throw unreadable(row.firstLine, `\`${total}\` is no number with a decimal point`);
  store.add(number, { line: row.firstLine, cells: [exact.text] });
}
