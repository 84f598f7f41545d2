import { failure, type Facts, type Problem, warning } from '../../core/problem.ts';
import { fixedCells } from './fixed-cells.ts';
import { looseCells, Preamble, type PreambleLine } from './preamble.ts';
import type { ParsedRecord } from './record-parser.ts';
import { RecordSplitter } from './record-splitter.ts';
import { RowKinds } from './row-kinds.ts';
import { RowPosition } from './row-position.ts';
import type { SourceFile } from './source-file.ts';
import { RFC_4180, type SourceFormat } from './source-format.ts';
import { MAX_ROW_BYTES, type ReadItem, type SourceRow } from './source-row.ts';
import { SourceText, type TextPart } from './source-text.ts';
import { CR, LF } from './byte-encoding.ts';

const ESCAPE_UNCLEAR = {
  what: 'a cell has the escape character outside quotes, or before a character that needs none',
  todo: 'Name `\\N` under `source.null_tokens` where it is null. Else quote the cell and double the escape character, because programs disagree on what a single one means. A file that never has it before a quote needs no `source.escape`.',
};

/** Longest header in bytes. */
export const MAX_HEADER_BYTES = 1024 * 1024;

/** The end mark of DOS: the character, and its byte in UTF-8. */
const CTRL_Z = '\x1A';
const END_MARK = 0x1a;

/**
 * Reads a file of separated values or of fixed columns, strictly and as its format says. Nothing is guessed from the content.
 * Blank lines are skipped. Lines and byte ranges are those of the file, whatever its encoding. Memory does not grow with the
 * file. The items come in lists, because waiting for each of them takes a twentieth of the time of `check`.
 */
export async function* readCsv(
  file: SourceFile,
  format: SourceFormat = RFC_4180,
): AsyncGenerator<readonly ReadItem[]> {
  const pass = new ReadingPass(format);
  for await (const chunk of file.bytes()) {
    await pass.accept(chunk);
    yield pass.take();
    if (pass.ended) return;
  }
  await pass.finish();
  yield pass.take();
}

/** One pass over a file: bytes → text → records → items. */
export class ReadingPass {
  /** Whether the file cannot be read on. */
  ended = false;
  private readonly format: SourceFormat;
  private readonly text: SourceText;
  private readonly endMark: EndMark | null;
  private readonly preamble: Preamble;
  private readonly splitter: RecordSplitter;
  private readonly position = new RowPosition();
  private readonly lineEnds = new LineEnds();
  private readonly kinds: RowKinds;
  private readonly ends: RowEnds;
  private items: ReadItem[] = [];
  /** Where the last record ends in the text without preamble, and the blank lines before that. */
  private recordEnd = 0;
  private blankLines = 0;

  constructor(format: SourceFormat) {
    this.format = format;
    this.text = new SourceText(format);
    this.endMark = format.endMark ? new EndMark() : null;
    this.preamble = new Preamble(format);
    this.splitter = new RecordSplitter(format, (record) => this.acceptRecord(record));
    this.kinds = new RowKinds(format);
    this.ends = new RowEnds(format.delimiter, (item) => this.items.push(item));
    for (const header of this.kinds.begin()) this.ends.accept(header);
  }

  /** The items since the last call. */
  take(): readonly ReadItem[] {
    const taken = this.items;
    this.items = [];
    return taken;
  }

  /** Accepts the next bytes of the file. */
  accept(chunk: Buffer): Promise<void> {
    return this.read(this.text.accept(chunk));
  }

  /** Ends the file. */
  async finish(): Promise<void> {
    await this.read(this.text.end());
    if (!this.ended) await this.parse(this.preamble.end());
    if (this.ended) return;
    const problem = await this.splitter.feed(null);
    if (problem) this.stopHere(problem);
    else this.ends.finish();
  }

  private async read(parts: readonly TextPart[]): Promise<void> {
    for (const { utf8, stop } of parts) {
      if (this.ended) return;
      await this.parse(this.preamble.cut(this.endMark?.cut(utf8) ?? utf8));
      if (stop && !this.ended) this.stop(stop.line, stop.problem);
    }
  }

  private async parse(text: Buffer): Promise<void> {
    const { problem: skipped } = this.preamble;
    if (skipped && !this.ended) return this.stop(skipped.line, skipped.problem);
    if (text.length === 0) return;
    const { bytes, count } = this.preamble;
    if (this.lineEnds.textBytes === 0) this.position.startAt(this.text.offsets.sourceOf(bytes), count);
    this.lineEnds.add(text);
    const problem = (await this.splitter.feed(text)) ?? this.oversize();
    if (problem && !this.ended) this.stopHere(problem);
  }

  /** The parser measures cells, but not the bytes between them. A blank line has up to two bytes. */
  private oversize(): Problem | undefined {
    const blankBytes = 2 * (this.splitter.blankLines - this.blankLines);
    const limit = this.kinds.hasHeader ? MAX_ROW_BYTES : MAX_HEADER_BYTES;
    const isTooLarge = this.lineEnds.textBytes - this.recordEnd - blankBytes > limit;
    return isTooLarge ? failure('record_too_large', [], { limit }) : undefined;
  }

  private acceptRecord(record: ParsedRecord): void {
    if (this.ended) return;
    const { end, blankLines, raw } = record;
    const row = this.position.advance(record, this.text.offsets.sourceOf(this.preamble.bytes + end));
    this.recordEnd = end;
    this.blankLines = blankLines;
    const lineEnd = this.lineEnds.before(end);
    const problem = this.lineEnds.check(lineEnd, row.firstLine);
    if (problem?.severity === 'error') return this.stop(row.firstLine, problem);
    if (problem) this.items.push({ kind: 'notice', line: row.firstLine, problem });
    this.acceptRow(lineEnd === 'none' ? { ...row, endsAtEof: true } : row, raw);
  }

  private acceptRow(row: SourceRow, raw: string | undefined): void {
    if (endsLikeDos(row)) return this.stop(row.firstLine, failure('dos_end_mark', [], afterMark(row)));
    if (raw !== undefined && !hasClearEscapes(raw, this.format))
      return this.stop(row.firstLine, failure('quote_misplaced', [], ESCAPE_UNCLEAR));
    const item = this.kinds.accept(row);
    if (this.format.fixed === null) this.ends.accept(item);
    else this.items.push(item);
    const { lines } = this.preamble;
    if (lines.length > 0 && this.kinds.hasHeader)
      this.items.push(...lines.splice(0).map((line) => this.skippedRow(line)));
    if (item.kind === 'unreadable') this.ended = true;
  }

  /** A line of the preamble as a row, so that a row of data among them is found. */
  private skippedRow({ number, text }: PreambleLine): ReadItem {
    const { fixed, rightTrimmed } = this.format;
    const cells = fixed ? fixedCells(text, fixed, rightTrimmed).cells : looseCells(text, this.format);
    return { kind: 'skipped', row: { firstLine: number, lastLine: number, byteStart: 0, byteEnd: 0, cells } };
  }

  private stopHere(problem: Problem): void {
    const facts = { ...problem.facts, from_byte: this.position.byte };
    this.stop(this.position.nextLine(this.splitter.blankLines), { ...problem, facts });
  }

  private stop(line: number, problem: Problem): void {
    this.ends.finish();
    this.items.push({ kind: 'unreadable', line, problem });
    this.ended = true;
  }
}

function endsLikeDos({ cells, endsAtEof }: SourceRow): boolean {
  return endsAtEof ? cells.at(-1)!.endsWith(CTRL_Z) : cells.length === 1 && cells[0] === CTRL_Z;
}

/** After the last row there is nothing that was not looked at. */
const afterMark = ({ endsAtEof }: SourceRow): Facts => (endsAtEof ? { reading: 'ended' } : {});

/**
 * Whether every escape of a record, given as it is in the file, is in quotes and before a quote, an escape, a delimiter or a
 * line break. Programs disagree about any other escape: some keep it, some drop it, some read `\t` as a tab, and outside
 * quotes some take the delimiter behind it for text. Databases write null as a whole cell `\N` without quotes.
 */
function hasClearEscapes(raw: string, { quote, escape, delimiter, hasNullMarks }: SourceFormat): boolean {
  const escapable = [quote, escape, delimiter[0], '\r', '\n'];
  const isNull = (at: number): boolean =>
    hasNullMarks &&
    raw[at + 1] === 'N' &&
    (at === 0 || raw.endsWith(delimiter, at)) &&
    (/^[\r\n]?$/.test(raw.charAt(at + 2)) || raw.startsWith(delimiter, at + 2));
  let quoted = false;
  for (let at = 0; at < raw.length; at++) {
    const character = raw[at];
    if (character === escape) {
      const isClear = quoted ? escapable.includes(raw[at + 1]!) : isNull(at);
      if (!isClear) return false;
      at++;
    } else if (character === quote) quoted = !quoted;
  }
  return true;
}

/** Marks and line ends at the end of a text, at most. Programs of DOS filled up a block of 128 bytes with marks. */
const LONGEST_END_BYTES = 64 * 1024;

/**
 * Leaves out the end mark of DOS at the end of a text, with the marks and line ends behind it, however the text is cut into
 * parts. A mark before anything else is part of the text.
 */
class EndMark {
  /** Bytes that may be the end, until more text shows that they are not. */
  private waiting: Buffer = Buffer.alloc(0);

  /** The bytes that are certainly not the end. */
  cut(utf8: Buffer): Buffer {
    const text = this.waiting.length === 0 ? utf8 : Buffer.concat([this.waiting, utf8]);
    let tail = text.length;
    while (tail > 0 && mayEnd(text[tail - 1]!)) tail--;
    const mark = text.indexOf(END_MARK, tail);
    const end = mark < 0 || text.length - mark > LONGEST_END_BYTES ? text.length : mark;
    this.waiting = text.subarray(end);
    return text.subarray(0, end);
  }
}

const mayEnd = (byte: number): boolean => byte === END_MARK || byte === LF || byte === CR;

/** How a row ends: as in files of Windows, Unix and old Macs, or with the file. */
type LineEndName = 'CRLF' | 'LF' | 'CR' | 'none';

/** Checks that all rows of a file end in the same way. Keeps the latest bytes, to look at the end of a row once it is parsed. */
class LineEnds {
  private readonly firstLines = new Map<LineEndName, number>();
  private bytes: Buffer = Buffer.alloc(0);
  private start = 0;

  /** Length of the text so far. */
  get textBytes(): number {
    return this.start + this.bytes.length;
  }

  add(utf8: Buffer): void {
    // The parser looks some bytes ahead before it reports that a row has ended.
    const kept = this.bytes.subarray(-LOOK_BACK);
    this.start = this.textBytes - kept.length;
    this.bytes = Buffer.concat([kept, utf8]);
  }

  /** The line end before an offset in the text. */
  before(offset: number): LineEndName {
    const last = this.bytes[offset - 1 - this.start];
    if (last === CR) return 'CR';
    if (last !== LF) return 'none';
    return this.bytes[offset - 2 - this.start] === CR ? 'CRLF' : 'LF';
  }

  /**
   * The problem of the end of the row on this line, if there is one. CRLF and LF may be mixed. A CR beside them is refused,
   * because it may as well be part of a cell.
   */
  check(end: LineEndName, line: number): Problem | undefined {
    if (end === 'none' || this.firstLines.has(end)) return undefined;
    this.firstLines.set(end, line);
    if (this.firstLines.size !== 2) return undefined;
    const [first, other] = [...this.firstLines];
    const ends = { first: first![0], first_line: first![1], other: other![0], other_line: other![1] };
    return this.firstLines.has('CR')
      ? failure('newline_inconsistent', [], ends)
      : warning('newlines_mixed', [], ends);
  }
}

const LOOK_BACK = 64;

/** A spreadsheet decides for so many lines together how many empty cells at their ends it leaves out. */
const BLOCK = 16;

/** A number that its decimal comma has cut in two. */
const CUT_NUMBER = /(?:^|,)[-+]?\d[\d.]*,\d\d?(?:,|$)/;

/**
 * Gives rows with empty ends as many cells as the header has: where every row, or only the header, ends with a delimiter, and
 * where whole blocks of rows are shorter. A single row with another number of cells stays as it is, because it may have lost a
 * delimiter in the middle, or have one in a text without quotes.
 */
class RowEnds {
  private readonly delimiter: string;
  private readonly give: (item: ReadItem) => void;
  private names: readonly string[] = [];
  /** How many cells every row has more than the header. They are empty. Negative: the names that the rows lack are empty. */
  private surplus = 0;
  /** Shorter rows that may be a block. */
  private block: SourceRow[] = [];
  private rows = 0;
  /** Whether no shorter row was refused so far. */
  private mayFit = true;
  private fitted = 0;
  private firstLine = 0;

  /** `give` takes each item once it is known. */
  constructor(delimiter: string, give: (item: ReadItem) => void) {
    this.delimiter = delimiter;
    this.give = give;
  }

  accept(item: ReadItem): void {
    if (item.kind === 'header') this.names = item.names;
    if (item.kind === 'row' && this.takes(item.row)) return;
    this.endBlock(item.kind === 'trailer');
    const columns = this.names.length + this.surplus;
    const lacksLast = item.kind === 'row' && this.surplus > 0 && item.row.cells.length < columns;
    this.give(lacksLast ? shorter(item.row, columns) : item);
  }

  /** Ends the file. */
  finish(): void {
    this.endBlock(true);
    if (this.fitted === 0) return;
    const problem = warning('row_too_short', [], {
      what: `rows with another number of cells than the header, because empty cells at their ends are left out or one too many: ${this.fitted}`,
      todo: 'Nothing to do: these cells are taken as empty. Compare one of the rows with the header when no program ends rows like this.',
    });
    this.give({ kind: 'notice', line: this.firstLine, problem });
  }

  /** Whether a row was given with other ends, or waits in the block. */
  private takes(row: SourceRow): boolean {
    const { cells, firstLine } = row;
    const named = this.names.length;
    if (this.rows++ === 0) this.surplus = this.surplusOf(cells);
    if (this.surplus !== 0) {
      const fits = cells.length === named + this.surplus && cells.slice(named).every((cell) => cell === '');
      if (fits) this.fit(row);
      return fits;
    }
    if (cells.length >= named || row.endsAtEof) return false;
    if (this.block.some((other) => other.cells.length !== cells.length)) this.endBlock();
    // A block begins on a line that a spreadsheet begins one on, or after so many rows, and is behind one that is whole.
    const begins = this.rows >= BLOCK && (firstLine % BLOCK === 1 || this.rows % BLOCK === 1);
    this.mayFit &&= begins || this.block.length > 0;
    if (this.mayFit && this.block.push(row) === BLOCK) this.endBlock(true);
    return this.mayFit;
  }

  private surplusOf(cells: readonly string[]): number {
    const ends = [...this.names.slice(cells.length), ...cells.slice(this.names.length)];
    const isCut = this.delimiter === ',' && CUT_NUMBER.test(cells.join(','));
    return !isCut && ends.every((end) => end === '') ? cells.length - this.names.length : 0;
  }

  /** Gives the rows of the block, which is whole when nothing can be behind it. One row is none. */
  private endBlock(isWhole = false): void {
    const rows = this.block;
    if (rows.length === 0) return;
    this.block = [];
    this.mayFit = isWhole && rows.length > 1;
    for (const row of rows)
      if (this.mayFit) this.fit(row);
      else this.give({ kind: 'row', row });
  }

  private fit(row: SourceRow): void {
    if (this.fitted++ === 0) this.firstLine = row.firstLine;
    const cells = this.names.map((_, at) => row.cells[at] ?? '');
    this.give({ kind: 'row', row: { ...row, cells } });
  }
}

/** A row that lacks the delimiter with which all rows before it end. */
function shorter(row: SourceRow, columns: number): ReadItem {
  const problem = failure('row_too_short', [], {
    what: `the row has fewer cells (${row.cells.length}) than the rows above it (${columns})`,
    from_byte: row.byteStart,
  });
  return { kind: 'broken', row, problem };
}
