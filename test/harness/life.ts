import { copyFileSync } from 'node:fs';
import type { DrainPorts } from '../../src/cli/push/send/deliver.ts';
import { drain, type DrainEnd } from '../../src/cli/push/send/drain.ts';
import type { Platform, PlatformAnswer } from '../../src/cli/push/ports/platform.ts';
import type { RunReport } from '../../src/cli/push/ports/report.ts';
import type { DrainRun } from '../../src/cli/push/ports/run.ts';
import type { Timing } from '../../src/cli/push/ports/timing.ts';
import {
  openRunDatabase,
  removeDatabase,
  type RunDatabase,
} from '../../src/cli/journal/database/run-database.ts';
import { Journal } from '../../src/cli/journal/journal.ts';
import type { Reading } from '../../src/cli/journal/reading.ts';

/** A moment at which a process may die. `commit`: of the operations of several accounts; `commit after`: nobody knows of it yet. */
export type Failpoint =
  `${keyof DrainRun | 'takeUp' | 'commit' | 'send'} ${'before' | 'after' | 'on its way'}`;

/** Decides at each failpoint whether the process dies there. */
export type Fate = (at: Failpoint) => boolean;

/** How a life of the client ended. `died`: at that failpoint. */
export type LifeEnd =
  | { readonly kind: 'ended'; readonly end: DrainEnd; readonly report: RunReport }
  | { readonly kind: 'died'; readonly at: Failpoint; readonly report: RunReport };

/** Everything that one life of the client needs. */
export interface Life {
  /** The journal. */
  readonly path: string;
  /** Opens the journal, perhaps on a disk that fails. Default: as the product does. */
  readonly openDatabase?: typeof openRunDatabase;
  readonly platform: Platform;
  readonly timing: Timing;
  readonly isResumed: boolean;
  readonly concurrency: number;
  readonly retryForMs: number;
  readonly fate: Fate;
  /** Called at the moment of death. Later events are not of this life. */
  readonly onDeath: () => void;
  /** `--max-duration`. */
  readonly maxDurationMs?: number | undefined;
  /** Aborts at the first Ctrl-C. */
  readonly stopping?: AbortSignal;
  /** Aborts at the second Ctrl-C. */
  readonly abort?: AbortSignal;
}

/** Runs the real engine over a real run file, from start to end or death, and closes the run. */
export async function live(life: Life): Promise<LifeEnd> {
  const mortal = new Mortal(life);
  const journal = Journal.open(life.path, (path) =>
    mortal.database((life.openDatabase ?? openRunDatabase)(path)),
  );
  const run = journal.reading(1);
  try {
    if (life.isResumed) await mortal.operation('takeUp', () => takenUp(journal, run));
    const end = await drain(policyOf(run, life), mortal.ports(run));
    return { kind: 'ended', end, report: run.report() };
  } catch (error) {
    if (!(error instanceof Death)) throw error;
    journal.close();
    return { kind: 'died', at: error.at, report: reportOfDead(life.path) };
  } finally {
    journal.close();
  }
}

/** The report of a run whose process died. A copy is read, because reading moves packed outcomes, and the next life meets them. */
function reportOfDead(path: string): RunReport {
  const copy = `${path}-of-the-dead`;
  copyFileSync(path, copy);
  const journal = Journal.open(copy);
  try {
    return journal.reading(1).report();
  } finally {
    journal.close();
    removeDatabase(copy);
  }
}

const NOW = '2026-11-21T10:15:02Z';

/** Takes up a reading as the same command does. */
function takenUp(journal: Journal, run: Reading): void {
  journal.endEarlier(NOW);
  run.takeUp({ now: NOW, choice: run.choice, again: false });
}

class Death extends Error {
  readonly at: Failpoint;

  constructor(at: Failpoint) {
    super(at);
    this.at = at;
  }
}

function policyOf(
  run: Reading,
  { concurrency, retryForMs, maxDurationMs }: Life,
): Parameters<typeof drain>[0] {
  const { resource, options } = run.header;
  const { onReject } = run.choice;
  const delivery = {
    resource,
    options,
    acceptsExisting: false,
    retryForMs,
    sources: run.allSources(),
    accountNumberField: 'platform_account_number',
    database: null,
  };
  return {
    delivery: () => delivery,
    onReject,
    errors: { soFar: 0, limit: Infinity },
    concurrency,
    maxDuration: maxDurationMs === undefined ? undefined : { wholeMs: maxDurationMs, leftMs: maxDurationMs },
  };
}

/** The ports of an engine that may die at every failpoint. After its death no call gets through. */
class Mortal {
  private readonly life: Life;
  private death: Death | undefined;

  constructor(life: Life) {
    this.life = life;
  }

  /** The run file of this life. After its death nothing is written into it. */
  database(db: RunDatabase): RunDatabase {
    const transaction = (act: (...args: unknown[]) => unknown): unknown => {
      const write = db.transaction(act);
      return (...args: unknown[]): unknown => {
        // A transaction within the transaction is the savepoint of one operation.
        if (db.inTransaction) return write(...args);
        this.dieAt('commit before');
        const result = write(...args);
        this.dieAt('commit after');
        return result;
      };
    };
    return new Proxy(db, {
      get: (target, name) => {
        if (name === 'transaction') return transaction;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  ports(run: Reading): DrainPorts {
    const never = new AbortController().signal;
    const { timing, stopping = never, abort = never } = this.life;
    const operations = run.draining(() => NOW);
    const guarded = Object.entries(operations).map(([name, operation]) => [
      name,
      name === 'nextAccount'
        ? operation
        : (...args: never[]) =>
            this.operation(name as keyof DrainRun, () =>
              (operation as (...all: never[]) => unknown)(...args),
            ),
    ]);
    return {
      run: Object.fromEntries(guarded) as DrainRun,
      platform: {
        send: (request, signal) =>
          this.send(() => Promise.race([this.life.platform.send(request, signal), lostBy(abort)])),
      },
      timing,
      emit: () => undefined,
      stopping,
      abort,
    };
  }

  async operation<T>(name: keyof DrainRun | 'takeUp', act: () => T | Promise<T>): Promise<T> {
    this.dieAt(`${name} before`);
    const result = await act();
    this.dieAt(`${name} after`);
    return result;
  }

  private async send<T>(act: () => Promise<T>): Promise<T> {
    this.dieAt('send before');
    const answer = act();
    answer.catch(() => undefined);
    this.dieAt('send on its way');
    const result = await answer;
    this.dieAt('send after');
    return result;
  }

  private dieAt(at: Failpoint): void {
    if (this.death) throw this.death;
    if (!this.life.fate(at)) return;
    this.death = new Death(at);
    this.life.onDeath();
    throw this.death;
  }
}

/** The result of a request that was ended: its answer is lost, although the platform goes on with it. */
function lostBy(abort: AbortSignal): Promise<PlatformAnswer> {
  return new Promise((resolve) => {
    const lost = (): void => resolve({ kind: 'lost', reason: 'the run was stopped' });
    if (abort.aborted) lost();
    else abort.addEventListener('abort', lost, { once: true });
  });
}
