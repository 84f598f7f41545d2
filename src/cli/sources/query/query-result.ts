import { AppError } from '../../../core/app-error.ts';
import { failure, warning, type Problem } from '../../../core/problem.ts';
import type { ItemCell, LeftOutPart, ReadItem, SourceRow } from '../../csv/source-row.ts';
import { NO_CELL } from '../../mapping/column-map.ts';
import type { UnreadValue } from '../../mapping/language/query/query-functions.ts';
import type { QueryStore, QueryTable, StoredLine } from '../../scratch/query-store.ts';
import type { CompiledQuery } from './compiled-query.ts';
import type { ResultCell } from './query-process.ts';
import type { TableReading } from './table-reading.ts';

interface ResultParts {
  readonly store: Pick<QueryStore, 'lineAt' | 'linesBetween'>;
  readonly tables: readonly { readonly reading: TableReading; readonly table: QueryTable }[];
  /** The place of the query, for rows that it leaves out. */
  readonly place: string;
}

/** Turns the rows of a result into rows of the first table, and accounts for every line of it. */
export class QueryResult {
  private readonly query: CompiledQuery;
  private readonly parts: ResultParts;
  /** The last line of the first table that is accounted for. */
  private passed = 0;
  /** Lines behind it that the result has. */
  private readonly used = new Set<number>();
  private readonly usedOfOthers: readonly Set<number>[];
  private readonly surfaced = new Set<number>();
  private repeated = 0;
  private firstRepeated = 0;

  constructor(query: CompiledQuery, parts: ResultParts) {
    this.query = query;
    this.parts = parts;
    this.usedOfOthers = parts.tables.map(() => new Set());
  }

  *accept(cells: readonly ResultCell[]): Generator<ReadItem> {
    const lines = this.linesIn(cells);
    const [first] = lines;
    const isRepeated = this.note(lines);
    if (this.query.isInOrder && !isRepeated) {
      yield* this.leftOutBefore(first);
      this.passed = first;
      this.used.delete(first);
    }
    const numbers = this.query.rowsAt.map((at, table) => (table === 0 ? first : lineOf(at, cells)));
    numbers.forEach((number, table) => number !== null && this.usedOfOthers[table]!.add(number));
    const row = this.rowOf(cells, { first, numbers });
    for (const { at, cell } of this.query.columns) {
      const value = cells[at]!;
      if (typeof value === 'string') continue;
      const found = 'number' in value ? this.cellWith(value.text, numbers) : undefined;
      if ('number' in value) this.surfaced.add(value.number);
      const problem =
        'number' in value
          ? failure('query_value_unread', [], { call: value.call, reason: value.reason })
          : failure('query_value_kind', [], { kind: value.kind });
      return yield { kind: 'broken', row, problem, cell: found ?? cell };
    }
    yield { kind: 'row', row };
  }

  /** A value that no function could read, and that no cell of the result shows, may have dropped rows. */
  unread(values: readonly UnreadValue[]): readonly ReadItem[] {
    return values.flatMap(({ call, text, reason }, number): readonly ReadItem[] => {
      if (this.surfaced.has(number)) return [];
      const problem = failure('query_value_unread', [], { call, reason });
      for (const { reading, table } of this.parts.tables) {
        const found = table.firstWith(text);
        if (found) {
          const cell = {
            ...this.headerCell(reading, found.column),
            file: reading.file.name,
            line: found.line,
          };
          return [{ kind: 'unreadable', line: found.line, problem, cell }];
        }
      }
      return [{ kind: 'unreadable', line: 1, problem }];
    });
  }

  /** The rows of the first table that no row of the result has. */
  leftOut(): Generator<ReadItem> {
    return this.leftOutBefore(Number.MAX_SAFE_INTEGER);
  }

  /** What is to say of the tables as a whole. */
  warnings(mayRepeat: boolean): readonly ReadItem[] {
    const { tables } = this.parts;
    const [first, ...others] = tables.map(({ reading: { name, file } }) => ({ name, file: file.name }));
    const notice = (problem: Problem, cell: ItemCell): ReadItem => ({
      kind: 'notice',
      line: 1,
      problem,
      cell,
    });
    const items: ReadItem[] = [];
    if (this.repeated > 0 && !mayRepeat) {
      const problem = warning('query_row_repeated', [], { table: first!.name, count: this.repeated });
      items.push(notice(problem, { ...NO_CELL, line: this.firstRepeated }));
    }
    for (const [index, { name, file }] of others.entries()) {
      const cell = { ...NO_CELL, file };
      const all = tables[index + 1]!.table.count();
      const left = all - this.usedOfOthers[index + 1]!.size;
      if (this.query.rowsAt[index + 1] === undefined)
        items.push(notice(warning('query_table_not_counted', [], { table: name }), cell));
      else if (left > 0)
        items.push(notice(warning('query_table_left', [], { table: name, count: left, all }), cell));
    }
    return items;
  }

  private *leftOutBefore(before: number): Generator<ReadItem> {
    const { store, place } = this.parts;
    for (;;) {
      const lines = store.linesBetween(this.passed, before);
      if (lines.length === 0) return;
      for (const line of lines) {
        this.passed = line.firstLine;
        const by = (line.part ?? 'query') as LeftOutPart;
        if (line.part === null && this.used.delete(line.firstLine)) continue;
        yield { kind: 'left_out', row: rowAt(line, []), by, place: by === 'query' ? place : '' };
      }
    }
  }

  /** The lines of the first table that a row of the result is made of. */
  private linesIn(cells: readonly ResultCell[]): readonly [number, ...number[]] {
    const text = cells[this.query.rowsAt[0]!];
    const numbers = typeof text === 'string' ? text.split(',') : [''];
    const [first, ...others] = numbers
      .map((each) => (/^\d{1,15}$/.test(each) ? Number.parseInt(each, 10) : 0))
      .toSorted((a, b) => a - b);
    for (const line of [first!, ...others])
      if (this.parts.store.lineAt(line)?.part !== null)
        throw new AppError('query_row_unknown', { table: this.parts.tables[0]!.reading.name });
    return [first!, ...others];
  }

  /** Notes that lines are used. @returns whether the first one was before */
  private note(lines: readonly number[]): boolean {
    const before = lines.filter((line) => line <= this.passed || this.used.has(line));
    if (before.length > 0 && this.repeated === 0) this.firstRepeated = before[0]!;
    this.repeated += before.length;
    for (const line of lines) if (line > this.passed) this.used.add(line);
    return before.includes(lines[0]!) && this.query.isInOrder;
  }

  private rowOf(
    cells: readonly ResultCell[],
    { first, numbers }: { first: number; numbers: readonly (number | null)[] },
  ): SourceRow {
    const { columns, readsTwice } = this.query;
    const texts = columns.map(({ at }) => (typeof cells[at] === 'string' ? cells[at] : ''));
    // Another row of the same table may have given a text. Read now, because the last record is made when the tables are gone.
    const stored = numbers.map((line, table) =>
      readsTwice[table] && line !== null ? this.parts.tables[table]!.table.cells(line) : undefined,
    );
    const cellAt = (index: number): ItemCell => {
      const { from, cell } = columns[index]!;
      if (!from) return cell;
      const line = numbers[from.table]!;
      const known = stored[from.table]?.[from.column];
      return line === null || (known !== undefined && known !== texts[index]) ? NO_CELL : { ...cell, line };
    };
    return { ...rowAt(this.parts.store.lineAt(first)!, texts), cellAt };
  }

  /** The cell of the rows of a result that has a text. */
  private cellWith(text: string, numbers: readonly (number | null)[]): ItemCell | undefined {
    for (const [index, { reading, table }] of this.parts.tables.entries()) {
      const line = numbers[index] ?? null;
      const column = line === null ? -1 : (table.cells(line)?.indexOf(text) ?? -1);
      if (column >= 0) return { ...this.headerCell(reading, column), file: reading.file.name, line };
    }
    return undefined;
  }

  private headerCell(
    { names, isJsonLines }: TableReading,
    column: number,
  ): Pick<ItemCell, 'column' | 'header'> {
    return { column: isJsonLines ? null : column + 1, header: names[column]! };
  }
}

function lineOf(at: number | undefined, cells: readonly ResultCell[]): number | null {
  const text = at === undefined ? '' : cells[at];
  return typeof text === 'string' && text !== '' ? Number.parseInt(text, 10) : null;
}

function rowAt({ firstLine, lastLine, byteStart, byteEnd }: StoredLine, cells: readonly string[]): SourceRow {
  return { firstLine, lastLine, byteStart, byteEnd, cells };
}
