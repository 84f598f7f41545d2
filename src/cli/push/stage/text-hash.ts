/**
 * A hash of 64 bits of one or more texts, as two numbers of 32 bits. Equal texts have equal hashes. The next hash takes the
 * place of the last one, so that no object is made for each of many million texts.
 */
export class TextHash {
  low = 0;
  high = 0;

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

/** A set of hashes in one block of memory: 16 to 32 bytes for each hash. */
export class HashSet {
  size = 0;
  private slots = new Uint32Array(2 * 1024);

  /** Adds a hash. Returns whether it is new. */
  add({ low, high }: Pick<TextHash, 'low' | 'high'>): boolean {
    // An empty slot has two zeros, so this one hash shares its place with another.
    const first = low === 0 && high === 0 ? 1 : low;
    if (!put(this.slots, first, high)) return false;
    this.size++;
    if (this.size * 4 > this.slots.length) this.grow();
    return true;
  }

  private grow(): void {
    const larger = new Uint32Array(this.slots.length * 2);
    for (let at = 0; at < this.slots.length; at += 2) {
      const [low, high] = [this.slots[at]!, this.slots[at + 1]!];
      if (low !== 0 || high !== 0) put(larger, low, high);
    }
    this.slots = larger;
  }
}

function put(slots: Uint32Array, low: number, high: number): boolean {
  const last = slots.length - 1;
  for (let at = (low * 2) & last; ; at = (at + 2) & last) {
    if (slots[at] === low && slots[at + 1] === high) return false;
    if (slots[at] === 0 && slots[at + 1] === 0) {
      slots[at] = low;
      slots[at + 1] = high;
      return true;
    }
  }
}
