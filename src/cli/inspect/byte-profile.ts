import { ENCODINGS } from '../csv/encodings.ts';
import type { Inspection } from './inspection.ts';

/** Byte order marks, longest first: the mark of UTF-32 begins like that of UTF-16. */
const MARKS = [
  { mark: 'utf-32', bytes: [0xff, 0xfe, 0, 0] },
  { mark: 'utf-32', bytes: [0, 0, 0xfe, 0xff] },
  { mark: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { mark: 'utf-16le', bytes: [0xff, 0xfe] },
  { mark: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

const HEAD_BYTES = 512;
const LF = 0x0a;

/** The bytes of a whole file, whatever they mean. Accepts them in order. */
export class ByteProfile {
  bytes = 0;
  /** How often each of the 256 bytes occurs. */
  readonly counts = new Float64Array(256);
  /** NULs at even and odd offsets. Text in UTF-16 has them at one of the two only. */
  readonly nuls = { even: 0, odd: 0 };
  /** The first bytes. */
  head: Buffer = Buffer.alloc(0);
  /** The last bytes, at most four. */
  tail: Buffer = Buffer.alloc(0);
  private badByte: { readonly byte: number; readonly line: number } | undefined;
  /** The beginning of a character that the next bytes complete. */
  private unfinished: Buffer = Buffer.alloc(0);

  accept(chunk: Buffer): void {
    const { counts } = this;
    for (const byte of chunk) counts[byte]!++;
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, at + 1)) {
      if ((this.bytes + at) % 2 === 0) this.nuls.even++;
      else this.nuls.odd++;
    }
    if (!this.badByte) this.checkUtf8(chunk);
    if (this.head.length < HEAD_BYTES) this.head = Buffer.concat([this.head, chunk]).subarray(0, HEAD_BYTES);
    this.tail = Buffer.from(Buffer.concat([this.tail, chunk.subarray(-4)]).subarray(-4));
    this.bytes += chunk.length;
  }

  get mark(): (typeof MARKS)[number]['mark'] | null {
    const found = MARKS.find(({ bytes }) => this.head.subarray(0, bytes.length).equals(Buffer.from(bytes)));
    return found?.mark ?? null;
  }

  /** Where the bytes stop being UTF-8: zero-based offset and one-based line. Null when they are UTF-8 to the end. */
  get notUtf8(): { readonly byte: number; readonly line: number } | null {
    const cutShort = { byte: this.bytes - this.unfinished.length, line: this.counts[LF]! + 1 };
    return this.badByte ?? (this.unfinished.length > 0 ? cutShort : null);
  }

  private checkUtf8(chunk: Buffer): void {
    const { unfinished, toUtf8, wellFormed } = ENCODINGS['utf-8'];
    const bytes = this.unfinished.length === 0 ? chunk : Buffer.concat([this.unfinished, chunk]);
    const whole = bytes.subarray(0, bytes.length - unfinished(bytes));
    // Well-formed bytes pass in one step. Only a piece that is not well-formed is walked through.
    const good = toUtf8(whole) ? whole.length : wellFormed(whole);
    if (good < whole.length) {
      const after = countOf(bytes, LF, good);
      this.badByte = { byte: this.bytes - this.unfinished.length + good, line: this.counts[LF]! - after + 1 };
    }
    this.unfinished = Buffer.from(bytes.subarray(whole.length));
  }
}

/** How many bytes of a range occur, both ends included. */
export function countBetween(counts: Readonly<Float64Array>, from: number, to: number): number {
  return counts.slice(from, to + 1).reduce((total, count) => total + count, 0);
}

function countOf(bytes: Buffer, value: number, from: number): number {
  let count = 0;
  for (let at = bytes.indexOf(value, from); at >= 0; at = bytes.indexOf(value, at + 1)) count++;
  return count;
}

const MAGIC: readonly (readonly [NonNullable<Inspection['binary']>, string])[] = [
  ['zip', 'PK\x03\x04'],
  ['zip', 'PK\x05\x06'],
  ['ole', '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'],
  ['gzip', '\x1F\x8B'],
  ['pdf', '%PDF-'],
];

/** The kind of a file that is no text; null for a file that may be text. `isUtf16`: its NULs are half of characters. */
export function binaryKind(profile: ByteProfile, isUtf16: boolean): Inspection['binary'] {
  if (profile.bytes === 0) return 'empty';
  const head = profile.head.toString('latin1');
  const magic = MAGIC.find(([, bytes]) => head.startsWith(bytes));
  if (magic) return magic[0];
  if (profile.mark !== null || isUtf16) return null;
  // Tab, line ends and 0x1A occur in texts. The other controls together make less than one byte in a hundred.
  const controls =
    countBetween(profile.counts, 0, 8) +
    countBetween(profile.counts, 14, 25) +
    countBetween(profile.counts, 27, 31);
  return controls * 100 > profile.bytes ? 'binary' : null;
}
