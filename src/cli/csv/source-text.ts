import { failure, type Problem } from '../../core/problem.ts';
import { CR, indexOfUnit, LF, NOTHING, wellFormed, WholeCharacters } from './byte-encoding.ts';
import { ENCODINGS, type SourceEncoding } from './encodings.ts';
import { OPENING_BYTES, openingOf, textOpeningProblem } from './opening.ts';
import { OffsetMap } from './row-position.ts';
import type { SourceFormat } from './source-format.ts';

/** A part of the text as UTF-8, and the problem that ends the text behind it, if there is one. */
export interface TextPart {
  readonly utf8: Buffer;
  readonly stop: { readonly line: number; readonly problem: Problem } | undefined;
}

/**
 * Decodes a file strictly. The text ends before the first byte that is no character of the encoding, and before NUL. A byte
 * order mark is left out. A byte order mark that contradicts the encoding ends the text at once.
 */
export class SourceText {
  /** From offsets in the text to offsets in the file; exact at line ends and at the end. */
  offsets: OffsetMap;
  private readonly name: SourceEncoding;
  private readonly encoding: (typeof ENCODINGS)[SourceEncoding];
  private readonly expectsHeader: boolean;
  /** Bytes that wait until the beginning of the file can be checked; null once it was checked. */
  private waiting: Buffer | null = NOTHING;
  private readonly characters: WholeCharacters;
  /** Bytes of the file, and of the text, so far. */
  private source = 0;
  private text = 0;
  private line = 1;
  /** Whether the text ended with a CR, so that an LF ends no other line. */
  private afterCr = false;

  constructor({ isJsonLines, encoding, skipLines, untilHeader, fixed }: SourceFormat) {
    this.name = encoding;
    this.encoding = ENCODINGS[encoding];
    this.characters = new WholeCharacters(this.encoding);
    this.expectsHeader = !isJsonLines && skipLines === 0 && untilHeader === null && fixed === null;
    this.offsets = new OffsetMap(this.encoding.unit, 0);
  }

  /** Accepts the next bytes of the file. */
  accept(chunk: Buffer): readonly TextPart[] {
    if (this.waiting === null) return [this.decode(this.characters.take(chunk))];
    this.waiting = Buffer.concat([this.waiting, chunk]);
    return this.waiting.length < OPENING_BYTES ? [] : this.open(this.waiting);
  }

  /** Ends the file. No character may be unfinished there. */
  end(): readonly TextPart[] {
    const parts = this.waiting === null ? [] : this.open(this.waiting);
    return parts.some(({ stop }) => stop) ? parts : [...parts, this.decode(this.characters.rest)];
  }

  private open(bytes: Buffer): readonly TextPart[] {
    this.waiting = null;
    const opening = bytes.subarray(0, OPENING_BYTES);
    const { bomBytes, problem = this.headerProblem(opening.subarray(bomBytes)) } = openingOf(
      opening,
      this.name,
    );
    if (problem) return [{ utf8: NOTHING, stop: { line: 1, problem } }];
    this.source = bomBytes;
    this.offsets = new OffsetMap(this.encoding.unit, bomBytes);
    return [this.decode(this.characters.take(bytes.subarray(bomBytes)))];
  }

  private headerProblem(bytes: Buffer): Problem | undefined {
    if (!this.expectsHeader) return undefined;
    const text = this.encoding.toUtf8(bytes.subarray(0, wellFormed(bytes, this.encoding)));
    return textOpeningProblem((text ?? NOTHING).toString());
  }

  private decode(bytes: Buffer): TextPart {
    const nul = indexOfUnit(bytes, 0, this.encoding);
    const given = nul < 0 ? bytes : bytes.subarray(0, nul);
    let code: 'encoding_invalid' | 'nul_byte' | undefined = nul < 0 ? undefined : 'nul_byte';
    let good = given;
    let utf8 = this.encoding.toUtf8(given);
    if (utf8 === undefined) {
      code = 'encoding_invalid';
      good = given.subarray(0, wellFormed(given, this.encoding));
      utf8 = this.encoding.toUtf8(good) ?? NOTHING;
    }
    if (utf8 !== good) this.markLineEnds(good, utf8);
    this.source += good.length;
    this.text += utf8.length;
    this.countLines(utf8);
    if (code === undefined) return { utf8, stop: undefined };
    const problem = failure(code, [], { byte: this.source, encoding: this.name });
    return { utf8, stop: { line: this.line, problem } };
  }

  /** The text has as many CR and LF as the bytes, and in the same order. */
  private markLineEnds(bytes: Buffer, utf8: Buffer): void {
    let source = 0;
    for (let at = 0; at < utf8.length; at++) {
      const byte = utf8[at]!;
      if (byte !== LF && byte !== CR) continue;
      source = indexOfUnit(bytes, byte, this.encoding, source) + this.encoding.unit;
      this.offsets.mark(this.text + at + 1, this.source + source);
    }
    this.offsets.mark(this.text + utf8.length, this.source + bytes.length);
  }

  /** An LF ends a line, unless it is the second half of a CRLF. A CRLF may be cut in two by parts. */
  private countLines(utf8: Buffer): void {
    for (let at = utf8.indexOf(LF); at >= 0; at = utf8.indexOf(LF, at + 1))
      if (at === 0 ? !this.afterCr : utf8[at - 1] !== CR) this.line++;
    for (let at = utf8.indexOf(CR); at >= 0; at = utf8.indexOf(CR, at + 1)) this.line++;
    if (utf8.length > 0) this.afterCr = utf8.at(-1) === CR;
  }
}
