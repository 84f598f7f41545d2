import { AppError } from '../../core/app-error.ts';
import { addedByName } from '../../core/values/counts.ts';
import type { Ending } from '../output/run-document.ts';
import { listedProblems } from '../push/ports/listed-problems.ts';
import type { ReportView, RunReport } from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { finishedEnding, furthestFromDone, recordedEnding } from './ending.ts';
import { mergedTotals } from './merge.ts';
import { commandsAfter, type NextCommands } from './next-commands.ts';

interface RetriedReport {
  readonly report: RunReport;
  /** How a run with nothing left to do ends, together with its retries. */
  readonly ending: Ending;
}

/**
 * The report of a run in which records that retries took over count as the retries left them. A retry that another process has, or
 * whose file is missing, leaves them as they were.
 */
export function reportWithRetries(
  run: RunFile,
  choice: { readonly folder: RunsFolder; readonly commands: NextCommands; readonly view: ReportView },
): RetriedReport {
  const { folder, commands, view } = choice;
  const known = new Set(folder.ids());
  const retries = run.retrying
    .takers()
    .filter((id) => known.has(id))
    .flatMap((id) => followed(id, choice));
  const own = run.report(
    view,
    retries.map(({ id }) => id),
  );
  const endings = [finishedEnding(own, commandsAfter(run, commands)), ...retries.map(({ ending }) => ending)];
  const report = retries.reduce((sum, retry) => added(sum, retry.report), own);
  return { report, ending: furthestFromDone(endings) };
}

/** A retry with its own retries; none when it was never whole. */
function followed(
  id: string,
  choice: Parameters<typeof reportWithRetries>[1],
): readonly (RetriedReport & { readonly id: string })[] {
  let retry: RunFile;
  try {
    retry = choice.folder.open(id);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
  try {
    const { condition, end, header } = retry;
    if (condition === 'never_staged') return [];
    const { report, ending } = reportWithRetries(retry, choice);
    if (condition === 'done') return [{ id, report, ending }];
    const { commands } = choice;
    const resume = commands.resumeById(header);
    const open = recordedEnding(condition, report, { end, resume, after: commandsAfter(retry, commands) });
    // Only a person continues a retry. A scheduler that started the line of the run again would wait for that in vain.
    return [{ id, report, ending: { ...open, exit: 'PARTIAL' } }];
  } finally {
    retry.close();
  }
}

/** A report with the records of a retry. Requests, accounts and chain stay those of the first run. */
function added(to: RunReport, retry: RunReport): RunReport {
  const groups = {
    errorGroups: [...to.errorGroups, ...retry.errorGroups],
    warningGroups: [...to.warningGroups, ...retry.warningGroups],
  };
  return {
    ...to,
    rows: addedByName([to.rows, retry.rows]),
    judged: to.judged + retry.judged,
    controlTotals: mergedTotals([...to.controlTotals, ...retry.controlTotals]),
    problems: listedProblems({ problems: [...to.problems, ...retry.problems], ...groups }),
    problemsTotal: to.problemsTotal + retry.problemsTotal,
    errorsTotal: to.errorsTotal + retry.errorsTotal,
    ...groups,
  };
}
