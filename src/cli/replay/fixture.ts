import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { clockOfInstant } from '../../core/values/instant.ts';
import type { CommandContext } from '../command/command.ts';
import { notWritten, readText } from '../command/typed-file.ts';
import { temporaryFolder } from '../outside/temporary-folder.ts';
import { PROJECT_FILE } from '../settings/config-file.ts';
import { stepWords } from './command-words.ts';
import { differenceOf, readExpectation, updatedText } from './expectation-file.ts';
import { EXPECTATION_FILE, type Expectation, type ReplayStep } from './expectation.ts';
import { ledgerLines } from './ledger.ts';
import { startOwnPlatform } from './local-platform.ts';
import type { FolderOutcome } from './replay-result.ts';
import { stepIo, virtualClock } from './step-io.ts';
import { outcomeOf } from './step-outcome.ts';

export interface Fixture {
  /** As it was typed. */
  readonly folder: string;
  readonly path: string;
  /** The text of its expectation. */
  readonly text: string;
  readonly expected: Expectation;
}

/**
 * The fixture folders that the typed folders mean: each itself, or else the fixtures right below it, by name.
 * @throws AppError `document_invalid`
 */
export function fixtureFolders(typed: readonly string[], cwd: string): readonly string[] {
  const found = typed.flatMap((folder) => {
    if (isFixture(resolve(cwd, folder))) return [folder];
    const below = foldersIn(resolve(cwd, folder)).map((name) => join(folder, name));
    const fixtures = below.filter((name) => isFixture(resolve(cwd, name)));
    if (fixtures.length === 0)
      throw new AppError('document_invalid', {
        kind: `folder ${folder}`,
        reason: 'neither it nor a folder in it has an expected.yaml or a seed.yaml',
        todo: 'Check the path; `dataimport replay --help` describes a folder with a fixture.',
      });
    return fixtures;
  });
  return [...new Set(found)];
}

function isFixture(folder: string): boolean {
  return [EXPECTATION_FILE, SEED_FILE].some((file) => existsSync(join(folder, file)));
}

/** None in what is no folder, or cannot be read: there is no fixture. */
function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).toSorted();
  } catch {
    return [];
  }
}

/** Opens a fixture. @throws AppError `file_not_readable`, `document_invalid` */
export function openFixture(folder: string, cwd: string): Fixture {
  const file = join(folder, EXPECTATION_FILE);
  const text = readText(file, cwd);
  const expected = readExpectation(file, text);
  for (const { command } of expected.steps) stepWords(command);
  return { folder, path: resolve(cwd, folder), text, expected };
}

export interface ReplayedFixture {
  readonly outcome: FolderOutcome;
  /** Standard error of the steps that did not end as expected, line by line. */
  readonly messages: readonly string[];
}

/** Replays a fixture, and compares the result with the expectation or writes it into the expectation (`update`). */
export async function replayFixture(
  { folder, path, text, expected }: Fixture,
  update: boolean,
  context: ReplayContext,
): Promise<ReplayedFixture> {
  const { actual, messages } = await replayFolder(path, expected, context);
  const steps = actual.steps.length;
  const file = join(folder, EXPECTATION_FILE);
  // A bug of the program is never written down as expected.
  if (update && actual.steps.every(({ exit }) => exit !== 'BUG')) {
    const now = updatedText(text, actual);
    try {
      if (now !== text) writeFileSync(join(path, EXPECTATION_FILE), now);
    } catch (error) {
      throw notWritten(file, error);
    }
    const outcome = now === text ? 'same' : 'updated';
    return { outcome: { folder, outcome, steps, difference: null }, messages: [] };
  }
  const difference = differenceOf({ file, text, expected }, actual);
  const others = actual.steps.flatMap(({ command, exit }, index) =>
    exit === expected.steps[index]!.exit
      ? []
      : [`${folder}: ${command}`, ...messages[index]!.trimEnd().split('\n')],
  );
  const outcome = difference === null ? 'same' : 'different';
  return { outcome: { folder, outcome, steps, difference }, messages: others };
}

/** The content of the platform at the start of a replay. */
const SEED_FILE = 'seed.yaml';

/** What a replay needs of its command. */
export type ReplayContext = Pick<CommandContext, 'io' | 'runCommandLine'>;

/** Time between two steps, in milliseconds, so that their runs begin at different times. */
const BETWEEN_STEPS_MS = 60_000;

/**
 * Runs the steps of a folder, one after the other, against a platform of its own, and leaves nothing behind.
 * Returns what happened, in the form of an expectation, and standard error of each step.
 * @throws AppError those of `startServer`
 */
async function replayFolder(
  folder: string,
  expected: Expectation,
  { io, runCommandLine }: ReplayContext,
): Promise<{ actual: Expectation; messages: readonly string[] }> {
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
        const world = stepIo(io, { cwd: folder, scratch, env, timing: clock });
        const exitCode = await runCommandLine(['--json', ...stepWords(command)], world);
        outcomes.push(outcomeOf(command, exitCode, world));
        messages.push(world.written.stderr);
        clock.pass(BETWEEN_STEPS_MS);
      }
      const ledger = ledgerLines(await platform.ledger());
      return { actual: { version, today, contract: named, faults, steps: outcomes, ledger }, messages };
    } finally {
      await platform.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
