import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve, isAbsolute, relative } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { clockOfInstant } from '../../core/values/instant.ts';
import type { CommandContext } from '../command/command.ts';
import { notWritten, readText } from '../command/typed-file.ts';
import { temporaryFolder } from '../outside/temporary-folder.ts';
import { PROJECT_FILE } from '../settings/config-file.ts';
import { stepWords } from './command-words.ts';
import {
  differenceOf,
  readExpectation,
  updatedText,
  EXPECTATION_FILE,
  type Expectation,
  type ReplayStep,
  countedRows,
  MOST_PROBLEMS,
  type LedgerLine,
} from './expectation.ts';
import { startOwnPlatform } from './local-platform.ts';
import { stepIo, virtualClock, type StepIo } from './step-io.ts';
import { isJsonObject, plainJson, sortedJson } from '../../core/values/plain-json.ts';
import { EXITS } from '../output/exit-codes.ts';
import type { ControlTotal, LocatedProblem } from '../push/ports/report.ts';
import { hash } from 'node:crypto';
import { descriptorOfKind } from '../../core/contract/resources.ts';
import { Decimal, sum } from '../../core/values/decimal.ts';
import type { LedgerRecord } from '../push/ports/platform.ts';

export interface Fixture {
  /** As it was typed. */
  readonly folder: string;
  readonly path: string;
  readonly text: string;
  readonly expected: Expectation;
}

/** The fixture folders that the typed folders mean: each itself, or else the fixtures right below it, by name. */
export function fixtureFolders(typed: readonly string[], cwd: string): readonly string[] {
  const isFixture = (folder: string): boolean =>
    [EXPECTATION_FILE, SEED_FILE].some((file) => existsSync(resolve(cwd, folder, file)));
  const found = typed.flatMap((folder) => {
    if (isFixture(folder)) return [folder];
    const below = namesIn(resolve(cwd, folder)).map((name) => join(folder, name));
    const fixtures = below.filter(isFixture);
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

/** None in what is no folder, or cannot be read: there is no fixture. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

/** Opens a fixture. @throws AppError `file_not_readable`, `document_invalid` */
export function openFixture(folder: string, cwd: string): Fixture {
  const file = join(folder, EXPECTATION_FILE);
  const text = readText(file, cwd);
  const expected = readExpectation(file, text);
  for (const { command } of expected.steps)
    try {
      stepWords(command);
    } catch (error) {
      throw error instanceof AppError ? new AppError(error.code, { ...error.facts, file }) : error;
    }
  return { folder, path: resolve(cwd, folder), text, expected };
}

export interface FolderOutcome {
  readonly folder: string;
  readonly outcome: 'same' | 'different' | 'updated';
  /** Number of command lines that were run. */
  readonly steps: number;
  /** A unified diff of expected.yaml and the replay; null when they are equal. */
  readonly difference: string | null;
}

/**
 * Replays a fixture, and compares the result with the expectation or writes it into the expectation (`update`). Returns standard error of the
 * steps that did not end as expected, too, line by line.
 */
export async function replayFixture(
  { folder, path, text, expected }: Fixture,
  update: boolean,
  context: ReplayContext,
): Promise<{ outcome: FolderOutcome; messages: readonly string[] }> {
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

const SEED_FILE = 'seed.yaml';

/** What a replay needs of its command. */
export type ReplayContext = Pick<CommandContext, 'io' | 'runCommandLine'>;

/** Time between two steps, in milliseconds, so that their runs begin at different times. */
const BETWEEN_STEPS_MS = 60_000;

/**
 * Runs the steps of a folder, one after the other, against a platform of its own, and leaves nothing behind.
 * Returns what happened, in the form of an expectation, and standard error of each step.
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

/** What happened in a step, in the form of an expectation. Takes what a replay compares from any document of `--json`. */
function outcomeOf(
  command: string,
  exitCode: number,
  { cwd, written }: Pick<StepIo, 'cwd' | 'written'>,
): ReplayStep {
  const document = plainJson(written.stdout) as Readonly<Record<string, unknown>> | null | undefined;
  const { rows, control_totals: totals, problems, problems_total: total } = document ?? {};
  return {
    command,
    exit: Object.values(EXITS).find(({ code }) => code === exitCode)!.name,
    // `check --line` lists the rows of a record under the same key.
    ...(isJsonObject(rows) && { rows: countedRows(rows as Readonly<Record<string, number>>) }),
    ...(Array.isArray(totals) && { control_totals: totals.map(totalOf) }),
    ...(Array.isArray(problems) && {
      problems: problems.slice(0, MOST_PROBLEMS).map((problem) => problemOf(problem, cwd)),
      problems_total: typeof total === 'number' ? total : problems.length,
    }),
  };
}

// What is undefined is not written.
const totalOf = ({ type, count, read, accepted }: ControlTotal) => ({
  type: type ?? undefined,
  count,
  read: read ?? undefined,
  accepted: accepted ?? undefined,
});

const problemOf = (
  { code, file, line, column }: Partial<LocatedProblem> & { code: string },
  cwd: string,
) => ({
  code,
  file: typeof file === 'string' && isAbsolute(file) ? relative(cwd, file) : (file ?? undefined),
  line: line ?? undefined,
  column: column ?? undefined,
});

/** Digits of a digest: enough to show a difference, few enough to be read. */
const DIGITS = 16;

/** The lines of an expectation for the ledger of a platform, in the order of kind and type. */
function ledgerLines(records: readonly LedgerRecord[]): readonly LedgerLine[] {
  const typeOf = ({ kind, data }: LedgerRecord): string => {
    const { typeField } = descriptorOfKind(kind);
    return typeField === null ? '' : String(data[typeField]);
  };
  const groups = Map.groupBy(records, (record) => `${record.kind} ${typeOf(record)}`);
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, own]) => {
      const [{ kind }, type] = [own[0]!, typeOf(own[0]!)];
      const { amount } = descriptorOfKind(kind);
      const amounts = own.map(({ data }) => amount && data[amount.field]);
      const texts = amounts.filter((text) => typeof text === 'string');
      return {
        kind,
        ...(type !== '' && { type }),
        count: own.length,
        ...(amount && { sum: sum(texts.map((text) => Decimal.of(text))).text }),
        content: contentOf(own),
      };
    });
}

/** A digest of the records, whatever the order in which they were stored. Locations follow from the paths of a record and from the seed. */
function contentOf(records: readonly LedgerRecord[]): string {
  const hashes = records.map((record) =>
    hash('sha256', sortedJson({ ...record, seq: undefined, documents: undefined })),
  );
  return hash('sha256', hashes.toSorted().join()).slice(0, DIGITS);
}
