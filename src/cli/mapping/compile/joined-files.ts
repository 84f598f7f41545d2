import { dirname, isAbsolute, join } from 'node:path';
import { AppError } from '../../../core/app-error.ts';
import { failure, type Problem } from '../../../core/problem.ts';
import { readSource } from '../../csv/read-source.ts';
import type { OpenFile, SourceFile } from '../../csv/source-file.ts';
import { cellCountProblem, eachItem, type SourceRow } from '../../csv/source-row.ts';
import { NO_CELL, type RecordCell } from '../column-map.ts';
import type { JoinStore } from '../joined-rows.ts';
import type { JoinSpec } from '../language/field-spec.ts';
import { visitFields } from '../language/field-visits.ts';
import type { Mapping, UsedFile } from '../language/mapping.ts';
import { joinedColumnNames } from '../language/column-names.ts';
import { joinedSource, sourceFormatOf, stepSpecOf, type SourceSpec } from '../language/source.ts';
import type { CellProblem } from '../mapping-plan.ts';
import { cellText } from './columns.ts';

/** A second file that was read. */
export interface JoinTable {
  /** Its name in problems. */
  readonly file: string;
  readonly names: readonly string[];
  readonly rows: Pick<JoinStore, 'take'>;
  /** The problems of its rows, once all records were made. Yields nothing until the last of the sources that share the file has asked. */
  leftOver(): Iterable<CellProblem>;
}

/** The second files of a mapping, by the spec that names them. */
export type JoinTables = ReadonlyMap<JoinSpec, JoinTable>;

/** One text for the cells of a key, different for different cells; undefined when all cells are empty. */
export function keyOf(cells: readonly (string | undefined)[]): string | undefined {
  return cells.every((cell) => cell === undefined) ? undefined : JSON.stringify(cells);
}

/** Second files that were read: tables for plans, and files for the record of the run. */
export interface JoinedFiles {
  /** The tables for one of the sources, by its name. */
  tablesFor(source: string): JoinTables;
  readonly files: readonly UsedFile[];
}

/**
 * Reads the second files that a mapping joins to its sources, each once, whichever sources and lists need it.
 * @throws AppError `file_not_readable`
 */
export async function loadJoins(
  mapping: Mapping,
  sources: readonly string[],
  { open, makeStore }: { open: OpenFile; makeStore: () => Promise<JoinStore> },
): Promise<JoinedFiles> {
  const read = new Map<string, Awaited<ReturnType<typeof readTable>>>();
  const bySource = new Map<string, Map<JoinSpec, JoinTable>>();
  for (const source of sources) {
    const tables = new Map<JoinSpec, JoinTable>();
    for (const { spec, from } of joinsOf(mapping)) {
      const file = await openJoined(spec.file, [source, mapping.name], open);
      try {
        const signature = JSON.stringify([file.name, spec.key, from]);
        const known = read.get(signature) ?? (await readTable(file, { spec, from }, await makeStore()));
        read.set(signature, known);
        known.users.add(source);
        tables.set(spec, known.table);
      } finally {
        await file.close();
      }
    }
    bySource.set(source, tables);
  }
  return {
    tablesFor: (source) => bySource.get(source) ?? new Map(),
    files: [...read.values()].map(({ used }) => used),
  };
}

type Join = { readonly spec: JoinSpec; readonly from: SourceSpec };

function joinsOf({ document }: Mapping): readonly Join[] {
  return [...visitFields(document)].flatMap(({ spec: { join: spec }, source }) =>
    spec ? [{ spec, from: joinedSource(source, spec.source) }] : [],
  );
}

/** Beside the CSV file if it is there, else beside the mapping file. */
async function openJoined(name: string, besides: readonly string[], open: OpenFile): Promise<SourceFile> {
  if (isAbsolute(name)) return open(name);
  let first: unknown;
  for (const beside of besides) {
    try {
      return await open(join(dirname(beside), name));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      first ??= error;
    }
  }
  throw first;
}

/** Problems of one file that are reported. More of them say nothing new. */
const MOST_PROBLEMS = 1000;

/** Reads a second file. `users` are the sources whose records may have rows of it. */
async function readTable(
  file: SourceFile,
  { spec, from }: Join,
  store: JoinStore,
): Promise<{ table: JoinTable; used: UsedFile; users: Set<string> }> {
  const at = (line: number): RecordCell => ({ ...NO_CELL, file: file.name, line });
  const problems: CellProblem[] = [];
  const report = (problem: Problem, line: number): void => {
    if (problems.length < MOST_PROBLEMS) problems.push({ problem, cell: at(line) });
  };
  /** Lines that were passed over, by the key that they have as rows. */
  const skippedLines = new Map<string, number>();
  let names: readonly string[] = [];
  let key: (row: SourceRow) => string | undefined = () => undefined;
  for await (const item of eachItem(readSource(file, sourceFormatOf(from, joinedColumnNames(spec))))) {
    if (item.kind === 'header') {
      names = item.names;
      key = keyReader(names, { spec, from });
    } else if (item.kind === 'row') {
      const { row } = item;
      const problem = cellCountProblem(row, names);
      if (problem) report(problem, row.firstLine);
      else store.add(key(row) ?? '', { line: row.firstLine, cells: row.cells });
    } else if (item.kind === 'skipped') {
      const skipped = cellCountProblem(item.row, names) ? undefined : key(item.row);
      if (skipped !== undefined) skippedLines.set(skipped, item.row.firstLine);
    } else if (item.kind === 'broken') report(item.problem, item.row.firstLine);
    else if (item.kind === 'notice' || item.kind === 'unreadable') report(item.problem, item.line);
  }
  const users = new Set<string>();
  let finished = 0;
  return {
    used: { name: file.name, fingerprint: file.fingerprint },
    users,
    table: {
      file: file.name,
      names,
      rows: {
        take(wanted) {
          const line = skippedLines.get(wanted);
          if (line !== undefined) report(failure('skipped_line_is_data', []), line);
          return store.take(wanted);
        },
      },
      *leftOver() {
        if (++finished < users.size) return;
        yield* problems;
        for (const { line } of store.left()) yield { problem: failure('join_orphan', []), cell: at(line) };
      },
    },
  };
}

function keyReader(names: readonly string[], { spec, from }: Join): (row: SourceRow) => string | undefined {
  const reads = Object.values(spec.key).map((header) =>
    cellText({ index: names.indexOf(header), header }, stepSpecOf(from)),
  );
  return ({ cells }) => keyOf(reads.map((read) => read(cells)));
}
