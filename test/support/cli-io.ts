import { Readable } from 'node:stream';
import { main } from '../../src/cli/main.ts';
import type { EndSignal, Io, TextOutput } from '../../src/cli/io.ts';
import { projectRoot } from './source-tree.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A world for one command line, and what has become of it. */
export interface FakeIo extends Io {
  readonly printed: { stdout: string; stderr: string };
  /** Every wait that was asked for, in milliseconds; time passes by them and by nothing else. */
  readonly waits: number[];
  /** Sends a signal; an error when nobody listens. */
  raise(signal: EndSignal): void;
  /** How many listen for signals. */
  listeners(): number;
}

/** What of the world a test chooses. */
export interface FakeWorld {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly isTTY?: boolean;
  /** Waits that are expected, at most; a further one is an error. Default: none. */
  readonly maxWaits?: number;
  /** What every roll of the dice gives, from 0 up to but not including 1. Default: rolling them is an error. */
  readonly chance?: number;
  readonly stdoutFailure?: string;
  /** Milliseconds since 1970 at the start. */
  readonly nowMs?: number;
}

/** A world in memory, with folders of its own on disk; randomness and standard input are errors. */
export function fakeIo(world: FakeWorld = {}): FakeIo {
  const printed = { stdout: '', stderr: '' };
  const waits: number[] = [];
  const handlers = new Set<(signal: EndSignal) => void>();
  let nowMs = world.nowMs ?? 1_795_000_000_000;
  const output = (name: 'stdout' | 'stderr', failure?: string): TextOutput => ({
    write: (text) => void (printed[name] += text),
    isTTY: world.isTTY ?? false,
    columns: undefined,
    settled: async () =>
      failure === undefined ? undefined : Object.assign(new Error(failure), { code: failure }),
  });
  return {
    env: world.env ?? {},
    cwd: world.cwd ?? temporaryFolder(),
    homeDir: temporaryFolder(),
    configDir: async () => '/nowhere/dataimport',
    stdin: new Readable({
      read: () => {
        throw new Error('standard input was read');
      },
    }),
    stdout: output('stdout', world.stdoutFailure),
    stderr: output('stderr'),
    timing: {
      nowMs: () => nowMs,
      monotonicMs: () => nowMs,
      sleep: async (waitMs) => {
        if (waits.length >= (world.maxWaits ?? 0)) throw new Error(`unexpected wait of ${waitMs} ms`);
        waits.push(waitMs);
        nowMs += waitMs;
      },
      random: () => {
        if (world.chance === undefined) throw new Error('unexpected chance');
        return world.chance;
      },
    },
    pid: 4711,
    platform: process.platform,
    version: () => '9.8.7',
    crash: () => {
      throw new Error('unexpected crash');
    },
    packageFolder: projectRoot,
    onParentEnd: () => {
      throw new Error('the parent is watched');
    },
    onSignal(handler) {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    printed,
    waits,
    raise(signal) {
      if (handlers.size === 0) throw new Error(`nobody listens for ${signal}`);
      for (const handler of handlers) handler(signal);
    },
    listeners: () => handlers.size,
  };
}

/** Runs one command line to its end. */
export async function runCli(argv: readonly string[], io: FakeIo = fakeIo()) {
  const exitCode = await main(argv, io);
  return { exitCode, ...io.printed, json: () => JSON.parse(io.printed.stdout) as Record<string, unknown> };
}
