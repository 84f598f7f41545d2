import { AppError } from '../../core/app-error.ts';
import { Decimal } from '../../core/values/decimal.ts';
import type { OnClose } from '../command/command-ports.ts';
import { namedRows } from '../csv/named-rows.ts';
import { openJoinStores } from '../run-file/scratch/join-store.ts';
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
  { cwd, onClose, shard }: { cwd: string; onClose: OnClose; shard: Shard | undefined },
): Promise<ExpectedTotals> {
  const stores = openJoinStores();
  onClose(() => stores.close());
  const unreadable = (line: number, reason: string): AppError =>
    new AppError('expected_total_unreadable', { file, line, reason });
  const store = stores.make();
  const columns = [account, ...(supplier === undefined ? [] : [supplier]), total];
  for await (const { line, cell } of namedRows(file, columns, { cwd, refuse: unreadable })) {
    const exact = Decimal.parse(cell(total));
    if (!exact) throw unreadable(line, `\`${total}\` is no number with a decimal point`);
    const number = cell(account);
    store.add(keyOf(number, supplier === undefined ? '' : cell(supplier)), {
      line,
      cells: [exact.text, number],
    });
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

/** Each account is taken once, so an account that was taken before is one of another supplier. */
const OF_TWO_SUPPLIERS =
  'two suppliers of the cohort have an account of this number; name the column with the supplier (`supplier`)';

const keyOf = (account: string, supplier: string): string => JSON.stringify([supplier, account]);
