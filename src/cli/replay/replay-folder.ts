import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../outside/temporary-folder.ts';
import { clockOfInstant } from '../../core/values/instant.ts';
import type { Io } from '../outside/io.ts';
import { PROJECT_FILE } from '../settings/config-file.ts';
import { commandWords } from './command-words.ts';
import type { Expectation, LedgerLine, ReplayStep } from './expectation.ts';
import { stepIo, virtualClock, type StepEnvironment } from './step-io.ts';
import { outcomeOf } from './step-outcome.ts';

/** The content of the platform at the start of a replay. */
export const SEED_FILE = 'seed.yaml';

export interface ReplayPlatform {
  readonly url: string;
  /** Null when its seed has none. */
  readonly apiKey: string | null;
  /** The records that it has, by kind and type. */
  ledger(): Promise<readonly LedgerLine[]>;
  /** @throws the first error of the platform itself */
  close(): Promise<void>;
}

export interface PlatformStart {
  readonly seed: string;
  /** Path of a contract.json. */
  readonly contract: string | undefined;
  /** As `serve --fault` takes them. */
  readonly faults: readonly string[];
  readonly nowMs: () => number;
}

/** What a replay needs of the outside. */
export interface ReplayPorts extends Pick<StepEnvironment, 'machine' | 'stopping' | 'abort'> {
  /** Starts a platform with the content of a seed file, which answers by a contract if there is one. */
  startPlatform(start: PlatformStart): Promise<ReplayPlatform>;
  /** Runs a command line and resolves with its exit code. */
  runCommandLine(argv: readonly string[], io: Io): Promise<number>;
}

/** A replay that ran to its end. */
export interface Replayed {
  /** What happened, in the form of an expectation. */
  readonly actual: Expectation;
  /** Standard error of each step. */
  readonly messages: readonly string[];
}

/** When a replay begins. Its waits do not leave the day from here. */
const NOON = 'T12:00:00Z';

/** Time between two steps, in milliseconds, so that their runs begin at different times. */
const BETWEEN_STEPS_MS = 60_000;

/**
 * Runs the steps of a folder, one after the other, against a platform of its own. Leaves nothing behind, however it ends.
 * Undefined when it was interrupted, because the output of an interrupted step is no result.
 */
export async function replayFolder(
  folder: string,
  { today, steps, contract: named, faults }: Pick<Expectation, 'today' | 'steps' | 'contract' | 'faults'>,
  ports: ReplayPorts,
): Promise<Replayed | undefined> {
  const commands = steps.map(({ command }) => ({ command, words: commandWords(command) }));
  const { machine, stopping, abort } = ports;
  const clock = virtualClock(clockOfInstant(`${today}${NOON}`));
  const scratch = temporaryFolder('dataimport-replay-');
  try {
    const contract = named === undefined ? undefined : join(folder, named);
    const nowMs = () => clock.nowMs();
    const platform = await ports.startPlatform({
      seed: join(folder, SEED_FILE),
      contract,
      faults: faults ?? [],
      nowMs,
    });
    try {
      const env = {
        ...envOf(platform, scratch),
        ...withoutConfig(folder, scratch),
        ...(contract !== undefined && { DATAIMPORT_CONTRACT: contract }),
      };
      const environment = { cwd: folder, scratch, env, timing: clock, machine, stopping, abort };
      const outcomes: ReplayStep[] = [];
      const messages: string[] = [];
      for (const { command, words } of commands) {
        if (stopping.aborted) break;
        const io = stepIo(environment);
        const exitCode = await ports.runCommandLine(['--json', ...words], io);
        outcomes.push(outcomeOf({ command, exitCode, stdout: io.written.stdout, cwd: folder }));
        messages.push(io.written.stderr);
        clock.pass(BETWEEN_STEPS_MS);
      }
      if (stopping.aborted) return undefined;
      const actual = {
        version: 1,
        today,
        contract: named,
        faults,
        steps: outcomes,
        ledger: await platform.ledger(),
      } as const;
      return { actual, messages };
    } finally {
      await platform.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Keeps a step from finding a configuration file above the fixture. */
function withoutConfig(folder: string, scratch: string): Readonly<Record<string, string>> {
  if (existsSync(join(folder, PROJECT_FILE))) return {};
  const file = join(scratch, PROJECT_FILE);
  writeFileSync(file, '');
  return { DATAIMPORT_CONFIG: file };
}

function envOf({ url, apiKey }: ReplayPlatform, scratch: string): Readonly<Record<string, string>> {
  return {
    DATAIMPORT_BASE_URL: url,
    ...(apiKey !== null && { DATAIMPORT_API_KEY: apiKey }),
    DATAIMPORT_RUN_DIR: join(scratch, 'runs'),
    DATAIMPORT_TIME_ZONE: 'UTC',
    DATAIMPORT_NO_PROGRESS: 'true',
    DATAIMPORT_NO_INPUT: 'true',
  };
}
