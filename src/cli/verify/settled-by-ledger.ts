import { confirmRows } from '../runs/confirmed-rows.ts';
import type { SentRecord } from '../comparison/ports.ts';
import type { OpenVersion } from '../runs/compared-runs.ts';
import type { KnownFolder } from '../runs/run-folders.ts';

/**
 * Settles the rows that no answer has proven, and that a ledger has with equal content, so that reports count them as arrived, too. A run file that differs
 * from its chain is left as it is. `proven`: records of the runs, which `origin` numbers.
 */
export function settleByLedger(
  proven: readonly SentRecord[],
  {
    version: { runs, folderOf },
    known,
    ledger,
    now,
  }: { version: OpenVersion; known: readonly KnownFolder[]; ledger: string; now: string },
): void {
  for (const [origin, records] of Map.groupBy(proven, (record) => record.origin)) {
    const run = runs[origin];
    const { history } = known.find(({ folder }) => run && folderOf.get(run) === folder) ?? {};
    if (!run || !history || run.proving.chain().broken !== null) continue;
    const seqs = new Set(records.map(({ seq }) => seq));
    const rows = [...run.confirming.unresolved()].filter(({ seq }) => seqs.has(seq));
    const confirmation = { verdict: 'arrived', by: 'dataimport verify', ledger, now } as const;
    const uncompared = records.filter(({ outcome }) => outcome === 'uncompared').map(({ seq }) => seq);
    run.confirming.confirm(uncompared, confirmation);
    confirmRows(run, rows, { confirmation, history });
  }
}
