import { dirname, isAbsolute, join } from 'node:path';
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
  readonly tables: JoinTables;
  readonly files: readonly UsedFile[];
}

/** Reads the second files that a mapping joins to its sources, each once, whichever lists need it. `sources`: how many there are. */
export async function loadJoins(
  mapping: Mapping,
  sources: number,
  { open, makeStore }: { open: OpenFile; makeStore: () => Promise<JoinStore> },
): Promise<JoinedFiles> {
  const read = new Map<string, Awaited<ReturnType<typeof readTable>>>();
  const tables = new Map<JoinSpec, JoinTable>();
  for (const { spec, from } of joinsOf(mapping)) {
    const file = await open(isAbsolute(spec.file) ? spec.file : join(dirname(mapping.name), spec.file));
    try {
      const signature = JSON.stringify([file.name, spec.key, from]);
      const known =
        read.get(signature) ?? (await readTable(file, { spec, from }, await makeStore(), sources));
      read.set(signature, known);
      tables.set(spec, known.table);
    } finally {
      await file.close();
    }
  }
  return { tables, files: [...read.values()].map(({ used }) => used) };
}

type Join = { readonly spec: JoinSpec; readonly from: SourceSpec };

function joinsOf({ document }: Mapping): readonly Join[] {
  return [...visitFields(document)].flatMap(({ spec: { join: spec }, source }) =>
    spec ? [{ spec, from: joinedSource(source, spec.source) }] : [],
  );
}

/** Problems of one file that are reported. More of them say nothing new. */
const MOST_PROBLEMS = 1000;

/** Reads a second file, whose rows the records of so many sources may have. */
async function readTable(
  file: SourceFile,
  { spec, from }: Join,
  store: JoinStore,
  sources: number,
): Promise<{ table: JoinTable; used: UsedFile }> {
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
  let finished = 0;
  return {
    used: { name: file.name, fingerprint: file.fingerprint },
    table: {
      file: file.name,
      names,
      rows: {
        take(wanted) {
          const line = skippedLines.get(wanted);
          if (line !== undefined) report(failure('skipped_lines_wrong', []), line);
          return store.take(wanted);
        },
      },
      *leftOver() {
        if (++finished < sources) return;
        yield* problems;
        for (const { line } of store.left())
          yield {
            problem: failure('rows_not_joined', [], { reason: 'no record has the key of this row' }),
            cell: at(line),
          };
      },
    },
  };
}

function keyReader(names: readonly string[], { spec, from }: Join): (row: SourceRow) => string | undefined {
  const reads = Object.values(spec.key).map((header) =>
    cellText({ index: names.indexOf(header) }, stepSpecOf(from)),
  );
  return ({ cells }) => keyOf(reads.map((read) => read(cells)));
}
