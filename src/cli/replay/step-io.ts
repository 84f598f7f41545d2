import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { END_SIGNALS, type Io, type TextOutput } from '../outside/io.ts';
import type { Timing } from '../push/ports/timing.ts';

/** The outside world of the steps of one replay. */
export interface StepEnvironment {
  /** The fixture folder. */
  readonly cwd: string;
  /** A private folder for files that have to be kept until the replay is over. */
  readonly scratch: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timing: Timing;
  /** Abort when the replay is asked to end, and when it is asked a second time. */
  readonly stopping: AbortSignal;
  readonly abort: AbortSignal;
}

/** The outside world of one command line, and what the command line wrote. */
export type StepIo = Io & { readonly written: { readonly stdout: string; readonly stderr: string } };

/** An outside world for one command line: without the settings and variables of the user, and without a terminal. */
export function stepIo(machine: Io, { cwd, scratch, env, timing, stopping, abort }: StepEnvironment): StepIo {
  const { pid, userId, platform, packageFolder } = machine;
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr'): TextOutput => ({
    write: (text) => void (written[name] += text),
    isTTY: false,
    columns: undefined,
    settled: async () => undefined,
  });
  const unused = (): never => {
    throw new Error('only commands that cannot be a step do this');
  };
  return {
    pid,
    userId,
    userName: undefined,
    platform,
    packageFolder,
    env,
    cwd,
    timing,
    version: () => machine.version(),
    homeDir: scratch,
    configDir: async () => scratch,
    stdin: Readable.from([]),
    stdout: output('stdout'),
    stderr: output('stderr'),
    isRunning: () => false,
    // A replay is for no platform but its own, so its journals need no disk of this machine.
    fileSystemType: () => undefined,
    // A step waits in no real time, so nothing happens by the clock.
    every: () => () => undefined,
    crash: unused,
    onParentEnd: unused,
    onSignal(handler) {
      const [first] = END_SIGNALS;
      const release = new AbortController();
      for (const signal of [stopping, abort]) {
        if (signal.aborted) handler(first);
        else signal.addEventListener('abort', () => handler(first), { signal: release.signal });
      }
      return () => release.abort();
    },
    written,
  };
}

/** A clock that only waits move on. */
export interface VirtualClock extends Timing {
  /** Lets time pass, in milliseconds. */
  pass(passedMs: number): void;
}

/** Waits cost no real time. Every roll of the dice gives the middle. */
export function virtualClock(startMs: number): VirtualClock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    async sleep(waitMs, signal) {
      if (signal?.aborted) return;
      const endMs = nowMs + waitMs;
      await nextTurn();
      nowMs = Math.max(nowMs, endMs);
    },
    random: () => 0.5,
    pass: (passedMs) => void (nowMs += passedMs),
  };
}
