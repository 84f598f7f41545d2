import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { CalendarDate } from '../../core/values/calendar-date.ts';
import type { FolderOutcome } from '../output/output-events.ts';
import { notWritten, readText } from '../command/typed-file.ts';
import { differenceOf } from './comparison.ts';
import { EXPECTATION_FILE, type Expectation } from './expectation.ts';
import { expectationText, readExpectation, updatedText } from './expectation-file.ts';
import { firstSteps } from './first-steps.ts';
import { assertEnclosed, assertStep } from './fixture-bounds.ts';
import { replayFolder, SEED_FILE, type ReplayPorts } from './replay-folder.ts';

export interface Fixture {
  /** As it was typed. */
  readonly folder: string;
  readonly path: string;
  /** The text of its expectation; null when it has none yet. */
  readonly text: string | null;
  readonly expected: Expectation;
}

/**
 * The fixture folders that the typed folders mean: each itself, or else the fixtures right below it, by name.
 * @throws AppError `replay_folder_unknown`
 */
export function fixtureFolders(typed: readonly string[], cwd: string): readonly string[] {
  const found = typed.flatMap((folder) => {
    if (isFixture(resolve(cwd, folder))) return [folder];
    const below = foldersIn(resolve(cwd, folder)).map((name) => join(folder, name));
    const fixtures = below.filter((name) => isFixture(resolve(cwd, name)));
    if (fixtures.length === 0) throw new AppError('replay_folder_unknown', { folder });
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

/**
 * Opens a fixture. Its steps and documents may name only files of its own folder. `firstDay` is the day of a first replay. With null the
 * fixture needs an expectation.
 * @throws AppError `expectation_missing`, `expectation_invalid`, `file_not_readable`
 */
export function openFixture({
  folder,
  cwd,
  firstDay,
}: {
  folder: string;
  cwd: string;
  firstDay: CalendarDate | null;
}): Fixture {
  const path = resolve(cwd, folder);
  const file = join(folder, EXPECTATION_FILE);
  assertEnclosed(path, folder);
  if (existsSync(join(path, EXPECTATION_FILE))) {
    const text = readText(file, cwd);
    const expected = readExpectation(file, text);
    for (const { command } of expected.steps) assertStep(command);
    return { folder, path, text, expected };
  }
  if (firstDay === null) throw new AppError('expectation_missing', { file, folder });
  const steps = firstSteps(path, folder).map((command) => ({ command, exit: 'OK' }));
  return { folder, path, text: null, expected: { version: 1, today: firstDay, steps } };
}

export interface ReplayedFixture {
  readonly outcome: FolderOutcome;
  /** Standard error of the steps that did not end as expected, line by line. */
  readonly messages: readonly string[];
}

/** Replays a fixture, and compares the result with the expectation or writes it into the expectation (`update`). */
export async function replayFixture(
  fixture: Fixture,
  update: boolean,
  ports: ReplayPorts,
): Promise<ReplayedFixture> {
  const { folder, path, expected } = fixture;
  const replayed = ports.stopping.aborted ? undefined : await replayFolder(path, expected, ports);
  const steps = replayed?.actual.steps.length ?? 0;
  const ended = (outcome: FolderOutcome['outcome'], difference: string | null = null): FolderOutcome => ({
    folder,
    outcome,
    steps,
    difference,
  });
  if (!replayed) return { outcome: ended('interrupted'), messages: [] };
  const { actual, messages } = replayed;
  // A bug of the program is never written down as expected.
  if (update && actual.steps.every(({ exit }) => exit !== 'BUG')) {
    return { outcome: ended(hasWritten(fixture, actual) ? 'updated' : 'same'), messages: [] };
  }
  const difference = differenceOf(expected, actual, join(folder, EXPECTATION_FILE));
  return {
    outcome: ended(difference === null ? 'same' : 'different', difference),
    messages: actual.steps.flatMap(({ command, exit }, index) =>
      exit === expected.steps[index]!.exit
        ? []
        : [`${folder}: ${command}`, ...messages[index]!.trimEnd().split('\n')],
    ),
  };
}

/** Writes the result into the expectation. False when nothing changed. @throws AppError `file_not_writable` */
function hasWritten({ folder, path, text }: Fixture, actual: Expectation): boolean {
  const now = text === null ? expectationText(actual) : updatedText(text, actual);
  try {
    if (now !== text) writeFileSync(join(path, EXPECTATION_FILE), now);
  } catch (error) {
    throw notWritten(join(folder, EXPECTATION_FILE), error);
  }
  return now !== text;
}
