import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../core/app-error.ts';
import { clockOfInstant } from '../../core/values/instant.ts';
import type { RunHeader } from './database/run-header.ts';
import { Journal } from './journal.ts';
import type { JournalsFolder, UnreadJournal } from './journals-folder.ts';
import type { Reading } from './reading.ts';

/** A reading in a journal of a folder. */
export interface FoundReading extends Pick<Reading, 'number' | 'header' | 'choice'> {
  readonly folder: JournalsFolder;
  /** The file of its journal. */
  readonly file: string;
  /** Whether its files were read to their end. Otherwise it has sent nothing. */
  readonly isStaged: boolean;
  /** The later reading of the same files; undefined for the newest one. */
  readonly replacedBy: FoundReading | undefined;
}

/** The readings of folders, the newest first, and the journals that cannot be read now. */
export interface KnownReadings {
  readonly folders: readonly JournalsFolder[];
  readonly found: readonly FoundReading[];
  readonly unread: readonly UnreadJournal[];
}

/** A built package has one file for the thread that proves journals. */
const THREAD = import.meta.url.endsWith('.ts')
  ? new URL('./proving-thread-main.ts', import.meta.url)
  : new URL('../cli/journal/proving-thread-main.js', import.meta.url);

/** Journals with fewer bytes are proven before a thread has started. */
const LEAST_FOR_THREAD = 4_000_000;

/** The journals of folders, each open once: a journal is open in one process alone, and several readings may be in it. */
export class OpenJournals {
  private readonly open = new Map<string, Journal>();
  /** The heads of chains that were computed and hold, by their files. */
  private readonly proven = new Map<string, string>();
  private thread: Worker | undefined;

  /** `assertOwn`: as `Journal.open` has it. */
  at(file: string, assertOwn?: (journal: Journal) => void): Journal {
    const known = this.open.get(file);
    if (known) return known;
    const journal = Journal.open(file, undefined, assertOwn);
    this.open.set(file, journal);
    return journal;
  }

  reading({ file, number }: Pick<FoundReading, 'file' | 'number'>): Reading {
    return this.at(file).reading(number);
  }

  /** A journal whose chain holds. It is computed once while the journal stays as it is. */
  provenAt(file: string): Journal {
    const journal = this.at(file);
    const { head } = journal.head();
    if (this.proven.get(file) !== head) journal.assertProven();
    this.proven.set(file, head);
    return journal;
  }

  /** Proves large journals on a second thread, which has them until it ends. `provenAt` says why one does not hold. */
  prove(files: readonly string[]): Promise<unknown> {
    const large = files.filter((file) => statSync(file).size >= LEAST_FOR_THREAD);
    if (large.length === 0) return Promise.resolve();
    const thread = (this.thread = new Worker(THREAD, { workerData: large }));
    thread.on('message', ([file, head]: [string, string]) => this.proven.set(file, head));
    return new Promise((resolve) => thread.on('error', () => undefined).once('exit', resolve));
  }

  /** Closes all journals, which other commands may need. Those that are asked for later are opened again. */
  close(): void {
    void this.thread?.terminate();
    for (const journal of this.open.values()) journal.close();
    this.open.clear();
  }
}

export function readingsIn(folders: readonly JournalsFolder[], journals: OpenJournals): KnownReadings {
  const found: FoundReading[] = [];
  const unread: UnreadJournal[] = [];
  for (const folder of folders) {
    for (const file of folder.files())
      try {
        const journal = journals.at(file, (opened) => folder.assertNamed(opened));
        found.push(...readingsOf(folder, file, journal));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        unread.push({ file, error });
      }
    unread.push(...folder.removed());
  }
  const begun = ({ header }: FoundReading): number => clockOfInstant(header.createdAt);
  return { folders, found: found.toSorted((a, b) => begun(b) - begun(a)), unread };
}

function readingsOf(folder: JournalsFolder, file: string, journal: Journal): readonly FoundReading[] {
  const later: FoundReading[] = [];
  return journal.readings().map((reading) => {
    const { header, choice, number } = reading;
    const isStaged = reading.isStaged();
    const replacedBy = later.find((other) => isOfSameFiles(other.header, header));
    const found = { folder, file, number, header, choice, isStaged, replacedBy };
    // A reading of a part of the rows leaves the others as they are.
    if (isStaged && header.options.selection.maxRecords === undefined) later.push(found);
    return found;
  });
}

/** Whether a later reading is of all files of an earlier one, or of its cohort. */
function isOfSameFiles(later: RunHeader, { cohort, sources }: RunHeader): boolean {
  if (cohort !== null && later.cohort === cohort) return true;
  const places = later.sources.map(({ place }) => place);
  return sources.every(({ place }) => place !== null && places.includes(place));
}
