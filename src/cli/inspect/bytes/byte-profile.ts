import { LF, wellFormed, WholeCharacters } from '../../csv/byte-encoding.ts';
import { ENCODINGS } from '../../csv/encodings.ts';
import type { Problem } from '../../../core/problem.ts';
import { FILE_KINDS, fileKindOf, noTable } from '../../csv/opening.ts';

/** Byte order marks, longest first: the mark of UTF-32 begins like that of UTF-16. */
const MARKS = [
  { mark: 'utf-32', bytes: [0xff, 0xfe, 0, 0] },
  { mark: 'utf-32', bytes: [0, 0, 0xfe, 0xff] },
  { mark: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { mark: 'utf-16le', bytes: [0xff, 0xfe] },
  { mark: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

const HEAD_BYTES = 512;

/** The bytes of a whole file, whatever they mean. Accepts them in order. */
export class ByteProfile {
  bytes = 0;
  /** How often each of the 256 bytes occurs. */
  readonly counts = new Float64Array(256);
  /** NULs at even and odd offsets. */
  readonly nuls: [even: number, odd: number] = [0, 0];
  /** The first bytes. */
  head: Buffer = Buffer.alloc(0);
  lastByte: number | undefined;
  private badByte: ByteProfile['notUtf8'] = null;
  private readonly characters = new WholeCharacters(ENCODINGS['utf-8']);

  accept(chunk: Buffer): void {
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, at + 1))
      this.nuls[(this.bytes + at) % 2 === 0 ? 0 : 1]++;
    if (!this.badByte) this.checkUtf8(chunk);
    for (const byte of chunk) this.counts[byte]!++;
    if (this.head.length < HEAD_BYTES) this.head = Buffer.concat([this.head, chunk]).subarray(0, HEAD_BYTES);
    this.lastByte = chunk.at(-1) ?? this.lastByte;
    this.bytes += chunk.length;
  }

  get mark(): (typeof MARKS)[number]['mark'] | null {
    const found = MARKS.find(({ bytes }) => this.head.subarray(0, bytes.length).equals(Buffer.from(bytes)));
    return found?.mark ?? null;
  }

  /** Whether at least every fifth byte is NUL and nearly all are on the same side of a pair, as in UTF-16 of western text. */
  get hasUtf16Nuls(): boolean {
    const nuls = this.nuls[0] + this.nuls[1];
    return this.bytes > 1 && nuls * 5 >= this.bytes && Math.max(...this.nuls) >= nuls * 0.95;
  }

  /** Where the bytes stop being UTF-8: zero-based offset and one-based line. Null when they are UTF-8 to the end. */
  get notUtf8(): { byte: number; line: number } | null {
    const { rest } = this.characters;
    const cutShort = { byte: this.bytes - rest.length, line: this.counts[LF]! + 1 };
    return this.badByte ?? (rest.length > 0 ? cutShort : null);
  }

  private checkUtf8(chunk: Buffer): void {
    const before = this.characters.rest.length;
    const whole = this.characters.take(chunk);
    const good = wellFormed(whole, ENCODINGS['utf-8']);
    if (good === whole.length) return;
    const line = this.counts[LF]! + whole.subarray(0, good).filter((byte) => byte === LF).length + 1;
    this.badByte = { byte: this.bytes - before + good, line };
  }
}

/** How many bytes of a range occur, both ends included. */
export function countBetween(counts: Readonly<Float64Array>, from: number, to: number): number {
  return counts.slice(from, to + 1).reduce((total, count) => total + count, 0);
}

/** Why a file is no text; undefined for a file that may be text. */
export function noText(profile: ByteProfile): Problem | undefined {
  if (profile.bytes === 0) return noTable('it is empty', 'Export it again.');
  const kind = fileKindOf(profile.head);
  if (kind) return FILE_KINDS[kind];
  if (profile.mark === 'utf-32')
    return noTable('it is UTF-32', 'Type `iconv -f UTF-32 -t UTF-8 FILE > FILE.utf8`.');
  if (profile.mark !== null || profile.hasUtf16Nuls) return undefined;
  // Tab, line ends and 0x1A occur in texts. The other controls together make less than one byte in a hundred.
  const controls =
    countBetween(profile.counts, 0, 8) +
    countBetween(profile.counts, 14, 25) +
    countBetween(profile.counts, 27, 31);
  return controls * 100 > profile.bytes ? noTable('it is no text: too many control characters') : undefined;
}
