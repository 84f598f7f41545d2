import { existsSync } from 'node:fs';
import { hash } from 'node:crypto';
import { END_OF_ROW, rowsOf } from '../../src/cli/journal/database/outcome-sql.ts';
import { valuesOf } from '../../src/cli/journal/database/queries.ts';
import { Journal } from '../../src/cli/journal/journal.ts';
import { scratchReading, type Reading } from '../../src/cli/journal/reading.ts';
import type { Platform } from '../../src/cli/push/ports/platform.ts';
import type { OnReject } from '../../src/cli/push/ports/run.ts';
import type { RunReport } from '../../src/cli/push/ports/report.ts';
import { changedProblem } from '../../src/cli/push/stage/history-conflicts.ts';
import type { Resource } from '../../src/core/contract/resources.ts';
import { drained, type DrainOptions } from './push-drained.ts';
import {
  choiceWith,
  csvFrom,
  journalIn,
  NOW,
  stagedRun,
  takenUp,
  type StagedRunOptions,
} from './push-staged-run.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** How one version of a file is sent. */
export interface VersionOptions extends Pick<StagedRunOptions, 'limits' | 'options'> {
  /** The place of the file. Default: `/in/a.csv`. */
  readonly place: string;
  /** Default: true. */
  readonly skipInvalid: boolean;
  /** Default: `skip`. */
  readonly onReject: OnReject;
  /** Whether every row is sent again, whatever the journal says. Default: false. */
  readonly again: boolean;
  /** Whether the command ends before its first request. Default: false. */
  readonly dies: boolean;
  readonly drain: DrainOptions;
  /** What a person does with the reading then. */
  readonly after: (reading: Reading) => void;
}

/** A reading after a version of its file was sent. */
export interface SentVersion {
  readonly id: string;
  readonly report: RunReport;
  /** How each row ended, in the order of the file. A row that is kept apart from its record is named by its problem. */
  readonly ends: readonly string[];
  /** Lines of records on the platform that no row is any more. */
  readonly vanished: readonly number[];
}

const APART = new Set(['record_changed', 'record_changed', 'record_moved']);

const DEFAULTS: VersionOptions = {
  place: '/in/a.csv',
  skipInvalid: true,
  onReject: 'skip',
  again: false,
  dies: false,
  drain: {},
  after: () => undefined,
};

/** A journal to which versions of files are sent, as the command does it, one after the other. */
export class Versions {
  readonly folder: string;
  readonly resource: Resource;
  private readonly platform: Platform;
  private sent = 0;

  constructor(resource: Resource, platform: Platform, folder = temporaryFolder()) {
    this.resource = resource;
    this.platform = platform;
    this.folder = folder;
  }

  /** Sends a version. Rows as in `csvFrom`, or whole text. */
  async send(rows: string, changes: Partial<VersionOptions> = {}): Promise<SentVersion> {
    const options = { ...DEFAULTS, ...changes };
    const csv = rows.includes('\n') ? rows : csvFrom(this.resource, rows);
    const { journal, run } = await this.prepared(csv, options);
    try {
      const vanished = [...run.vanished()].map(({ line }) => line);
      await this.drain(run, options);
      options.after(run);
      const report = run.report();
      const apart = new Map(
        report.problems.flatMap(({ code, line }) => (APART.has(code) ? [[line! - 2, code] as const] : [])),
      );
      const ended = `SELECT ${END_OF_ROW} FROM ${rowsOf(run.db, run.number)} LEFT JOIN outcome USING (seq) ORDER BY place`;
      const ends = valuesOf<string>(run.db, ended).map((end, index) => apart.get(index) ?? end);
      return { id: run.header.id, report, ends, vanished };
    } finally {
      journal.see();
      journal.close();
    }
  }

  private async drain(run: Reading, { skipInvalid, onReject, drain, dies }: VersionOptions): Promise<void> {
    if (dies || (run.changedRows() > 0 && !skipInvalid)) return;
    for (;;) {
      const { end } = await drained(run, this.platform, { ...drain, onReject });
      if (!run.settlePending(changedProblem.bind(undefined, this.resource)) || end.kind !== 'finished')
        return;
    }
  }

  private async prepared(csv: string, options: VersionOptions): Promise<{ journal: Journal; run: Reading }> {
    const path = journalIn(this.folder);
    const { again } = options;
    if (!existsSync(path)) {
      const { run } = await this.staged(csv, options);
      run.close();
      return this.takenUp(Journal.open(path), 1, options);
    }
    const journal = Journal.open(path);
    journal.endEarlier(NOW);
    const version = hash('sha256', csv);
    const known = journal.readings().find((each) => each.header.version === version && each.isStaged());
    if (known && !again && isWhole(known)) return this.takenUp(journal, known.number, options);
    return this.readAgain(journal, csv, options);
  }

  private async readAgain(journal: Journal, csv: string, options: VersionOptions) {
    const { again, skipInvalid } = options;
    let comparison: ReturnType<Journal['comparedWith']> | undefined;
    const { run: scratch, end } = await this.staged(csv, options, (header) => {
      const run = scratchReading(header);
      comparison = journal.comparedWith(run, { others: [], again });
      run.compareWith(comparison);
      return run;
    });
    if (end.kind !== 'staged' && end.kind !== 'conflicting')
      throw new Error(`not staged: ${JSON.stringify(scratch.report().problems)}`);
    const choice = choiceWith({ skipInvalid });
    const merging = { comparison: comparison!, choice, now: NOW, again, keepsEarlier: false };
    const { journal: merged, reading } = Journal.merged(journal.path, scratch, merging);
    return this.takenUp(merged, reading.number, options);
  }

  private takenUp(journal: Journal, number: number, { again }: VersionOptions) {
    return { journal, run: takenUp(journal.reading(number), { again }) };
  }

  private async staged(csv: string, options: VersionOptions, into?: StagedRunOptions['into']) {
    const { place, skipInvalid, limits = { records: 1, bytes: 1_000_000 } } = options;
    const name = place.slice(place.lastIndexOf('/') + 1);
    this.sent += 1;
    const id = `20261121-101502-run-000${this.sent}`;
    return stagedRun(this.resource, csv, {
      limits,
      skipInvalid,
      ...(options.options && { options: options.options }),
      name,
      folder: this.folder,
      ...(into && { into }),
      header: (usual) => ({
        ...usual,
        id,
        sources: usual.sources.map((source) => ({ ...source, name, place })),
      }),
    });
  }
}

/** Whether a command goes on with it, and does not read the files again. */
const isWhole = (reading: Reading): boolean => reading.isWhole() && reading.condition !== 'forgotten';
