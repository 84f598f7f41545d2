import { VARCHAR, type DuckDBAppender, type DuckDBConnection } from '@duckdb/node-api';
import { readSource } from '../csv/read-source.ts';
import type { SourceFile } from '../csv/source-file.ts';
import type { ReadItem, SourceRow } from '../csv/source-row.ts';
import { NO_CELL } from '../mapping/column-map.ts';
import { planOfTable, type TableColumn, type TablePlan } from '../mapping/compile/plan-of-table.ts';
import type { Mapping } from '../mapping/language/mapping.ts';
import { joinedSource, sourceFormatOf, type QueryTableSpec } from '../mapping/language/source.ts';
import { SourceStaging } from '../push/stage/stage-source.ts';
import { quoted, TABLE_STEP, textOf } from './query-database.ts';

/** A table of a query. The first one has the rows of the records. */
export type QueryTable = Readonly<{ name: string; columns: readonly TableColumn[] }>;

/**
 * Reads a file into a table as a push reads its files, and the lines of the first table into `own.line`. Yields now and then what is to
 * say of the file, so that the command can end. `errors` in the result: how many of that are errors.
 */
export async function* readTable(
  spec: readonly [name: string, QueryTableSpec],
  index: number,
  { file, mapping, db }: { file: SourceFile; mapping: Mapping; db: DuckDBConnection },
): AsyncGenerator<readonly ReadItem[], QueryTable & { readonly errors: number }> {
  const [name, { file: _, types: _types, ...own }] = spec;
  const items = readSource(file, sourceFormatOf(joinedSource(mapping.document.source, own)));
  const counts = { rows: 0, parts: 0, ofOtherShards: 0, invalid: 0, errors: 0 };
  const notices: ReadItem[] = [];
  let table: TablePlan | undefined;
  let [rows, lines]: DuckDBAppender[] = [];
  const appendLine = (at: Omit<SourceRow, 'cells'>, part?: string): void => {
    for (const each of [at.firstLine, at.lastLine, at.byteStart, at.byteEnd])
      lines?.appendBigInt(BigInt(each));
    lines?.appendValue(part ?? null, VARCHAR);
    lines?.endRow();
  };
  const staging = new SourceStaging(
    {
      source: {
        name: file.name,
        items,
        mapping: (header, elements) =>
          (table = planOfTable(mapping, spec, { file: file.name, header, elements })),
      },
      number: 1,
      counts,
      job: { resource: mapping.resource, maxRecords: Infinity },
      emit: () => undefined,
      onProblem(problem, cell) {
        notices.push({ kind: 'notice', line: 1, problem: { ...problem, path: [] }, cell });
      },
      run: { appendFiltered: (at, { kind }) => appendLine(at, kind) },
    },
    (report) => ({
      accept([row]) {
        const { values, problems } = table!.read(row);
        for (const { problem, cell } of problems) report.add(problem, row.firstLine, cell ?? NO_CELL);
        rows?.appendBigInt(BigInt(row.firstLine + index * TABLE_STEP));
        for (const value of values) rows?.appendValue(value ?? null, VARCHAR);
        rows?.endRow();
        appendLine(row);
      },
      appendInvalid: () => undefined,
      leaveOut: () => undefined,
      looksLikeRecord: () => false,
    }),
  );
  try {
    for await (const part of items) {
      for (const item of part) {
        staging.accept(item);
        if (item.kind !== 'header' || counts.errors > 0) continue;
        // A text that may be ordered is known by its collation, and `_row` by its type.
        const texts = table!.columns.map(
          ({ name: column, kind, isDeclared }) =>
            `${quoted(column)} VARCHAR${kind === 'text' && isDeclared ? ' COLLATE POSIX' : ''}`,
        );
        await db.run(`CREATE TABLE ${name} (${['_row UBIGINT', ...texts].join(', ')})`);
        rows = await db.createAppender(name);
        if (index === 0) lines = await db.createAppender('line', 'own');
      }
      yield notices.splice(0);
    }
    staging.finish();
  } finally {
    rows?.closeSync();
    lines?.closeSync();
  }
  for (const { name: column, kind } of counts.errors === 0 ? table!.columns : []) {
    if (kind === 'text') continue;
    // A decimal column has as many decimals as its longest cell, and digits to spare, so that two of them fit into a third.
    const longest = (part: number) => `coalesce(max(length(split_part(${quoted(column)}, '.', ${part}))), 0)`;
    const digits = `SELECT greatest(${longest(1)} + ${longest(2)}, 18) || ', ' || ${longest(2)} FROM ${name}`;
    const type = kind === 'decimal' ? `DECIMAL(${await textOf(db, digits)})` : SQL_TYPES[kind];
    await db.run(`ALTER TABLE ${name} ALTER ${quoted(column)} TYPE ${type}`);
  }
  yield notices;
  return { name, columns: table?.columns ?? [], errors: counts.errors };
}

const SQL_TYPES = { integer: 'BIGINT', date: 'DATE', datetime: 'TIMESTAMPTZ' } as const;
