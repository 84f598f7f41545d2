import { drain, type DrainPorts } from '../../src/cli/push/drain.ts';
import type { DrainEnd } from '../../src/cli/push/drain-end.ts';
import { placeComplaint } from '../../src/cli/push/place-complaint.ts';
import type { Platform, PlatformAnswer } from '../../src/cli/push/ports/platform.ts';
import type { RunReport } from '../../src/cli/push/ports/report.ts';
import type { DrainRun } from '../../src/cli/push/ports/run.ts';
import type { Timing } from '../../src/cli/push/ports/timing.ts';
import type { RunFile } from '../../src/cli/run-file/run-file.ts';

/** A moment at which a process may die. */
export type Failpoint = `${keyof DrainRun | 'reopen' | 'send'} ${'before' | 'after' | 'on its way'}`;

/** Decides at each failpoint whether the process dies there. */
export type Fate = (at: Failpoint) => boolean;

/** How a life of the client ended. `died`: at that failpoint. */
export type LifeEnd =
  | { readonly kind: 'ended'; readonly end: DrainEnd; readonly report: RunReport }
  | { readonly kind: 'died'; readonly at: Failpoint; readonly report: RunReport };

/** What one life of the client is made of. */
export interface Life {
  readonly run: RunFile;
  readonly platform: Platform;
  readonly timing: Timing;
  readonly isResumed: boolean;
  readonly concurrency: number;
  readonly retryForMs: number;
  readonly fate: Fate;
  /** Told at once when it dies: what happens after that is not its doing. */
  readonly onDeath: () => void;
  /** `--max-duration`. */
  readonly maxDurationMs?: number | undefined;
  /** The first signal, and the second one. */
  readonly interrupt?: AbortSignal;
  readonly cut?: AbortSignal;
}

/** The client with its real engine over a real run file, from start to end or death. It closes the run. */
export async function live(life: Life): Promise<LifeEnd> {
  const { run } = life;
  const mortal = new Mortal(life);
  try {
    if (life.isResumed) mortal.verb('reopen', () => run.reopen(NOW));
    const end = await drain(policyOf(life), mortal.ports());
    return { kind: 'ended', end, report: run.report() };
  } catch (error) {
    if (!(error instanceof Death)) throw error;
    return { kind: 'died', at: error.at, report: run.report() };
  } finally {
    run.close();
  }
}

const NOW = '2026-11-21T10:15:02Z';

class Death extends Error {
  readonly at: Failpoint;

  constructor(at: Failpoint) {
    super(at);
    this.at = at;
  }
}

function policyOf({ run, concurrency, retryForMs, maxDurationMs }: Life): Parameters<typeof drain>[0] {
  const { resource, options } = run.header;
  const context = { resource, sources: run.mappedSources, showValues: false };
  return {
    resource,
    options,
    onReject: options.onReject,
    onAmbiguous: options.onAmbiguous,
    errors: { soFar: 0, limit: Infinity },
    concurrency,
    retryForMs,
    maxDuration: maxDurationMs === undefined ? undefined : { wholeMs: maxDurationMs, leftMs: maxDurationMs },
    placeComplaint: placeComplaint.bind(undefined, context),
  };
}

/** Everything between the engine and the outside; once it is dead, nothing gets through any more. */
class Mortal {
  private readonly life: Life;
  private death: Death | undefined;

  constructor(life: Life) {
    this.life = life;
  }

  ports(): DrainPorts {
    const never = new AbortController().signal;
    const { run, timing, interrupt = never, cut = never } = this.life;
    const verbs = run.draining(() => NOW);
    const guarded = Object.entries(verbs).map(([name, verb]) => [
      name,
      name === 'nextAccount'
        ? verb
        : (...args: never[]) =>
            this.verb(name as keyof DrainRun, () => (verb as (...all: never[]) => unknown)(...args)),
    ]);
    return {
      run: Object.fromEntries(guarded) as DrainRun,
      platform: {
        send: (request, signal) =>
          this.send(() => Promise.race([this.life.platform.send(request, signal), lostBy(cut)])),
      },
      timing,
      emit: () => undefined,
      interrupt,
      cut,
    };
  }

  verb<T>(name: keyof DrainRun | 'reopen', act: () => T): T {
    this.pass(`${name} before`);
    const result = act();
    this.pass(`${name} after`);
    return result;
  }

  private async send<T>(act: () => Promise<T>): Promise<T> {
    this.pass('send before');
    const answer = act();
    answer.catch(() => undefined);
    this.pass('send on its way');
    const result = await answer;
    this.pass('send after');
    return result;
  }

  private pass(at: Failpoint): void {
    if (this.death) throw this.death;
    if (!this.life.fate(at)) return;
    this.death = new Death(at);
    this.life.onDeath();
    throw this.death;
  }
}

/** What becomes of a request that is ended: whoever it was sent to goes on with it. */
function lostBy(cut: AbortSignal): Promise<PlatformAnswer> {
  return new Promise((resolve) => {
    const lost = (): void => resolve({ kind: 'lost', reason: 'the run was stopped' });
    if (cut.aborted) lost();
    else cut.addEventListener('abort', lost, { once: true });
  });
}
