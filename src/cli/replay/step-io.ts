import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Io, TextOutput } from '../outside/io.ts';
import type { Timing } from '../push/ports/timing.ts';

/** The outside world of one command line, and what the command line wrote. */
export type StepIo = Io & { readonly written: { readonly stdout: string; readonly stderr: string } };

/**
 * An outside world for one command line: without the settings and variables of the user, and without a terminal.
 * @param own `scratch`: a private folder for files that have to be kept until the replay is over
 */
export function stepIo(machine: Io, own: Pick<Io, 'cwd' | 'env' | 'timing'> & { scratch: string }): StepIo {
  const { scratch, ...others } = own;
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr'): TextOutput => ({
    write: (text) => void (written[name] += text),
    isTTY: false,
    columns: undefined,
    settled: async () => undefined,
  });
  return {
    ...machine,
    ...others,
    userName: undefined,
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
    // A signal ends the whole replay.
    onSignal: () => () => undefined,
    written,
  };
}

/** A clock that only waits move on, in no real time. Every roll of the dice gives the middle. */
export function virtualClock(startMs: number) {
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
    pass: (passedMs: number) => void (nowMs += passedMs),
  } satisfies Timing & { pass: unknown };
}
