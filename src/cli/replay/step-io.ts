import { Readable } from 'node:stream';
import { END_SIGNALS, type Io, type TextOutput } from '../io.ts';
import type { Timing } from '../push/ports/timing.ts';

/** What the steps of one replay have of the outside world. */
export interface StepWorld {
  /** The fixture folder. */
  readonly cwd: string;
  /** A private folder, for what has to be kept until the replay is over. */
  readonly scratch: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timing: Timing;
  readonly machine: Pick<Io, 'pid' | 'platform' | 'packageFolder' | 'version'>;
  /** Aborts when the replay is asked to end, and when it is asked a second time. */
  readonly interrupt: AbortSignal;
  readonly cut: AbortSignal;
}

/** A world for one command line, and what it wrote. */
export interface StepIo extends Io {
  readonly written: { readonly stdout: string; readonly stderr: string };
}

/** A world of its own for one command line: nothing of the user's settings or variables, and no terminal. */
export function stepIo(world: StepWorld): StepIo {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr'): TextOutput => ({
    write: (text) => void (written[name] += text),
    isTTY: false,
    columns: undefined,
    settled: async () => undefined,
  });
  return {
    env: world.env,
    cwd: world.cwd,
    homeDir: world.scratch,
    configDir: async () => world.scratch,
    stdin: Readable.from([]),
    stdout: output('stdout'),
    stderr: output('stderr'),
    timing: world.timing,
    ...world.machine,
    // Only `serve` crashes, and it is no step.
    crash: () => {
      throw new Error('a step of a replay crashes');
    },
    onParentEnd: () => {
      throw new Error('a step of a replay watches its parent');
    },
    onSignal(handler) {
      const [first] = END_SIGNALS;
      const release = new AbortController();
      for (const signal of [world.interrupt, world.cut]) {
        if (signal.aborted) handler(first);
        else signal.addEventListener('abort', () => handler(first), { signal: release.signal });
      }
      return () => release.abort();
    },
    written,
  };
}
