/** Bits of a hash below the 32 highest ones. Together they are as many as a number keeps exactly. */
const LOW_BITS = 21;

/**
 * A hash of one or more texts, as a whole number of 53 bits. Equal texts have equal hashes. The next hash takes the place of the
 * last one, so that no object is made for each of many million texts.
 */
export class TextHash {
  private low = 0;
  private high = 0;

  get value(): number {
    return this.high * 2 ** LOW_BITS + (this.low >>> (32 - LOW_BITS));
  }

  /** Begins a hash. `kind`: a small number that keeps texts of different kinds apart. */
  of(text: string, kind = 0): this {
    this.low = 0x9e3779b9 ^ kind;
    this.high = 0x85ebca6b;
    return this.and(text);
  }

  /** Goes on with another text. */
  and(text: string): this {
    let a = this.low ^ text.length;
    let b = this.high;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 0x9e3779b1);
      b = Math.imul(b ^ code, 0x5f356495);
      b ^= b >>> 15;
    }
    a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
    b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
    this.low = a >>> 0;
    this.high = b >>> 0;
    return this;
  }
}
