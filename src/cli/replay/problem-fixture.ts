import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { disguised, leftOver, MOVED_YEARS, type Disguise } from '../recording/disguise.ts';
import { expectationText } from './expectation-file.ts';
import { EXPECTATION_FILE, type Expectation, type ReplayStep } from './expectation.ts';
import { temporaryFolder } from '../outside/temporary-folder.ts';
import { replayFolder, SEED_FILE, type ReplayPorts } from './replay-folder.ts';

/** The rows of one record, as the file has them. */
export interface ProblemRows {
  readonly text: string;
  /** Null for a row that is no record. */
  readonly importSupplier: string | null;
  /** Number of an account that the local platform has; null when it has none for the row. */
  readonly account: string | null;
}

/** A problem of a run, and everything that shows it again. */
export interface ProblemCase {
  readonly code: string;
  /** Of the cell; null for a problem of a whole row. */
  readonly column: number | null;
  /** Everything above the first row. */
  readonly above: string;
  /** Sets of rows that may show the problem, the smallest first. */
  readonly candidates: readonly (readonly ProblemRows[])[];
  readonly encoding: 'utf8' | 'latin1';
  /** Name of the file of the rows. */
  readonly file: string;
  /** Files beside it by their names: mapping, lookup tables, contract. */
  readonly inputs: ReadonlyMap<string, Uint8Array>;
  readonly contract: string | undefined;
  readonly supplier: string | undefined;
  readonly kept: ReadonlySet<string>;
  readonly salt: string;
  /** The day of the replay. */
  readonly today: string;
  /** Everything after `dataimport`, for a supplier. */
  command(supplier: string | undefined): string;
}

/** A fixture that shows a problem again. */
export interface ProblemFixture {
  /** Files by their names. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly rows: number;
  /** Words that still have a run of four characters of an original. */
  readonly leftOver: number;
}

/**
 * The smallest fixture that shows the problem. `keepsValues`: whether values stay when the problem does not show without them.
 * Undefined when no candidate shows it; null when it shows with the original values only.
 */
export async function problemFixture(
  problem: ProblemCase,
  keepsValues: boolean,
  ports: ReplayPorts,
): Promise<ProblemFixture | null | undefined> {
  const shows = async (rows: readonly ProblemRows[]): Promise<boolean> =>
    (await tried(problem, rows, undefined, ports))?.steps[0]!.problems?.some((each) =>
      isSame(each, problem),
    ) ?? false;
  const rows = await smallest(problem.candidates, shows);
  if (!rows) return undefined;
  const original = await tried(problem, rows, undefined, ports);
  for (const keepsShortNumbers of [false, true]) {
    const disguise = {
      kept: problem.kept,
      salt: problem.salt,
      keepsShortNumbers,
      keepsShortWords: true,
    };
    const replayed = await tried(problem, rows, disguise, ports);
    if (replayed && problemsOf(replayed) === problemsOf(original)) {
      const left = leftOver(textOf(rows), disguised(textOf(rows), disguise), problem.kept);
      if (left === 0 || keepsValues) return fixtureOf(problem, rows, disguise, replayed, left);
    }
  }
  if (!keepsValues || !original) return null;
  return fixtureOf(problem, rows, undefined, original, leftOver(textOf(rows), textOf(rows), problem.kept));
}

/** The first candidate that shows the problem, without the rows that it shows without. */
async function smallest(
  candidates: ProblemCase['candidates'],
  shows: (rows: readonly ProblemRows[]) => Promise<boolean>,
): Promise<readonly ProblemRows[] | undefined> {
  for (const candidate of candidates) {
    if (!(await shows(candidate))) continue;
    let rows = candidate;
    // Halves, quarters and so on are left out, as long as the problem shows without them.
    for (let size = Math.ceil(rows.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let from = 0; from < rows.length;) {
        const fewer = rows.toSpliced(from, size);
        if (fewer.length > 0 && (await shows(fewer))) rows = fewer;
        else from += size;
      }
    }
    return rows;
  }
  return undefined;
}

function isSame(
  { code, column }: NonNullable<ReplayStep['problems']>[number],
  problem: ProblemCase,
): boolean {
  return code === problem.code && (column ?? null) === problem.column;
}

function problemsOf(replayed: Expectation | undefined): string {
  return JSON.stringify(replayed?.steps.map(({ exit, problems }) => [exit, problems]));
}

const textOf = (rows: readonly ProblemRows[]): string => rows.map(({ text }) => text).join('');

/** Undefined when the replay was interrupted. */
async function tried(
  problem: ProblemCase,
  rows: readonly ProblemRows[],
  disguise: Disguise | undefined,
  ports: ReplayPorts,
): Promise<Expectation | undefined> {
  const folder = temporaryFolder('dataimport-fixture-');
  try {
    for (const [name, content] of inputsOf(problem, rows, disguise)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const step = { command: commandOf(problem, disguise), exit: 'OK' };
    const replay = { today: todayOf(problem, disguise), steps: [step], contract: problem.contract };
    return (await replayFolder(folder, replay, ports))?.actual;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fixtureOf(
  problem: ProblemCase,
  rows: readonly ProblemRows[],
  disguise: Disguise | undefined,
  replayed: Expectation,
  left: number,
): ProblemFixture {
  const files = inputsOf(problem, rows, disguise).set(
    EXPECTATION_FILE,
    Buffer.from(expectationText(replayed)),
  );
  return { files, rows: rows.length, leftOver: left };
}

function commandOf({ supplier, command }: ProblemCase, disguise: Disguise | undefined): string {
  return command(supplier === undefined ? undefined : hidden(supplier, disguise));
}

function todayOf({ today }: ProblemCase, disguise: Disguise | undefined): string {
  return disguise ? `${Number.parseInt(today, 10) - MOVED_YEARS}${today.slice(4)}` : today;
}

function hidden(text: string, disguise: Disguise | undefined): string {
  return disguise ? disguised(text, disguise) : text;
}

/** Everything but the expectation. */
function inputsOf(
  { above, file, inputs, encoding, supplier }: ProblemCase,
  rows: readonly ProblemRows[],
  disguise: Disguise | undefined,
): Map<string, Uint8Array> {
  const named = rows.map(({ importSupplier }) => importSupplier).filter((code) => code !== null);
  const all = [...named, ...(supplier === undefined ? [] : [supplier])];
  const codes = [...new Set(all.length === 0 ? ['SUPPLIER'] : all)].map((code) => hidden(code, disguise));
  const known = new Map(rows.map((row) => [`${row.importSupplier} ${row.account}`, row]));
  const seed = {
    version: 1,
    api_keys: [{ key: 'local-key', suppliers: codes }],
    suppliers: codes.map((code) => ({ code, name: code, status: 'Ongoing' })),
    accounts: [...known.values()].flatMap(({ importSupplier, account }) =>
      importSupplier === null || account === null
        ? []
        : [
            {
              import_supplier: hidden(importSupplier, disguise),
              external_account_number: hidden(account, disguise),
              state: 'imported',
            },
          ],
    ),
  };
  return new Map<string, Uint8Array>([
    ...inputs,
    [file, Buffer.from(above + hidden(textOf(rows), disguise), encoding)],
    [SEED_FILE, Buffer.from(stringify(seed))],
  ]);
}
