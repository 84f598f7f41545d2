import { Readable } from 'node:stream';
import type { EndSignal, Io } from '../../src/cli/outside/io.ts';
import type { Timing } from '../../src/cli/push/ports/timing.ts';
import { projectRoot } from '../support/source-tree.ts';

/** The outside world of one command in this process. */
export interface SimulatedIo extends Io {
  readonly printed: { stdout: string; stderr: string };
  /** Sends a signal. Nobody may listen any more. */
  raise(signal: EndSignal): void;
}

/** An outside world on simulated time. */
export function simulatedIo({
  env,
  cwd,
  timing,
}: Pick<Io, 'env' | 'cwd'> & { readonly timing: Timing }): SimulatedIo {
  const printed = { stdout: '', stderr: '' };
  const handlers = new Set<(signal: EndSignal) => void>();
  const output = (name: 'stdout' | 'stderr'): Io['stdout'] => ({
    write: (text) => void (printed[name] += text),
    isTTY: false,
    columns: undefined,
    settled: async () => undefined,
  });
  return {
    env,
    cwd,
    homeDir: cwd,
    configDir: async () => `${cwd}/no-settings`,
    userId: undefined,
    userName: undefined,
    stdin: Readable.from([]),
    stdout: output('stdout'),
    stderr: output('stderr'),
    timing,
    pid: 4711,
    isRunning: () => false,
    packageFolder: projectRoot,
    platform: 'linux',
    fileSystemType: () => undefined,
    version: () => '0.0.0',
    every: () => () => undefined,
    crash: () => undefined,
    onParentEnd: () => () => undefined,
    onSignal(handler) {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    printed,
    raise(signal) {
      for (const handler of handlers) handler(signal);
    },
  };
}
