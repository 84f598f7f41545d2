import { LF, WholeCharacters } from '../../csv/byte-encoding.ts';
import { ENCODINGS } from '../../csv/encodings.ts';
import { ONE_BYTE_ENCODINGS } from './alphabets.ts';
import type { ForeignByte } from '../inspection.ts';
import { characterOf, WordByteCounter } from './word-bytes.ts';

const JAPANESE_ENCODINGS = ['shift_jis', 'euc-jp'] as const;
type JapaneseEncoding = (typeof JAPANESE_ENCODINGS)[number];

/** Encodings that a text may be in which is not Unicode. */
export const LEGACY_ENCODINGS = [...ONE_BYTE_ENCODINGS, ...JAPANESE_ENCODINGS] as const;
export type LegacyEncoding = (typeof LEGACY_ENCODINGS)[number];

const SEQUENCE =
  /[\u00C2-\u00DF][\u0080-\u00BF]|[\u00E0-\u00EF][\u0080-\u00BF]{2}|[\u00F0-\u00F4][\u0080-\u00BF]{3}/g;
const DOS_LETTER =
  /(?<=[A-Za-z])[\u0080-\u0084\u0086-\u0089\u008B\u008D\u008F-\u0091\u0093-\u0095\u0098\u009B\u009D](?=[A-Za-z])/g;
const FULL_WIDTH = /[\u3040-\u30FF\u3400-\u9FFF々]/gu;
const BESIDE_LATIN = /(?<=[a-z])[\u3040-\u30FF\u3400-\u9FFF々]|[\u3040-\u30FF\u3400-\u9FFF々](?=[a-z])/gu;
const HALF_WIDTH = /[\uFF61-\uFF9F]/g;

/** Bytes that wait for the end of their line, at most. */
const LONGEST_WAITING = 1024 * 1024;

/** The bytes of a file that is not Unicode. Accepts them in order. */
export class LegacyProfile {
  /** The first characters beyond ASCII. */
  readonly places: ForeignByte[] = [];
  /** Whole UTF-8 sequences of several bytes. Many of them mean a file of mixed encodings. */
  utf8Sequences = 0;
  /** Bytes 80 to 9F between ASCII letters that are no letter, dash or apostrophe in windows-1252: umlauts of DOS code pages. */
  dosLetters = 0;
  readonly japanese = {
    shift_jis: new JapaneseProfile('shift_jis'),
    'euc-jp': new JapaneseProfile('euc-jp'),
  };
  readonly words = new WordByteCounter();
  private waiting: Buffer = Buffer.alloc(0);
  private line = 1;
  private offset = 0;

  accept(chunk: Buffer): void {
    const bytes = this.waiting.length === 0 ? chunk : Buffer.concat([this.waiting, chunk]);
    // Whole lines keep every character and its neighbours together.
    const end = bytes.length > LONGEST_WAITING ? bytes.length : bytes.lastIndexOf(LF) + 1;
    this.waiting = Buffer.from(bytes.subarray(end));
    this.count(bytes.subarray(0, end));
  }

  /** Ends the file, whose last line may have no end. */
  end(): void {
    this.count(this.waiting);
  }

  private count(chunk: Buffer): void {
    if (this.places.length < 3) this.remember(chunk);
    const text = chunk.toString('latin1');
    this.utf8Sequences += countOf(text, SEQUENCE);
    this.dosLetters += countOf(text, DOS_LETTER);
    this.words.accept(chunk);
    this.japanese.shift_jis.accept(chunk);
    this.japanese['euc-jp'].accept(chunk);
    this.offset += chunk.length;
  }

  /** Remembers the first of neighbouring bytes. In a Japanese encoding the next byte may be its second half. */
  private remember(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.places.length < 3; at++) {
      const byte = chunk[at]!;
      if (byte === LF) this.line++;
      if (byte < 0x80 || (at > 0 && chunk[at - 1]! >= 0x80)) continue;
      this.places.push({
        line: this.line,
        byte: this.offset + at,
        hex: byte.toString(16).toUpperCase(),
        readings: readingsOf(chunk.subarray(at, at + 2)),
      });
    }
  }
}

function readingsOf(bytes: Buffer): ForeignByte['readings'] {
  return {
    ...Object.fromEntries(ONE_BYTE_ENCODINGS.map((encoding) => [encoding, characterOf(encoding, bytes[0]!)])),
    // Half-width kana are one byte, all others two.
    shift_jis: japaneseText('shift_jis', bytes.subarray(0, 1)) || japaneseText('shift_jis', bytes),
    'euc-jp': japaneseText('euc-jp', bytes),
  };
}

/** The text of bytes; empty when they have none. */
function japaneseText(encoding: JapaneseEncoding, bytes: Buffer): string {
  return ENCODINGS[encoding].toUtf8(bytes)?.toString('utf8') ?? '';
}

/** The text of a file, read in a Japanese encoding. */
export class JapaneseProfile {
  /** Kana and kanji of full width. */
  characters = 0;
  halfWidth = 0;
  /** Kana and kanji of full width beside a small Latin letter, as they occur in European text that is misread. */
  besideLatin = 0;
  private readonly encoding: JapaneseEncoding;
  private hasBadByte = false;
  private readonly pieces: WholeCharacters;

  constructor(encoding: JapaneseEncoding) {
    this.encoding = encoding;
    this.pieces = new WholeCharacters(ENCODINGS[encoding]);
  }

  get isValid(): boolean {
    return !this.hasBadByte && this.pieces.rest.length === 0;
  }

  accept(chunk: Buffer): void {
    if (this.hasBadByte) return;
    const text = ENCODINGS[this.encoding].toUtf8(this.pieces.take(chunk))?.toString('utf8');
    if (text === undefined) this.hasBadByte = true;
    else {
      this.characters += countOf(text, FULL_WIDTH);
      this.halfWidth += countOf(text, HALF_WIDTH);
      this.besideLatin += countOf(text, BESIDE_LATIN);
    }
  }
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (pattern.exec(text) !== null) count++;
  return count;
}
