import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { processIo } from '../../src/cli/outside/io.ts';
import { runClient, type ClientRun, type ClientSetup } from '../../src/cli/try/client-run.ts';
import { LATE_MS, type Fault } from '../../src/cli/try/fault-kinds.ts';
import { findingsIn, type Finding } from '../../src/cli/try/findings.ts';
import { referenceOf } from '../../src/cli/try/reference.ts';
import { fakeIo, runCli, type FakeIo } from './cli-io.ts';
import { faultKind } from './client-runs.ts';
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

/** What a client that does the same in each run did wrong with a fault of each kind, in the middle of its records. */
export async function played(
  command: ClientSetup['command'],
  kinds: readonly string[],
  {
    cwd = clientsFolder(),
    seeds = ['seed.yaml'],
    endpoint = 'transactions',
  }: { cwd?: string; seeds?: readonly string[]; endpoint?: string } = {},
): Promise<readonly Played[]> {
  const stopping = new AbortController().signal;
  const setup: ClientSetup = {
    command,
    seeds: seeds.map((file) => join(cwd, file)),
    contract: undefined,
    io: realTimeIo(cwd),
    stopping,
  };
  const limits = { runMs: 120_000, requests: 1_000 };
  const first = await runClient(undefined, limits, setup);
  expect([first.ended, first.exitCode], first.output).toEqual(['itself', 0]);
  const reference = referenceOf([first, first]);
  const accepted = first.requests.filter((request) => request.endpoint === endpoint);
  return Promise.all(
    kinds.map(async (name): Promise<Played> => {
      const fault: Fault = { kind: faultKind(name), endpoint, nth: Math.ceil(accepted.length / 2) };
      const run = await runClient(fault, limits, setup);
      expect(run.requests.filter(({ faults }) => faults).length, name).toBeGreaterThan(0);
      return { kind: name, run, findings: findingsIn(run, reference) };
    }),
  );
}

export interface Played {
  readonly kind: string;
  readonly run: ClientRun;
  readonly findings: readonly Finding[];
}
