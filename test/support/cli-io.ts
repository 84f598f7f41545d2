import { Readable } from 'node:stream';
import { main } from '../../src/cli/main.ts';
import { type EndSignal, type Io, type TextOutput } from '../../src/cli/outside/io.ts';
import { expectExplainedExit } from './explained-exit.ts';
import { projectRoot } from './source-tree.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The outside world of one command line, and its effects. */
export interface FakeIo extends Io {
  readonly homeDir: string;
  configDir(): Promise<string | undefined>;
  readonly printed: { stdout: string; stderr: string };
  /** Every wait, in milliseconds. Only waits let time pass. */
  readonly waits: number[];
  /** Sends a signal. An error when no handler is registered. */
  raise(signal: EndSignal): void;
  /** Does what happens again and again, once. */
  tick(): void;
  /** Number of handlers for signals. */
  listeners(): number;
}

/** Parts of the outside world that a test chooses. */
export interface FakeIoOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly homeDir?: string;
  /** Folder of the user's settings. Default: none that exists. */
  readonly configDir?: string;
  /** Default: the user who runs the test. */
  readonly userId?: number;
  /** Default: ada. */
  readonly userName?: string | undefined;
  readonly isTTY?: boolean;
  /** Most expected waits. A further wait is an error. Default: 0. */
  readonly maxWaits?: number;
  /** Result of every random number, from 0 to less than 1. Default: random numbers are an error. */
  readonly chance?: number;
  readonly stdoutFailure?: string;
  /** Milliseconds since 1970 at the start. */
  readonly nowMs?: number;
  /** The number of every file system. Default: not known. */
  readonly fileSystemType?: number;
  /** Bytes that are free on every disk. Default: not known. */
}

/** An outside world in memory, with folders of its own on disk. Standard input is an error. */
export function fakeIo(world: FakeIoOptions = {}): FakeIo {
  const printed = { stdout: '', stderr: '' };
  const waits: number[] = [];
  const handlers = new Set<(signal: EndSignal) => void>();
  const ticking = new Set<() => void>();
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
    homeDir: world.homeDir ?? temporaryFolder(),
    configDir: async () => world.configDir ?? '/nowhere/dataimport',
    userId: world.userId ?? process.getuid?.(),
    userName: 'userName' in world ? world.userName : 'ada',
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
    isRunning: () => false,
    platform: process.platform,
    fileSystemType: () => world.fileSystemType,
    version: () => '9.8.7',
    every(_, act) {
      ticking.add(act);
      return () => void ticking.delete(act);
    },
    tick() {
      for (const act of ticking) act();
    },
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

/** Runs one command line to its end, which has to be the one that `explain` names for its error. */
export async function runCli(argv: readonly string[], io: FakeIo = fakeIo()) {
  const exitCode = await main(argv, io);
  expectExplainedExit(argv.join(' '), io.printed.stderr + io.printed.stdout, exitCode);
  return { exitCode, ...io.printed, json: () => JSON.parse(io.printed.stdout) as Record<string, unknown> };
}
