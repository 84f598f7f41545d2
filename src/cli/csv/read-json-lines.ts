import { failure } from '../../core/problem.ts';
import { elementCells, isList, keyedCells } from './key-paths.ts';
import { JSON_DOCUMENT } from './opening.ts';
import { readCsv } from './read-csv.ts';
import { MAX_COLUMNS } from './row-kinds.ts';
import type { SourceFile } from './source-file.ts';
import { RFC_4180 } from './source-format.ts';
import { eachItem, type ElementPaths, type ReadItem } from './source-row.ts';

/**
 * Reads a file of JSON Lines: UTF-8, one object a line. The columns are the key paths of all objects, so the file is read twice: for the
 * key paths, and for the rows. A line that is no object is one broken row. Blank lines are skipped. Memory does not grow with the file.
 */
export async function* readJsonLines(file: SourceFile): AsyncGenerator<readonly ReadItem[]> {
  const found = new FoundPaths();
  for await (const item of linesOf(file)) if (item.kind === 'row') found.accept(item.row.cells[0]!);
  const { elements, isEmpty, columns } = found;
  const names = found.paths.names();
  if (columns > MAX_COLUMNS) {
    const problem = failure('too_many_columns', [], { columns, limit: MAX_COLUMNS });
    return yield [{ kind: 'unreadable', line: 1, problem }];
  }
  if (!isEmpty) yield [{ kind: 'header', names, line: 1, elements }];
  for await (const item of linesOf(file)) {
    if (item.kind === 'unreadable') yield [item];
    if (item.kind !== 'row') continue;
    const { row } = item;
    const text = row.cells[0]!;
    if (text.trim() === '') continue;
    const cells = keyedCells(text);
    if (typeof cells !== 'string') {
      yield [{ kind: 'row', row: { ...row, cells: cells.in(names) } }];
      continue;
    }
    const problem = text.trimStart().startsWith('[')
      ? JSON_DOCUMENT
      : failure('json_invalid', [], { reason: `the line is no object of JSON: ${cells}` });
    // A file without any object is another kind of file.
    if (isEmpty) return yield [{ kind: 'unreadable', line: row.firstLine, problem }];
    yield [{ kind: 'broken', row: { ...row, cells: [] }, problem }];
  }
}

/** No text has a NUL, which therefore cuts no line. */
const ONE_CELL = { isJsonLines: true, delimiter: '\0', quote: null, escape: null, header: ['line'] };

/** Each line as a row of one cell. */
const linesOf = (file: SourceFile): AsyncGenerator<ReadItem> =>
  eachItem(readCsv(file, { ...RFC_4180, ...ONE_CELL }));

/** Whether a file has JSON Lines, by its name. */
export const hasJsonLinesName = (name: string): boolean => /\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(name);

/** Key paths of objects, and whether one of the objects has a value there. */
class KeyPaths extends Map<string, boolean> {
  accept(cells: ReadonlyMap<string, string>): void {
    for (const [path, cell] of cells) this.set(path, cell !== '' || this.get(path) === true);
  }

  /** The paths that are columns: null or an empty object, where other objects have an object with keys, is none. */
  names(): readonly string[] {
    const paths = [...this.keys()];
    return paths.filter((path) => this.get(path) || !paths.some((other) => other.startsWith(`${path}.`)));
  }
}

/** The key paths of the objects of a file. */
class FoundPaths {
  readonly paths = new KeyPaths();
  /** The key paths inside of the elements of each list; none for a list without objects. */
  private readonly inner = new Map<string, KeyPaths>();
  /** Whether no line has an object. */
  isEmpty = true;
  /** Whether the file begins a list. Its lines may be objects all the same. */
  private isList = false;

  get columns(): number {
    return this.inner.values().reduce((sum, { size }) => sum + size, this.paths.size);
  }

  get elements(): ElementPaths {
    return new Map(this.inner.entries().map(([name, paths]) => [name, new Set(paths.names())]));
  }

  accept(text: string): void {
    if (this.isEmpty && text.trimStart().startsWith('[')) this.isList = true;
    if (this.isList) return;
    const cells = text.trim() === '' ? '' : keyedCells(text);
    if (typeof cells === 'string') return;
    this.isEmpty = false;
    // More columns than a file may have are only counted.
    if (this.columns > MAX_COLUMNS) return;
    this.paths.accept(cells);
    for (const [name, cell] of cells) {
      if (!isList(cell)) continue;
      const inner = this.inner.get(name) ?? new KeyPaths();
      if (cell.includes('{')) for (const element of elementCells(cell) ?? []) inner.accept(element);
      this.inner.set(name, inner);
    }
  }
}
