import { WholeCharacters } from '../../csv/byte-encoding.ts';
import { ENCODINGS, type SourceEncoding } from '../../csv/encodings.ts';

/** Longest line that is looked at to its end, in UTF-16 units. The rest of a longer line is left out. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024;

/** How a line ends. The last line may have no end. */
export type LineEnd = '\n' | '\r\n' | '\r' | '';

export interface TextLine {
  /** Without its line end. */
  readonly text: string;
  readonly end: LineEnd;
  /** One-based. */
  readonly number: number;
  /** Whether the rest of the line was left out. */
  readonly isCut: boolean;
}

/** Turns bytes into text for an inspection. Bytes that do not fit become U+FFFD and do not end the reading. */
export type LenientDecoder = { decode(chunk: Buffer): string; end(): string };

/** @param encoding one that fits the file; null for none, then every byte is a character */
export function lenientDecoder(encoding: SourceEncoding | null): LenientDecoder {
  if (encoding === null) return { decode: (chunk) => chunk.toString('latin1'), end: () => '' };
  if (encoding === 'utf-8' || encoding.startsWith('utf-16')) {
    const decoder = new TextDecoder(encoding);
    return { decode: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() };
  }
  const { toUtf8 } = ENCODINGS[encoding];
  const characters = new WholeCharacters(ENCODINGS[encoding]);
  const textOf = (bytes: Buffer): string => toUtf8(bytes)?.toString('utf8') ?? bytes.toString('latin1');
  return { decode: (chunk) => textOf(characters.take(chunk)), end: () => textOf(characters.rest) };
}

/** Cuts text into physical lines. Memory is that of the longest line. */
export class LineCutter {
  /** Whether lines end in CR alone. This needs a file without LF; otherwise a CR by itself is a character like others. */
  private readonly endsInCr: boolean;
  private readonly hasEndMark: boolean;
  private parts: string[] = [];
  private length = 0;
  private isCut = false;
  private carry = '';
  private number = 0;

  /** @param hasEndMark whether the file ends in 0x1A, which is no text */
  constructor(endsInCr: boolean, hasEndMark = false) {
    this.endsInCr = endsInCr;
    this.hasEndMark = hasEndMark;
  }

  *accept(text: string): Generator<TextLine> {
    const whole = this.carry + text;
    // A CR at the end may be half of a CRLF.
    this.carry = whole.endsWith('\r') && !this.endsInCr ? '\r' : '';
    const usable = whole.slice(0, whole.length - this.carry.length);
    const mark = this.endsInCr ? '\r' : '\n';
    let from = 0;
    for (let at = usable.indexOf(mark); at >= 0; at = usable.indexOf(mark, from)) {
      const isCrlf = !this.endsInCr && this.endsWithCr(usable, at, from);
      this.add(usable.slice(from, isCrlf ? at - 1 : at));
      yield this.finish(isCrlf ? '\r\n' : mark);
      from = at + 1;
    }
    this.add(usable.slice(from));
  }

  /** The last line, when the file does not end in a line end. */
  *end(): Generator<TextLine> {
    this.add(this.carry);
    if (this.hasEndMark) this.dropEndMark();
    if (this.length > 0) yield this.finish('');
  }

  private dropEndMark(): void {
    // oxlint-disable-next-line no-control-regex
    const text = this.parts.join('').replace(/\u001A+$/, '');
    this.parts = [text];
    this.length = text.length;
  }

  private endsWithCr(text: string, at: number, from: number): boolean {
    return at > from && text[at - 1] === '\r';
  }

  private add(text: string): void {
    const room = MAX_LINE_LENGTH - this.length;
    if (text.length > room) this.isCut = true;
    if (text.length === 0 || room <= 0) return;
    this.parts.push(text.slice(0, room));
    this.length += Math.min(text.length, room);
  }

  private finish(end: LineEnd): TextLine {
    const text = this.parts.join('');
    const number = ++this.number;
    // A file may begin with more than one byte order mark.
    const line = { text: number === 1 ? text.replace(/^\uFEFF+/, '') : text, end, number, isCut: this.isCut };
    this.parts = [];
    this.length = 0;
    this.isCut = false;
    return line;
  }
}
