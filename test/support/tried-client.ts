import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { processIo } from '../../src/cli/outside/io.ts';
import { LATE_MS } from '../../src/cli/try/fault-kinds.ts';
import { fakeIo, runCli, type FakeIo } from './cli-io.ts';
import { projectRoot } from './source-tree.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A folder with the clients of strangers, their payments and their seed. */
export function clientsFolder(): string {
  const folder = temporaryFolder();
  cpSync(join(projectRoot, 'test', 'cli', 'try', 'clients'), folder, { recursive: true });
  return folder;
}

/**
 * An outside world with the real time, the real variables and a real clock. A wait that is longer than that for a late request is left
 * out: it shows what a client takes from a clock, and these clients take nothing.
 */
export function realTimeIo(cwd: string): FakeIo {
  const { timing, env } = processIo();
  const { DATAIMPORT_TEST_PACKAGE: _, ...others } = env;
  const given = Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return {
    ...fakeIo({ cwd, env: Object.fromEntries(given) as Record<string, string> }),
    timing: {
      ...timing,
      sleep: async (ms, stopping) => (ms > LATE_MS ? undefined : timing.sleep(ms, stopping)),
    },
  };
}

/** Types `dataimport try` with the seed of a folder. */
export function tryIn(
  cwd: string,
  flags: readonly string[],
  command: readonly string[],
  io = realTimeIo(cwd),
) {
  return runCli(['try', '--seed', 'seed.yaml', ...flags, '--', ...command], io);
}
