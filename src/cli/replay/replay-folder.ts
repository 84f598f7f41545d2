import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clockOfInstant } from '../../core/values/instant.ts';
import type { CommandContext } from '../command/command.ts';
import type { Interruption } from '../command/interruption.ts';
import { temporaryFolder } from '../outside/temporary-folder.ts';
import { PROJECT_FILE } from '../settings/config-file.ts';
import { stepWords } from './command-words.ts';
import type { Expectation, ReplayStep } from './expectation.ts';
import { ledgerLines } from './ledger.ts';
import { startOwnPlatform } from './local-platform.ts';
import { stepIo, virtualClock } from './step-io.ts';
import { outcomeOf } from './step-outcome.ts';

/** The content of the platform at the start of a replay. */
export const SEED_FILE = 'seed.yaml';

/** What a replay needs of its command. */
export type ReplayContext = Pick<CommandContext, 'io' | 'runCommandLine'> &
  Pick<Interruption, 'stopping' | 'abort'>;

/** Time between two steps, in milliseconds, so that their runs begin at different times. */
const BETWEEN_STEPS_MS = 60_000;

/**
 * Runs the steps of a folder, one after the other, against a platform of its own. Leaves nothing behind, however it ends.
 * Returns what happened, in the form of an expectation, and standard error of each step. Undefined when it was interrupted, because the
 * output of an interrupted step is no result.
 * @throws AppError those of `startServer`
 */
export async function replayFolder(
  folder: string,
  expected: Expectation,
  { io, runCommandLine, stopping, abort }: ReplayContext,
): Promise<{ actual: Expectation; messages: readonly string[] } | undefined> {
  const { version, today, contract: named, faults, steps } = expected;
  // It begins at noon, so that its waits do not leave the day.
  const clock = virtualClock(clockOfInstant(`${today}T12:00:00Z`));
  const scratch = temporaryFolder('dataimport-replay-');
  try {
    const contract = named === undefined ? undefined : join(folder, named);
    const platform = await startOwnPlatform({
      seeds: [join(folder, SEED_FILE)],
      faults: { rules: faults ?? [] },
      ...(contract !== undefined && { contract }),
      timeZone: 'UTC',
      nowMs: () => clock.nowMs(),
      version: io.version(),
    });
    try {
      const config = join(scratch, PROJECT_FILE);
      writeFileSync(config, '');
      const env = {
        DATAIMPORT_BASE_URL: platform.url,
        DATAIMPORT_API_KEY: platform.apiKey,
        ...(contract !== undefined && { DATAIMPORT_CONTRACT: contract }),
        DATAIMPORT_CONFIG: config,
        DATAIMPORT_RUN_DIR: join(scratch, 'runs'),
        DATAIMPORT_TIME_ZONE: 'UTC',
        DATAIMPORT_NO_PROGRESS: 'true',
        DATAIMPORT_NO_INPUT: 'true',
      };
      const outcomes: ReplayStep[] = [];
      const messages: string[] = [];
      for (const { command } of steps) {
        if (stopping.aborted) break;
        const world = stepIo(io, { cwd: folder, scratch, env, timing: clock, stopping, abort });
        const exitCode = await runCommandLine(['--json', ...stepWords(command)], world);
        outcomes.push(outcomeOf(command, exitCode, world));
        messages.push(world.written.stderr);
        clock.pass(BETWEEN_STEPS_MS);
      }
      if (stopping.aborted) return undefined;
      const ledger = ledgerLines(await platform.ledger());
      return { actual: { version, today, contract: named, faults, steps: outcomes, ledger }, messages };
    } finally {
      await platform.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
