import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { CalendarDate } from '../../core/values/calendar-date.ts';
import { readText } from '../text-file.ts';
import { differenceOf } from './comparison.ts';
import { EXPECTATION_FILE, type Expectation } from './expectation.ts';
import { expectationText, readExpectation, updatedText } from './expectation-file.ts';
import { firstSteps } from './first-steps.ts';
import type { FolderOutcome } from '../output/replay.ts';
import { replayFolder, type ReplayPorts } from './replay-folder.ts';

/** A fixture folder and what it expects. */
export interface Fixture {
  /** As it was typed. */
  readonly folder: string;
  readonly path: string;
  /** The text of its expectation; null when it has none yet. */
  readonly text: string | null;
  readonly expected: Expectation;
}

/** What has become of a fixture. */
export interface ReplayedFixture {
  readonly outcome: FolderOutcome;
  /** What the steps said that did not end as expected, line by line. */
  readonly messages: readonly string[];
}

/** How a folder is to be opened. */
export interface OpeningFixture {
  readonly folder: string;
  readonly cwd: string;
  /** The day of the first replay of a folder that has no expectation yet; null: it has to have one. */
  readonly firstDay: CalendarDate | null;
}

/** @throws AppError `expectation_missing`, `expectation_invalid`, `file_not_readable` */
export function openFixture({ folder, cwd, firstDay }: OpeningFixture): Fixture {
  const path = resolve(cwd, folder);
  const file = join(folder, EXPECTATION_FILE);
  if (existsSync(join(path, EXPECTATION_FILE))) {
    const text = readText(file, cwd);
    return { folder, path, text, expected: readExpectation(file, text) };
  }
  if (firstDay === null) throw new AppError('expectation_missing', { file, folder });
  const steps = firstSteps(path, folder).map((command) => ({ command, exit: 'OK' }));
  return { folder, path, text: null, expected: { version: 1, today: firstDay, steps } };
}

/** Replays a fixture and compares, or writes what happened when it is to be updated. */
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
  // A fault of the program is nothing to expect.
  if (update && actual.steps.every(({ exit }) => exit !== 'BUG')) {
    return { outcome: ended(written(fixture, actual) ? 'updated' : 'same'), messages: [] };
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

/** Whether there was anything new to write. */
function written({ path, text }: Fixture, actual: Expectation): boolean {
  const now = text === null ? expectationText(actual) : updatedText(text, actual);
  if (now !== text) writeFileSync(join(path, EXPECTATION_FILE), now);
  return now !== text;
}
