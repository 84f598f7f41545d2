import { ENCODINGS } from '../csv/encodings.ts';
import { ONE_BYTE_ENCODINGS } from './alphabets.ts';
import { countBetween, type ByteCensus } from './byte-census.ts';
import { characterOf, WordByteCounter, type WordBytes } from './word-bytes.ts';

/** Encodings that text which is no Unicode may be in. */
export const LEGACY_ENCODINGS = [...ONE_BYTE_ENCODINGS, 'shift_jis', 'euc-jp'] as const;
export type LegacyEncoding = (typeof LEGACY_ENCODINGS)[number];

/** A byte that is not ASCII, and what it would be. */
export interface ForeignByte {
  readonly line: number;
  /** Zero-based offset in the file. */
  readonly byte: number;
  /** Hexadecimal. */
  readonly hex: string;
  readonly readings: Readonly<Record<LegacyEncoding, string>>;
}

/** What the bytes are when read in a Japanese encoding. */
export interface JapaneseReading {
  readonly isValid: boolean;
  /** Kana and kanji of full width. */
  readonly characters: number;
  readonly halfWidth: number;
  /** Those of full width that touch a small Latin letter, as they do in European text that is misread. */
  readonly besideLatin: number;
}

/** What there is to say about bytes that are no Unicode. */
export interface LegacyCensus {
  readonly places: readonly ForeignByte[];
  /** Whole UTF-8 sequences of several bytes: many of them mean a file of mixed encodings. */
  readonly utf8Sequences: number;
  /** Bytes 80 to 9F between ASCII letters that are no letter, dash or apostrophe in windows-1252: umlauts of DOS code pages. */
  readonly dosLetters: number;
  readonly japanese: Readonly<Record<'shift_jis' | 'euc-jp', JapaneseReading>>;
  readonly wordBytes: WordBytes;
}

const SEQUENCE =
  /[\u00C2-\u00DF][\u0080-\u00BF]|[\u00E0-\u00EF][\u0080-\u00BF]{2}|[\u00F0-\u00F4][\u0080-\u00BF]{3}/g;
const DOS_LETTER =
  /(?<=[A-Za-z])[\u0080-\u0084\u0086-\u0089\u008B\u008D\u008F-\u0091\u0093-\u0095\u0098\u009B\u009D](?=[A-Za-z])/g;
const FULL_WIDTH = /[\u3040-\u30FF\u3400-\u9FFF々]/gu;
const BESIDE_LATIN = /(?<=[a-z])[\u3040-\u30FF\u3400-\u9FFF々]|[\u3040-\u30FF\u3400-\u9FFF々](?=[a-z])/gu;
const HALF_WIDTH = /[\uFF61-\uFF9F]/g;

const LF = 0x0a;
/** Bytes that are waited for until their line ends. */
const LONGEST_HELD = 1024 * 1024;

/** Takes the bytes of a file that is not UTF-8. */
export class LegacyCounter {
  private readonly places: ForeignByte[] = [];
  private utf8Sequences = 0;
  private dosLetters = 0;
  private held: Buffer = Buffer.alloc(0);
  private line = 1;
  private offset = 0;
  private readonly wordBytes = new WordByteCounter();
  private readonly japanese = { shift_jis: japaneseReader('shift_jis'), 'euc-jp': japaneseReader('euc-jp') };

  accept(chunk: Buffer): void {
    const bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    // In whole lines no character is cut in two, nor what stands beside it.
    const end = bytes.length > LONGEST_HELD ? bytes.length : bytes.lastIndexOf(LF) + 1;
    this.held = Buffer.from(bytes.subarray(end));
    this.take(bytes.subarray(0, end));
  }

  result(): LegacyCensus {
    this.take(this.held);
    this.held = Buffer.alloc(0);
    const { places, utf8Sequences, dosLetters, japanese } = this;
    return {
      places,
      utf8Sequences,
      dosLetters,
      japanese: { shift_jis: japanese.shift_jis.result(), 'euc-jp': japanese['euc-jp'].result() },
      wordBytes: this.wordBytes.result(),
    };
  }

  private take(chunk: Buffer): void {
    if (this.places.length < 3) this.remember(chunk);
    const text = chunk.toString('latin1');
    this.utf8Sequences += countOf(text, SEQUENCE);
    this.dosLetters += countOf(text, DOS_LETTER);
    this.wordBytes.accept(chunk);
    this.japanese.shift_jis.accept(chunk);
    this.japanese['euc-jp'].accept(chunk);
    this.offset += chunk.length;
  }

  /** Of neighbours only the first: in a Japanese encoding the next may be its second half. */
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

/** Bytes that are a character in each of two encodings, but not the same. */
const BYTES_OF_LATIN_9 = bytesWhere((byte) => {
  const [windows, latin9] = [characterOf('windows-1252', byte), characterOf('iso-8859-15', byte)];
  return windows !== '' && latin9 !== '' && windows !== latin9;
});
const UNDEFINED_IN_WINDOWS = bytesWhere((byte) => characterOf('windows-1252', byte) === '');

/** Whether the bytes of a file could be of an encoding with one byte for each character, and why not. */
export function singleByteObjections(census: ByteCensus): {
  readonly windows: number;
  readonly iso: number;
  /** Bytes that windows-1252 and iso-8859-15 read as different characters. */
  readonly latin9: number;
} {
  const of = (bytes: readonly number[]): number =>
    bytes.reduce((total, byte) => total + census.counts[byte]!, 0);
  return {
    windows: of(UNDEFINED_IN_WINDOWS),
    iso: countBetween(census.counts, 0x80, 0x9f),
    latin9: of(BYTES_OF_LATIN_9),
  };
}

function readingsOf(bytes: Buffer): Record<LegacyEncoding, string> {
  const oneByte = ONE_BYTE_ENCODINGS.map((encoding) => [encoding, characterOf(encoding, bytes[0]!)] as const);
  return {
    ...(Object.fromEntries(oneByte) as Record<(typeof ONE_BYTE_ENCODINGS)[number], string>),
    // Half-width kana are one byte, all others two.
    shift_jis: readingOf('shift_jis', bytes.subarray(0, 1)) || readingOf('shift_jis', bytes),
    'euc-jp': readingOf('euc-jp', bytes),
  };
}

/** The text of bytes; empty when they have none. */
function readingOf(encoding: 'shift_jis' | 'euc-jp', bytes: Buffer): string {
  return ENCODINGS[encoding].toUtf8(bytes)?.toString('utf8') ?? '';
}

function bytesWhere(matches: (byte: number) => boolean): readonly number[] {
  return Array.from({ length: 0x80 }, (_, at) => 0x80 + at).filter(matches);
}

function japaneseReader(encoding: 'shift_jis' | 'euc-jp') {
  const { unfinished, toUtf8 } = ENCODINGS[encoding];
  const reading = { isValid: true, characters: 0, halfWidth: 0, besideLatin: 0 };
  let carry: Buffer = Buffer.alloc(0);
  return {
    accept(chunk: Buffer): void {
      if (!reading.isValid) return;
      const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
      const whole = bytes.length - unfinished(bytes);
      carry = Buffer.from(bytes.subarray(whole));
      const text = toUtf8(bytes.subarray(0, whole))?.toString('utf8');
      if (text === undefined) reading.isValid = false;
      else {
        reading.characters += countOf(text, FULL_WIDTH);
        reading.halfWidth += countOf(text, HALF_WIDTH);
        reading.besideLatin += countOf(text, BESIDE_LATIN);
      }
    },
    result: (): JapaneseReading => ({ ...reading, isValid: reading.isValid && carry.length === 0 }),
  };
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (pattern.exec(text) !== null) count++;
  return count;
}
