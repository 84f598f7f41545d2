import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../command.ts';
import type { RunReport } from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { resumeLine } from './runs-folder.ts';

/** What is known of a run that took records over: undefined when it never came to be. */
export interface Taker {
  readonly header: RunHeader;
  readonly isOpen: boolean;
  readonly report: RunReport;
}

/** Looks at a run that took records over. @throws AppError `run_locked` while another process sends it, `run_damaged` */
export function takerOf(id: string, folder: RunsFolder): Taker | undefined {
  if (!folder.ids().includes(id)) return undefined;
  const run = folder.open(id);
  try {
    if (run.condition === 'never_staged') return undefined;
    return { header: run.header, isOpen: run.isOpen, report: run.report() };
  } finally {
    run.close();
  }
}

/**
 * The records that another run took over come before what this one has left of their accounts.
 * @throws AppError `run_taken_over` while that one is unfinished, `run_locked` while it is sent
 */
export async function assertTakersDone(
  run: RunFile,
  folder: RunsFolder,
  context: CommandContext,
): Promise<void> {
  for (const by of run.retrying.takers()) {
    const taker = takerOf(by, folder);
    if (!taker?.isOpen) continue;
    const resume = await resumeLine(taker.header, context);
    throw new AppError('run_taken_over', { run: run.header.id, by, resume });
  }
}

/** Once a run has nothing left to do, the one that its records came from need not keep them: this one has what is left. */
export function releaseParent(run: RunFile, folder: RunsFolder): void {
  const { parent, id } = run.header;
  if (parent === null || run.isOpen) return;
  try {
    const given = folder.open(parent);
    try {
      given.retrying.eraseGivenTo(id);
    } finally {
      given.close();
    }
  } catch (error) {
    // It is only tidied up: a run that is gone, damaged or in use stays as it is.
    if (!(error instanceof AppError)) throw error;
  }
}
