import { hash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Platform } from '../../src/cli/push/ports/platform.ts';
import type { OnReject } from '../../src/cli/push/ports/run.ts';
import type { RunReport } from '../../src/cli/push/ports/report.ts';
import { History } from '../../src/cli/run-file/history/history.ts';
import type { RunFile } from '../../src/cli/run-file/run-file.ts';
import { RunsFolder } from '../../src/cli/run-file/runs-folder.ts';
import type { TakingUp } from '../../src/cli/run-file/send/taking-up.ts';
import { compareAgain, finishComparison } from '../../src/cli/sending/history-of-run.ts';
import type { Resource } from '../../src/core/contract/resources.ts';
import { drained } from './push-drained.ts';
import {
  csvFrom,
  NOW,
  RecordsNeeded,
  reopened,
  stagedRun,
  type StagedRunOptions,
} from './push-staged-run.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** How one version of a file is sent. */
export interface VersionOptions
  extends Pick<StagedRunOptions, 'skipInvalid' | 'limits' | 'options'>, Pick<TakingUp, 'resendsRefused'> {
  /** The place of the file. Default: `/in/a.csv`. */
  readonly place: string;
  /** Whether rows that were sent before are kept. */
  readonly keepsAll: boolean;
  readonly onReject: OnReject;
}

/** A run after a version of its file was sent. */
export interface SentVersion {
  readonly id: string;
  readonly report: RunReport;
  /** How each row ended, in the order of the file. A row that the history keeps back is named by its problem. */
  readonly ends: readonly string[];
}

const CONFLICTS = new Set(['record_changed', 'record_not_compared', 'record_moved']);

const DEFAULTS: VersionOptions = {
  place: '/in/a.csv',
  keepsAll: false,
  skipInvalid: true,
  resendsRefused: false,
  onReject: 'skip',
};

/** A folder of runs to which versions of files are sent, as the command does it, one after the other. */
export class Versions {
  readonly folder: RunsFolder;
  readonly resource: Resource;
  private readonly platform: Platform;

  constructor(resource: Resource, platform: Platform, folder = new RunsFolder(temporaryFolder())) {
    this.resource = resource;
    this.platform = platform;
    this.folder = folder;
  }

  /** Sends a version. Rows as in `csvFrom`, or whole text. */
  async send(rows: string, changes: Partial<VersionOptions> = {}): Promise<SentVersion> {
    const options = { ...DEFAULTS, ...changes };
    const csv = rows.includes('\n') ? rows : csvFrom(this.resource, rows);
    const history = History.open(this.folder);
    try {
      const known = history.runs().find(({ version }) => version === hash('sha256', csv));
      const run = known ? this.goesOn(history, known.id, options) : await this.begin(history, csv, options);
      const mayBeSent = options.skipInvalid === true || !run.hasConflicts;
      const sent = mayBeSent
        ? await drained(run, this.platform, { onReject: options.onReject })
        : { report: run.report() };
      const { problems } = sent.report;
      const conflicts = new Map(
        problems.flatMap(({ code, line }) => (CONFLICTS.has(code) ? [[line! - 2, code] as const] : [])),
      );
      const ends = [...run.rowEnds()].map(({ end }, index) => conflicts.get(index) ?? end);
      history.learn(run);
      run.close();
      history.noteClosed(run.header.id);
      return { id: run.header.id, report: sent.report, ends };
    } finally {
      history.close();
    }
  }

  /** Opens the history for a test. */
  history(): History {
    const history = History.open(this.folder);
    onTestFinished(() => history.close());
    return history;
  }

  private async begin(history: History, csv: string, options: VersionOptions): Promise<RunFile> {
    const { place, keepsAll, resendsRefused, ...staging } = options;
    const id = this.folder.newId(NOW, this.resource, hash('sha256', csv));
    const scope = { resource: this.resource, target: 'https://platform.example', database: null };
    const view = history.viewOf(scope, { resendsRefused });
    const name = place.slice(place.lastIndexOf('/') + 1);
    const staged = stagedRun(this.resource, csv, {
      limits: { records: 1, bytes: 1_000_000 },
      ...staging,
      name,
      folder: this.folder,
      turn: history.nextTurn,
      header: (usual) => ({
        ...usual,
        id,
        sources: usual.sources.map((source) => ({ ...source, name, place })),
      }),
      ...(view && { compared: { view, keepsAll, now: NOW, idOf: (number) => history.idOf(number) } }),
    });
    const { run, end } = await staged.catch((error: unknown) => {
      if (!(error instanceof RecordsNeeded)) throw error;
      this.folder.remove(id);
      return { run: undefined, end: undefined };
    });
    if (!run) return this.begin(history, csv, { ...options, keepsAll: true });
    if (end.kind !== 'staged' && end.kind !== 'conflicting')
      throw new Error(`not staged: ${JSON.stringify(run.report().problems)}`);
    finishComparison(sendingOf(history, options), run, view);
    history.register(run);
    return run;
  }

  private goesOn(history: History, id: string, { resendsRefused, place }: VersionOptions): RunFile {
    const run = reopened(this.folder, id, { turn: history.nextTurn, resendsRefused });
    if (!run.history.places().has(place)) run.history.replace([place]);
    compareAgain(sendingOf(history, { resendsRefused }), run);
    history.learn(run);
    return run;
  }
}

/** What the comparison needs of a command. */
function sendingOf(history: History, { resendsRefused }: Pick<TakingUp, 'resendsRefused'>) {
  return {
    history,
    flags: { resendRefused: resendsRefused },
    shard: undefined,
    ports: { io: { timing: { nowMs: () => Date.parse(NOW) } } },
  } as unknown as Parameters<typeof compareAgain>[0];
}
