import { LF, wellFormed, WholeCharacters } from '../../csv/byte-encoding.ts';
import { ENCODINGS, type SourceEncoding } from '../../csv/encodings.ts';
import type { Problem } from '../../../core/problem.ts';
import {
  BYTE_ORDER_MARKS,
  FILE_KINDS,
  fileKindOf,
  noTable,
  OPENING_BYTES,
  utf16Of,
} from '../../csv/opening.ts';

/** The bytes of a whole file, whatever they mean. Accepts them in order. */
export class ByteProfile {
  bytes = 0;
  /** How often each of the 256 bytes occurs. */
  readonly counts = new Float64Array(256);
  /** The first bytes. */
  head: Buffer = Buffer.alloc(0);
  lastByte: number | undefined;
  private badByte: ByteProfile['notUtf8'] = null;
  private readonly characters = new WholeCharacters(ENCODINGS['utf-8']);

  accept(chunk: Buffer): void {
    if (!this.badByte) this.checkUtf8(chunk);
    for (const byte of chunk) this.counts[byte]!++;
    if (this.head.length < OPENING_BYTES)
      this.head = Buffer.concat([this.head, chunk]).subarray(0, OPENING_BYTES);
    this.lastByte = chunk.at(-1) ?? this.lastByte;
    this.bytes += chunk.length;
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

/** The encoding of the byte order mark at the beginning. */
export function markOf(head: Buffer): SourceEncoding | undefined {
  return BYTE_ORDER_MARKS.find(([, mark]) => head.subarray(0, mark.length).equals(mark))?.[0];
}

/** The byte order marks of UTF-32, of which one begins like that of UTF-16. */
const UTF_32 = [Buffer.from('fffe0000', 'hex'), Buffer.from('0000feff', 'hex')];

/** Why a file is no text; undefined for a file that may be text. */
export function noText(profile: ByteProfile): Problem | undefined {
  if (profile.bytes === 0) return noTable('it is empty', 'Export it again.');
  const kind = fileKindOf(profile.head);
  if (kind) return FILE_KINDS[kind];
  if (UTF_32.some((mark) => profile.head.subarray(0, 4).equals(mark)))
    return noTable('it is UTF-32', 'Type `iconv -f UTF-32 -t UTF-8 FILE > FILE.utf8`.');
  if (markOf(profile.head) ?? utf16Of(profile.head)) return undefined;
  // Tab, line ends and 0x1A occur in texts. The other controls together make less than one byte in a hundred.
  const controls = profile.counts.reduce(
    (sum, count, byte) => (byte < 32 && ![9, 10, 11, 12, 13, 26].includes(byte) ? sum + count : sum),
    0,
  );
  return controls * 100 > profile.bytes ? noTable('it is no text: too many control characters') : undefined;
}
