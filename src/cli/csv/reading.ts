import { failure, type Facts, type Problem } from '../../core/problem.ts';
import { EndMark } from './end-mark.ts';
import { hasClearEscapes } from './escapes.ts';
import { LatestText, LineEnds } from './line-ends.ts';
import { Position } from './position.ts';
import { Preamble } from './preamble.ts';
import type { ReadItem } from './read-item.ts';
import { MAX_ROW_BYTES, RecordParser, type ParsedRecord } from './record-parser.ts';
import { RowKinds } from './row-kinds.ts';
import type { SourceFormat } from './source-format.ts';
import type { SourceRow } from './source-row.ts';
import { SourceText, type TextPart } from './source-text.ts';

/** Longest header in bytes. */
export const MAX_HEADER_BYTES = 1024 * 1024;

/** The end of file mark of DOS. */
const CTRL_Z = '\x1A';

/** One pass over a file: bytes → text → records → what they are. */
export class Reading {
  /** Nothing more can be read. */
  ended = false;
  private readonly format: SourceFormat;
  private readonly text: SourceText;
  private readonly endMark: EndMark | null;
  private readonly preamble: Preamble;
  private readonly latest = new LatestText();
  private readonly parser: RecordParser;
  private readonly position: Position;
  private readonly lineEnds = new LineEnds();
  private readonly kinds: RowKinds;
  private items: ReadItem[];
  /** Of the last record: where it ends in the text without preamble, and the blank lines before that. */
  private recordEnd: number | undefined;
  private blankLines = 0;

  constructor(format: SourceFormat) {
    this.format = format;
    this.text = new SourceText(format);
    this.endMark = format.endMark ? new EndMark() : null;
    this.preamble = new Preamble(format.skipLines);
    this.parser = new RecordParser(format, (record) => this.acceptRecord(record));
    this.position = new Position(format.skipLines);
    this.kinds = new RowKinds(format);
    this.items = [...this.kinds.begin()];
  }

  /** What was read since it was asked last. */
  take(): readonly ReadItem[] {
    const taken = this.items;
    this.items = [];
    return taken;
  }

  /** Takes the next bytes of the file. */
  accept(chunk: Buffer): Promise<void> {
    return this.read(this.text.accept(chunk));
  }

  /** Says that the file is at its end. */
  async finish(): Promise<void> {
    await this.read(this.text.end());
    if (this.ended) return;
    const problem = await this.parser.feed(null);
    if (problem) this.stopHere(problem);
  }

  private async read(parts: readonly TextPart[]): Promise<void> {
    for (const { utf8, stop } of parts) {
      if (this.ended) return;
      await this.parse(this.preamble.cut(this.endMark?.cut(utf8) ?? utf8));
      if (stop && !this.ended) this.stop(stop.line, stop.problem);
    }
  }

  private async parse(text: Buffer): Promise<void> {
    if (text.length === 0) return;
    this.latest.add(text);
    const problem = (await this.parser.feed(text)) ?? this.oversize();
    if (problem && !this.ended) this.stopHere(problem);
  }

  /** The parser measures cells, not what stands between them. A blank line has up to two bytes. */
  private oversize(): Problem | undefined {
    const blankBytes = 2 * (this.parser.blankLines - this.blankLines);
    const limit = this.kinds.hasHeader ? MAX_ROW_BYTES : MAX_HEADER_BYTES;
    const isTooLarge = this.latest.end - (this.recordEnd ?? 0) - blankBytes > limit;
    return isTooLarge ? failure('record_too_large', [], { limit }) : undefined;
  }

  private acceptRecord(record: ParsedRecord): void {
    if (this.ended) return;
    const { end, blankLines, raw } = record;
    const { offsets } = this.text;
    if (this.recordEnd === undefined) this.position.startAt(offsets.sourceOf(this.preamble.bytes));
    const row = this.position.advance(record, offsets.sourceOf(this.preamble.bytes + end));
    this.recordEnd = end;
    this.blankLines = blankLines;
    const lineEnd = this.latest.lineEndBefore(end);
    const problem = this.lineEnds.see(lineEnd, row.firstLine);
    if (problem?.severity === 'error') return this.stop(row.firstLine, problem);
    if (problem) this.items.push({ kind: 'notice', line: row.firstLine, problem });
    this.acceptRow(lineEnd === 'none' ? { ...row, endsAtEof: true } : row, raw);
  }

  private acceptRow(row: SourceRow, raw: string | undefined): void {
    if (endsLikeDos(row)) return this.stop(row.firstLine, failure('dos_end_mark', [], afterMark(row)));
    if (raw !== undefined && !hasClearEscapes(raw, this.format))
      return this.stop(row.firstLine, failure('escape_unclear', []));
    const item = this.kinds.accept(row);
    this.items.push(item);
    if (item.kind === 'unreadable') this.ended = true;
  }

  private stopHere(problem: Problem): void {
    const facts = { ...problem.facts, from_byte: this.position.nextByte };
    this.stop(this.position.nextLine(this.parser.blankLines), { ...problem, facts });
  }

  private stop(line: number, problem: Problem): void {
    this.items.push({ kind: 'unreadable', line, problem });
    this.ended = true;
  }
}

function endsLikeDos({ cells, endsAtEof }: SourceRow): boolean {
  return endsAtEof ? cells.at(-1)!.endsWith(CTRL_Z) : cells.length === 1 && cells[0] === CTRL_Z;
}

/** Behind the last row there is nothing that was not looked at. */
function afterMark({ endsAtEof }: SourceRow): Facts {
  return endsAtEof ? { reading: 'ended' } : {};
}
