import { AppError } from '../../core/app-error.ts';
import { Decimal } from '../../core/values/decimal.ts';
import type { OnClose } from '../command-ports.ts';
import { delimiterHint } from '../csv/opening.ts';
import { readSource } from '../csv/read-source.ts';
import { cellCountProblem, eachItem, type SourceRow } from '../csv/source-row.ts';
import { openSourceFile } from '../csv/source-file.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import type { JoinStore } from '../mapping/joined-rows.ts';
import { openJoinStores } from '../run-file/join-store.ts';
import type { Shard } from '../push/ports/run.ts';
import { belongsTo } from '../push/stage-job.ts';
import type { ExpectedTotals } from './cross-checks.ts';

/** The file of a check of totals, and its columns. */
interface TotalsFile {
  readonly file: string;
  readonly account: string;
  /** Undefined in a file of one supplier, which names its accounts by their numbers alone. */
  readonly supplier?: string | undefined;
  readonly total: string;
}

/**
 * Reads the totals that a person expects into a temporary file, so that memory does not grow with them. `shard`: the shard whose
 * records they are compared with; undefined for all.
 * @throws AppError `expected_total_unreadable`, `file_not_readable`
 */
export async function expectedTotals(
  { file, account, supplier, total }: TotalsFile,
  {
    cwd,
    onClose,
    shard,
  }: { readonly cwd: string; readonly onClose: OnClose; readonly shard: Shard | undefined },
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
        const missing = [account, supplier, total].find(
          (name) => name !== undefined && !header.includes(name),
        );
        if (missing !== undefined) throw unreadable(item.line, withoutColumn(missing, header));
      } else if (item.kind === 'row')
        addRow(item.row, { header, account, supplier, total, store, unreadable });
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
    take({ import_supplier: code, external_account_number: number }) {
      const key = keyOf(number, supplier === undefined ? '' : code);
      const isOfAnother = store.isTaken(key);
      const [first, second] = store.take(key);
      if (second) throw unreadable(second.line, 'its account has an earlier row');
      if (first && isOfAnother) throw unreadable(first.line, OF_TWO_SUPPLIERS);
      return first && Decimal.of(first.cells[0]!);
    },
    *left() {
      for (const { line, cells } of store.left()) {
        const [sum, number] = cells as [string, string];
        // The accounts of other shards are not among the records.
        if (belongsTo(shard, number)) yield { line, total: Decimal.of(sum) };
      }
    },
  };
}

function withoutColumn(missing: string, header: readonly string[]): string {
  const delimiter = delimiterHint(header);
  const because = `: the whole header is one cell, and it has ${delimiter}, while the cells of this file are separated by commas`;
  return `there is no column \`${missing}\`${delimiter === undefined ? '' : because}`;
}

/** Each account is taken once, so an account that was taken before is one of another supplier. */
const OF_TWO_SUPPLIERS =
  'two suppliers of the cohort have an account of this number; name the column with the supplier (`supplier`)';

function keyOf(account: string, supplier: string): string {
  return JSON.stringify([supplier, account]);
}

function addRow(
  row: SourceRow,
  {
    header,
    account,
    supplier,
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
  const cell = (name: string): string => row.cells[header.indexOf(name)]!;
  const [number, amount] = [cell(account), cell(total)];
  const exact = Decimal.parse(amount);
  if (!exact) throw unreadable(row.firstLine, `\`${total}\` is no number with a decimal point`);
  store.add(keyOf(number, supplier === undefined ? '' : cell(supplier)), {
    line: row.firstLine,
    cells: [exact.text, number],
  });
}
