import { isUtf8 } from 'node:buffer';
import { failure, type Problem } from '../../core/problem.ts';
import { LF } from './byte-encoding.ts';
import { elementCells, isList, keyedCells } from './key-paths.ts';
import { JSON_DOCUMENT, OPENING_BYTES, openingOf } from './opening.ts';
import { MAX_COLUMNS } from './row-kinds.ts';
import type { SourceFile } from './source-file.ts';
import { MAX_ROW_BYTES, type ElementPaths, type ReadItem, type SourceRow } from './source-row.ts';

/**
 * Reads a file of JSON Lines: UTF-8, one object a line. The columns are the key paths of all objects, so the file is read twice: for the
 * key paths, and for the rows. A line that is no object is one broken row. Blank lines are skipped. Memory does not grow with the file.
 */
export async function* readJsonLines(file: SourceFile): AsyncGenerator<readonly ReadItem[]> {
  const found = new FoundPaths();
  for await (const line of linesOf(file)) {
    if ('problem' in line) break;
    found.accept(line);
  }
  const { elements, isEmpty, columns } = found;
  const names = found.names();
  if (columns > MAX_COLUMNS) {
    const problem = failure('too_many_columns', [], { columns, limit: MAX_COLUMNS });
    return yield [{ kind: 'unreadable', line: 1, problem }];
  }
  if (!isEmpty) yield [{ kind: 'header', names, line: 1, elements }];
  for await (const line of linesOf(file)) {
    if ('problem' in line) return yield [{ kind: 'unreadable', ...line }];
    const { text, ...row } = line;
    if (text.trim() === '') continue;
    const cells = keyedCells(text);
    if (typeof cells !== 'string') {
      yield [{ kind: 'row', row: { ...row, cells: cells.in(names) } }];
      continue;
    }
    const problem = text.trimStart().startsWith('[')
      ? JSON_DOCUMENT
      : failure('json_line_invalid', [], { reason: cells });
    // A file without any object is another kind of file.
    if (isEmpty) return yield [{ kind: 'unreadable', line: row.firstLine, problem }];
    yield [{ kind: 'broken', row: { ...row, cells: [] }, problem }];
  }
}

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
  private readonly paths = new KeyPaths();
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

  names(): readonly string[] {
    return this.paths.names();
  }

  accept({ text }: Line): void {
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

/** A line of a file, without its cells. */
type Line = Omit<SourceRow, 'cells'> & { readonly text: string };

/** Why a file cannot be read on, and the line on which it ends. */
type Stop = { readonly line: number; readonly problem: Problem };

/** The lines of a file, and at most once, and last, why it cannot be read on. */
async function* linesOf(file: SourceFile): AsyncGenerator<Line | Stop> {
  const lines = new ByteLines();
  for await (const chunk of file.bytes() as AsyncIterable<Buffer>) {
    yield* lines.accept(chunk);
    if (lines.ended) return;
  }
  yield* lines.end();
}

/** Cuts bytes into lines. */
class ByteLines {
  ended = false;
  private waiting: Buffer = Buffer.alloc(0);
  /** Offset in the file of `waiting`. */
  private start = 0;
  private number = 0;
  private isOpened = false;

  *accept(chunk: Buffer): Generator<Line | Stop> {
    this.waiting = this.waiting.length === 0 ? chunk : Buffer.concat([this.waiting, chunk]);
    if (!this.isOpened && this.waiting.length < OPENING_BYTES) return;
    yield* this.whole();
    if (!this.ended && this.waiting.length > MAX_ROW_BYTES) yield this.stop(tooLarge());
  }

  *end(): Generator<Line | Stop> {
    yield* this.whole();
    if (!this.ended && this.waiting.length > 0) yield this.take(this.waiting.length, true);
  }

  /** The lines that have their line end. */
  private *whole(): Generator<Line | Stop> {
    if (!this.isOpened) {
      this.isOpened = true;
      const { bomBytes, problem } = openingOf(this.waiting.subarray(0, OPENING_BYTES), 'utf-8');
      if (problem) return yield this.stop(problem);
      this.waiting = this.waiting.subarray(bomBytes);
      this.start = bomBytes;
    }
    for (let at = this.waiting.indexOf(LF); at >= 0 && !this.ended; at = this.waiting.indexOf(LF))
      yield this.take(at + 1, false);
  }

  private take(length: number, endsAtEof: boolean): Line | Stop {
    const bytes = this.waiting.subarray(0, length);
    const [byteStart, byteEnd] = [this.start, this.start + length];
    if (length > MAX_ROW_BYTES) return this.stop(tooLarge());
    if (!isUtf8(bytes))
      return this.stop(failure('encoding_invalid', [], { byte: byteStart, encoding: 'utf-8' }));
    this.number++;
    this.start = byteEnd;
    this.waiting = this.waiting.subarray(length);
    const row = { firstLine: this.number, lastLine: this.number, byteStart, byteEnd };
    return { ...row, text: bytes.toString('utf8'), ...(endsAtEof ? { endsAtEof } : {}) };
  }

  private stop(problem: Problem): Stop {
    this.ended = true;
    return { line: this.number + 1, problem };
  }
}

const tooLarge = (): Problem => failure('record_too_large', [], { limit: MAX_ROW_BYTES });
