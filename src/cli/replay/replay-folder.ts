import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clockOfInstant } from '../../core/values/instant.ts';
import type { Io } from '../io.ts';
import { commandWords } from './command-words.ts';
import type { Expectation, LedgerLine, ReplayStep } from './expectation.ts';
import { SEED_FILE } from './fixture-folders.ts';
import { stepIo, type StepWorld } from './step-io.ts';
import { outcomeOf } from './step-outcome.ts';
import { virtualClock } from './virtual-clock.ts';

/** A platform that a replay runs against. */
export interface ReplayPlatform {
  readonly url: string;
  /** Null when its seed has none. */
  readonly apiKey: string | null;
  /** What it holds, by kind and type. */
  ledger(): Promise<readonly LedgerLine[]>;
  /** @throws what went wrong in the platform itself, when anything did */
  close(): Promise<void>;
}

/** What a replay asks of the outside. */
export interface ReplayPorts {
  /** Starts a platform that holds what a seed file says. */
  startPlatform(seed: string, nowMs: () => number): Promise<ReplayPlatform>;
  /** Runs a command line to its end and resolves with its exit code. */
  run(argv: readonly string[], io: Io): Promise<number>;
  readonly machine: StepWorld['machine'];
  readonly interrupt: AbortSignal;
  readonly cut: AbortSignal;
}

/** How a replay went. */
export interface Replayed {
  /** In the form of an expectation. */
  readonly actual: Expectation;
  /** What each step wrote to standard error. */
  readonly messages: readonly string[];
}

/** When a replay begins: in the middle of its day, which its waits will not leave. */
const NOON = 'T12:00:00Z';

/** Time between two steps, in milliseconds: runs are told apart by when they began. */
const BETWEEN_STEPS_MS = 60_000;

/**
 * Runs the steps of a folder, one after the other, against a platform of its own. Nothing of it is left, however it
 * ends. Undefined when it was interrupted: what a step that was cut short says is no result.
 */
export async function replayFolder(
  folder: string,
  { today, steps }: Pick<Expectation, 'today' | 'steps'>,
  ports: ReplayPorts,
): Promise<Replayed | undefined> {
  const commands = steps.map(({ command }) => ({ command, words: commandWords(command) }));
  const { interrupt, cut, machine } = ports;
  const clock = virtualClock(clockOfInstant(`${today}${NOON}`));
  const scratch = mkdtempSync(join(tmpdir(), 'dataimport-replay-'));
  try {
    const platform = await ports.startPlatform(join(folder, SEED_FILE), () => clock.nowMs());
    try {
      const world = {
        cwd: folder,
        scratch,
        env: envOf(platform, scratch),
        timing: clock,
        machine,
        interrupt,
        cut,
      };
      const outcomes: ReplayStep[] = [];
      const messages: string[] = [];
      for (const { command, words } of commands) {
        if (interrupt.aborted) break;
        const io = stepIo(world);
        const exitCode = await ports.run(['--json', ...words], io);
        outcomes.push(outcomeOf({ command, exitCode, stdout: io.written.stdout, cwd: folder }));
        messages.push(io.written.stderr);
        clock.pass(BETWEEN_STEPS_MS);
      }
      if (interrupt.aborted) return undefined;
      return { actual: { version: 1, today, steps: outcomes, ledger: await platform.ledger() }, messages };
    } finally {
      await platform.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
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
