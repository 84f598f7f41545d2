import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { FolderOutcome } from './replay-result.ts';
import { notWritten, readText } from '../command/typed-file.ts';
import { stepWords } from './command-words.ts';
import { EXPECTATION_FILE, type Expectation } from './expectation.ts';
import { differenceOf, readExpectation, updatedText } from './expectation-file.ts';
import { replayFolder, SEED_FILE, type ReplayContext } from './replay-folder.ts';

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

/** Opens a fixture. @throws AppError `file_not_readable`, `expectation_invalid` */
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
  const replayed = context.stopping.aborted ? undefined : await replayFolder(path, expected, context);
  const steps = replayed?.actual.steps.length ?? 0;
  const file = join(folder, EXPECTATION_FILE);
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
    const now = updatedText(text, actual);
    try {
      if (now !== text) writeFileSync(join(path, EXPECTATION_FILE), now);
    } catch (error) {
      throw notWritten(file, error);
    }
    return { outcome: ended(now === text ? 'same' : 'updated'), messages: [] };
  }
  const difference = differenceOf({ file, text, expected }, actual);
  return {
    outcome: ended(difference === null ? 'same' : 'different', difference),
    messages: actual.steps.flatMap(({ command, exit }, index) =>
      exit === expected.steps[index]!.exit
        ? []
        : [`${folder}: ${command}`, ...messages[index]!.trimEnd().split('\n')],
    ),
  };
}
