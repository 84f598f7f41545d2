import { preciseInstantOfClock } from '../../core/values/instant.ts';
import { cellOf } from '../mapping/column-map.ts';
import { conflictProblem, CONFLICTS_AT_ONCE, vanishedProblem } from '../push/stage/history-conflicts.ts';
import { locateOwnProblem } from '../push/own-problem.ts';
import type { Conflicts } from '../push/ports/staging.ts';
import { belongsTo } from '../push/stage-job.ts';
import type { UnseenRecord } from '../run-file/read/withdrawn.ts';
import type { IndexedRun } from '../run-file/history/history-index.ts';
import type { HistoryView } from '../run-file/history/history-view.ts';
import type { History } from '../run-file/history/history.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunHeader } from '../run-file/database/run-header.ts';
import type { Sending } from './sending.ts';

/** The history beside one run; undefined when no other run of its scope is known. */
export function viewFor(
  { history, flags }: Pick<Sending, 'history' | 'flags'>,
  header: Omit<RunHeader, 'id'>,
): HistoryView | undefined {
  return history?.viewOf(header, { resendsRefused: flags.resendRefused ?? false });
}

/**
 * Compares the records that a run has still to send with what other runs have brought to the platform since the last comparison.
 * Does nothing when no other run has changed.
 */
export function compareAgain(sending: Sending & { history: History }, run: RunFile): void {
  const { history, ports } = sending;
  const states = statesOf(others(history, run.header));
  const isCompared = JSON.stringify(run.history.comparedWith() ?? {}) === JSON.stringify(states);
  // A record that another version was refused with is judged anew.
  if (isCompared && !sending.flags.resendRefused) return;
  const view = viewFor(sending, run.header);
  if (view) {
    const now = preciseInstantOfClock(ports.io.timing.nowMs());
    reportConflicts(run, run.history.compare(view, { now, idOf: history.idOf }));
    noteGone(sending, run, view);
  }
  run.history.rememberCompared(states);
  history.release();
}

/** Remembers what a run that was just read was compared with, and the records of other versions that no row of it is. */
export function finishComparison(
  sending: Sending & { history: History },
  run: RunFile,
  view: HistoryView | undefined,
): void {
  if (view) noteGone(sending, run, view);
  run.history.rememberCompared(statesOf(others(sending.history, run.header)));
  sending.history.release();
}

function others(history: History, header: RunHeader): readonly IndexedRun[] {
  return history.runs(header).filter(({ id }) => id !== header.id);
}

function statesOf(runs: readonly IndexedRun[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    runs.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, links }) => [id, links]),
  );
}

function reportConflicts(run: RunFile, { conflicts }: Conflicts): void {
  const { resource } = run.header;
  const sources = run.mappedSources;
  for (let page = conflicts(0, CONFLICTS_AT_ONCE); page.length > 0;) {
    for (const conflict of page) {
      const problem = conflictProblem(resource, conflict);
      const { name, columns } = sources[conflict.source - 1]!;
      run.history.report(
        locateOwnProblem(problem, { ...cellOf(columns, problem.path), file: name, line: conflict.line }),
      );
    }
    page = conflicts(page.at(-1)!.seq, CONFLICTS_AT_ONCE);
  }
}

/**
 * Looks for records that another version of the same files had, and that no row of this version is. Those that arrived are warnings.
 * Those that did not are withdrawn: the file is the wish. A part of the rows says nothing about the others.
 */
function noteGone({ history, shard }: Sending & { history: History }, run: RunFile, view: HistoryView): void {
  const { header } = run;
  if (header.options.selection.maxRecords !== undefined) return;
  const places = run.history.places();
  const [first] = header.sources;
  const sharing = others(history, header).filter((other) => other.places.some((place) => places.has(place)));
  run.history.markRowsSentBefore((id) => sharing.find((other) => other.id === id)?.number, view);
  const withdrawn: UnseenRecord[] = [];
  for (const { id, number } of sharing) {
    const other = history.other(id)?.history.asOther();
    if (!other) continue;
    for (const record of other.unseen(places, (seq) => view.hasSeen({ run: number, seq }))) {
      const { key, variant, id: recordId, ...account } = record;
      const identity = { key, variant };
      const known = view.lookUp({ account, identity });
      const isOwner = known?.run === number && known.seq === record.seq;
      if (!isOwner || !belongsTo(shard, record.external_account_number) || run.history.has(record)) continue;
      if (known.known === 'open' || known.known === 'final') withdrawn.push(record);
      else if (!view.hasMoved({ account, identity, id: recordId }, known)) {
        const named = header.sources.find(({ name, place }) => (place ?? name) === record.place) ?? first!;
        const whole = { file: named.name, line: null, column: null, header: null };
        run.history.report(locateOwnProblem(vanishedProblem(record), whole));
      }
    }
  }
  run.history.keepWithdrawn(withdrawn);
}
