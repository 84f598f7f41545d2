import { dirname, isAbsolute, join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { failure, type Problem } from '../../core/problem.ts';
import { raggedness } from '../csv/raggedness.ts';
import { readCsv } from '../csv/read-csv.ts';
import type { SourceFile } from '../csv/source-file.ts';
import type { SourceRow } from '../csv/source-row.ts';
import { cellText } from './cell-text.ts';
import { NO_CELL } from './column-map.ts';
import { recordShape } from './field-shape.ts';
import type { JoinStore } from './join-store.ts';
import { keyOf, type JoinProblem, type JoinTable } from './join.ts';
import { visitFields } from './mapping-file/field-walk.ts';
import type { JoinSpec } from './mapping-file/field-schema.ts';
import type { OpenFile } from './mapping-file/named-files.ts';
import type { SourceSpec } from './mapping-file/source-schema.ts';
import type { Mapping, UsedFile } from './mapping.ts';
import { joinedSource, sourceFormatOf, stepSpecOf } from './source-settings.ts';

/** What second files are read with. */
export interface JoinPorts {
  readonly open: OpenFile;
  readonly makeStore: () => Promise<JoinStore>;
}

/** Second files that were read: tables for plans, and files for the record of the run. */
export interface LoadedJoins {
  /** The tables for one of the sources, by its name. */
  tablesFor(source: string): ReadonlyMap<JoinSpec, JoinTable>;
  readonly files: readonly UsedFile[];
}

/**
 * Reads the second files that a mapping joins to its sources, each once, whichever sources and lists need it.
 * @throws AppError `file_not_readable`
 */
export async function loadJoins(
  mapping: Mapping,
  sources: readonly string[],
  ports: JoinPorts,
): Promise<LoadedJoins> {
  const read = new Map<string, SharedTable>();
  const bySource = new Map<string, Map<JoinSpec, JoinTable>>();
  for (const source of sources) {
    const tables = new Map<JoinSpec, JoinTable>();
    for (const { spec, from } of joinsOf(mapping)) {
      const file = await openJoined(spec.file, [source, mapping.name], ports.open);
      try {
        const signature = JSON.stringify([file.name, spec.key, from]);
        const known = read.get(signature) ?? (await readTable(file, { spec, from }, await ports.makeStore()));
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

interface SharedTable {
  readonly table: JoinTable;
  readonly used: UsedFile;
  /** Sources whose records may have rows of it. */
  readonly users: Set<string>;
}

interface Join {
  readonly spec: JoinSpec;
  readonly from: SourceSpec;
}

function joinsOf({ document: { resource, source = {}, fields } }: Mapping): readonly Join[] {
  const within = { path: ['fields'], source, names: [] };
  return [...visitFields(fields, recordShape(resource), within)].flatMap((visit) =>
    visit.spec.join
      ? [{ spec: visit.spec.join, from: joinedSource(visit.source, visit.spec.join.source) }]
      : [],
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

/** Problems of one file that are told; more of them say nothing new. */
const MOST_PROBLEMS = 1000;

async function readTable(file: SourceFile, { spec, from }: Join, store: JoinStore): Promise<SharedTable> {
  const problems: JoinProblem[] = [];
  const users = new Set<string>();
  const tell = (problem: Problem, line: number): void => {
    if (problems.length < MOST_PROBLEMS)
      problems.push({ problem, place: { ...NO_CELL, file: file.name, line } });
  };
  let names: readonly string[] = [];
  let key: (row: SourceRow) => string | undefined = () => undefined;
  for await (const item of readCsv(file, sourceFormatOf(from))) {
    if (item.kind === 'header') {
      names = item.names;
      key = keyReader(names, { spec, from });
    } else if (item.kind === 'row') {
      const { row } = item;
      const objection = raggedness(row, names);
      if (objection) tell(objection, row.firstLine);
      else store.add(key(row) ?? '', { line: row.firstLine, cells: row.cells });
    } else if (item.kind !== 'trailer') tell(item.problem, item.line);
  }
  let finished = 0;
  return {
    used: { name: file.name, fingerprint: file.fingerprint },
    users,
    table: {
      file: file.name,
      names,
      rows: store,
      *leftOver() {
        if (++finished < users.size) return;
        yield* problems;
        for (const { line } of store.left())
          yield { problem: failure('join_orphan', []), place: { ...NO_CELL, file: file.name, line } };
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
