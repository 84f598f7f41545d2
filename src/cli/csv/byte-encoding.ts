export const LF = 0x0a;
export const CR = 0x0d;
export const NOTHING: Buffer = Buffer.alloc(0);

/**
 * How the bytes of an encoding become text. In all encodings here CR, LF and NUL are one unit of bytes that occurs inside
 * no other character.
 */
export interface ByteEncoding {
  /** Bytes of a character of ASCII. */
  readonly unit: 1 | 2;
  /** Which byte of the unit has the character of ASCII; the other one is zero. */
  readonly low: 0 | 1;
  /** How many bytes at the end may begin a character that later bytes complete. */
  unfinished(bytes: Buffer): number;
  /** The text as UTF-8; undefined when some byte belongs to no character. */
  toUtf8(bytes: Buffer): Buffer | undefined;
}

/** Length of the longest beginning that is whole characters. Halves the bytes until it has found the first bad one. */
export function wellFormed(bytes: Buffer, encoding: ByteEncoding): number {
  const whole = (length: number): Buffer => {
    const beginning = bytes.subarray(0, length);
    return beginning.subarray(0, length - encoding.unfinished(beginning));
  };
  if (encoding.toUtf8(whole(bytes.length))) return whole(bytes.length).length;
  let [good, most] = [0, bytes.length];
  while (good < most) {
    const half = Math.ceil((good + most) / 2);
    if (encoding.toUtf8(whole(half))) good = half;
    else most = half - 1;
  }
  return whole(good).length;
}

/** Cuts bytes that come in pieces after their last whole character. */
export class WholeCharacters {
  /** The beginning of a character that the next piece completes. */
  rest = NOTHING;
  private readonly encoding: ByteEncoding;

  constructor(encoding: ByteEncoding) {
    this.encoding = encoding;
  }

  /** The characters that the piece completes. */
  take(chunk: Buffer): Buffer {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const whole = bytes.length - this.encoding.unfinished(bytes);
    this.rest = Buffer.from(bytes.subarray(whole));
    return bytes.subarray(0, whole);
  }
}

/** Where a character of ASCII begins at or after `from`; -1 when it does not occur. */
export function indexOfUnit(bytes: Buffer, value: number, encoding: ByteEncoding, from = 0): number {
  if (encoding.unit === 1) return bytes.indexOf(value, from);
  const { low } = encoding;
  for (let at = from; at + 1 < bytes.length; at += 2) {
    if (bytes[at + low] === value && bytes[at + 1 - low] === 0) return at;
  }
  return -1;
}
