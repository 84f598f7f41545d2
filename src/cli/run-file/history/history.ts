import { AppError } from '../../../core/app-error.ts';
import { isSameMoney } from '../../../core/values/decimal.ts';
import type { ComparedRecord } from '../../comparison/ports.ts';
import { HistoryIndex, type IndexedRun } from './history-index.ts';
import { assertSeen, removedRun } from './seen-runs.ts';
import { HistoryView, type OtherRecords, type RecordThere } from './history-view.ts';
import { RunFile } from '../run-file.ts';
import { stateOf } from '../database/file-state.ts';
import { platformOf, type RunScope } from '../database/run-header.ts';
import type { RunsFolder } from '../runs-folder.ts';

/** The chain's head is recorded at most this often while a run is sent, in milliseconds. */
const SEEN_EVERY_MS = 250;

/**
 * What the runs of a folder know of each record that was ever to be sent. It is computed from the run files, with an index that is
 * brought up to date when it is opened.
 */
export class History {
  /** Runs that cannot be read, and why. */
  readonly unreadable = new Map<string, AppError>();
  /** Runs that another process uses. */
  readonly inUse = new Set<string>();
  private readonly folder: RunsFolder;
  private readonly index: HistoryIndex;
  private readonly opened = new Map<string, RunFile | undefined>();
  private readonly views: HistoryView[] = [];

  private constructor(folder: RunsFolder, index: HistoryIndex) {
    this.folder = folder;
    this.index = index;
  }

  /** @throws AppError `run_folder_unreadable`, `run_not_writable` */
  static open(folder: RunsFolder): History {
    // A problem of the folder is reported before a problem of a file in it.
    folder.ids();
    const history = new History(folder, HistoryIndex.open(folder.historyFile));
    try {
      history.refresh();
      return history;
    } catch (error) {
      history.close();
      throw error;
    }
  }

  /** Of a folder with runs, so that none is made where somebody is by mistake. @throws AppError `run_none`, and those of `open` */
  static openKnown(folder: RunsFolder): History {
    if (!folder.isKnown) throw new AppError('run_none', { folder: folder.path });
    return History.open(folder);
  }

  close(): void {
    this.release();
    // Commands close everything that they have opened, and some have opened it twice.
    this.index.close();
  }

  /** The runs of a scope, the one that was taken up last first. Runs whose files are gone are not among them. */
  runs(scope?: RunScope): readonly IndexedRun[] {
    const isThere = ({ id }: IndexedRun): boolean => this.unreadable.get(id)?.code !== 'run_removed';
    return this.index
      .runs()
      .filter((run) => isThere(run) && (scope === undefined || isSameScope(run, scope)));
  }

  /** The turn of the next command that takes up a run of the folder. */
  get nextTurn(): number {
    return (this.index.runs()[0]?.turn ?? 0) + 1;
  }

  /** The history beside a version of files; undefined when no record of its scope is known. */
  viewOf(scope: RunScope, { resendsRefused }: { resendsRefused: boolean }): HistoryView | undefined {
    const records = this.index.scoped(scope);
    if (!records) return undefined;
    const others = (run: number): OtherRecords | undefined => this.other(this.idOf(run))?.history.asOther();
    const view = new HistoryView(records, memoized(others), { resource: scope.resource, resendsRefused });
    this.views.push(view);
    return view;
  }

  /** The id of a run by its number in the index, which is never another's. */
  readonly idOf = memoized((run: number) => this.index.runs().find(({ number }) => number === run)!.id);

  /** Why a run is not among `runs`. */
  missing(id: string | undefined): AppError {
    if (id === undefined) return new AppError('run_none', { folder: this.folder.path });
    if (this.inUse.has(id)) return new AppError('run_locked', { run: id });
    return this.unreadable.get(id) ?? new AppError('run_not_found', { run: id, folder: this.folder.path });
  }

  /** Another run, open until `release`; undefined when it cannot be opened now. */
  other(id: string): RunFile | undefined {
    if (!this.opened.has(id)) this.opened.set(id, this.tryOpen(id));
    return this.opened.get(id);
  }

  /** Whether what a run left to other runs is still there: a person may have said since that a record is missing, or is another. */
  holds({ header, proving }: RunFile): boolean {
    const others = [...proving.rowsSentBefore()].filter(([id]) => id !== header.id);
    const confirmed = this.confirmed(header);
    const areThere = others.every(([id, ranges]) => {
      const other = this.other(id)?.history;
      return other?.haveArrived(ranges) === true && !other.isOverruled(confirmed, ranges);
    });
    this.release();
    return areThere;
  }

  /** Whether a person has confirmed since that a record of a run, or one that it left to other runs, has other content. */
  isOverruled({ header, history, proving }: RunFile): boolean {
    const confirmed = this.confirmed(header);
    if (confirmed.length === 0) return false;
    const isOverruled =
      history.isOverruled(confirmed) ||
      [...proving.rowsSentBefore()].some(
        ([id, ranges]) => this.other(id)?.history.isOverruled(confirmed, ranges) === true,
      );
    this.release();
    return isOverruled;
  }

  /** The records of a scope that a person has confirmed. */
  private confirmed(scope: RunScope): readonly RecordThere[] {
    return [...(this.index.scoped(scope)?.confirmed() ?? [])];
  }

  /**
   * Returns the function that says which run has sent a record of a platform, or may have; undefined for a record that no run has sent
   * with this type, amount and content. `open`: runs that are open already.
   */
  senders(scope: RunScope, open: ReadonlyMap<string, RunFile>): SenderOf {
    const records = this.index.scoped(scope);
    const others = memoized((number: number) => {
      const id = this.idOf(number);
      return (open.get(id) ?? this.other(id))?.history.asOther();
    });
    return (record, contents) => {
      // The platform gives a time to a note that has none, and then its variant is another.
      const known = records?.find(record, record) ?? records?.find(record, { key: record.key, variant: '' });
      if (!known || known.known === 'open' || known.known === 'final') return undefined;
      const other = others(known.run);
      const sent = other?.factsOf(known.seq);
      if (!sent || sent.type !== record.type || !isSameMoney(sent.amount, record.amount)) return undefined;
      const content = other!.contentOf(known.seq);
      return contents?.some((each) => each.equals(content)) === false ? undefined : other!.id;
    };
  }

  /** Closes the other runs, so that other commands can open them. */
  release(): void {
    for (const view of this.views.splice(0)) view.close();
    for (const run of this.opened.values()) run?.close();
    this.opened.clear();
  }

  /**
   * Whether a run file is the one that the index has seen last. A copy from an earlier time lacks links of the chain, and would be sent
   * again. @throws AppError `run_rolled_back`
   */
  assertCurrent(run: RunFile): void {
    assertSeen(run, this.index, this.folder);
  }

  /** Forgets a run that has sent nothing, before its file is removed. */
  forget(id: string): void {
    this.index.forget(id);
  }

  /** Makes a new run known, so that an older copy of its file is noticed later. */
  register(run: RunFile): void {
    this.index.register(run.history.facts());
  }

  /** Returns the function that records how far the chain of a run has grown, seldom enough to cost nothing. */
  watcher(id: string, nowMs: () => number): (chain: { links: number; head: string }) => void {
    let last = -Infinity;
    return (chain) => {
      if (nowMs() - last < SEEN_EVERY_MS) return;
      last = nowMs();
      this.index.see(id, chain);
    };
  }

  learn(run: RunFile): void {
    run.history.teach(this.index);
  }

  /** Notes the state of the file of a run that is closed and was learnt, so that it is not opened again. */
  noteClosed(id: string): void {
    this.index.touch(id, stateOf(this.folder.fileOf(id)));
  }

  /** Learns the runs that were changed, made or removed by other commands. */
  private refresh(): void {
    let known = this.index.stats();
    const ids = this.folder.ids();
    const gone = this.index.runs().filter(({ id }) => !ids.includes(id));
    for (const run of gone) this.noteRemoved(run);
    if (gone.length > 0 && this.unreadable.size === 0) {
      // Nothing of these runs is lost but their refused and unsent records.
      this.index.clear();
      known = new Map();
    }
    const changed = ids.filter((id) => known.get(id) !== stateOf(this.folder.fileOf(id)));
    // A record belongs to the run that was taken up last, unless it has arrived.
    for (const { id } of changed.flatMap((each) => this.turnOf(each)).toSorted((a, b) => a.turn - b.turn)) {
      const run = this.tryOpen(id);
      if (!run) continue;
      try {
        this.assertCurrent(run);
        this.learn(run);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        this.unreadable.set(id, error);
      } finally {
        run.close();
      }
      if (!this.unreadable.has(id)) this.noteClosed(id);
    }
  }

  /** Without the file of a run nobody knows what it has sent. The index says so until a person restores the file or removes the index. */
  private noteRemoved(run: IndexedRun): void {
    const removed = removedRun(run, this.index, this.folder);
    if (removed) this.unreadable.set(run.id, removed);
  }

  private turnOf(id: string): readonly { id: string; turn: number }[] {
    const run = this.tryOpen(id);
    if (!run) return [];
    const { turn } = run;
    run.close();
    return [{ id, turn }];
  }

  private tryOpen(id: string): RunFile | undefined {
    try {
      return RunFile.open(this.folder.fileOf(id), id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'run_locked') this.inUse.add(id);
      else if (error.code !== 'run_not_found') this.unreadable.set(id, error);
      return undefined;
    }
  }
}

/**
 * The run that has sent a record of a platform. `contents`: hashes of it, as a run file would have them (`record.content`); undefined
 * when its content cannot be compared.
 */
export type SenderOf = (
  record: ComparedRecord,
  contents: readonly Buffer[] | undefined,
) => string | undefined;

function isSameScope(a: RunScope, b: RunScope): boolean {
  return a.resource === b.resource && platformOf(a) === platformOf(b);
}

function memoized<T>(make: (key: number) => T): (key: number) => T {
  const made = new Map<number, T>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}
