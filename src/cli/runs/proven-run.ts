import { assertNewest } from '../run-file/history/seen-runs.ts';
import type { ChainHead } from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';

/** Heads of chains that this command has computed already and that hold, by the ids of their runs. */
export type ProvenHeads = ReadonlyMap<string, ChainHead>;

/**
 * Computes the chain of a run whose figures are shown. A run that died while it read its file has none.
 * @throws AppError `run_damaged` when the run file is not what was written, `run_rolled_back` for a copy from an earlier time
 */
export function assertProven(run: RunFile, folder: RunsFolder, proven?: ProvenHeads): void {
  if (run.condition === 'never_staged') return;
  const known = proven?.get(run.header.id);
  const { head, links } = run.history.facts();
  if (known?.head !== head || known.links !== links) run.proving.assertProven();
  assertNewest(run, folder);
}
