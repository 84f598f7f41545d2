import { createHash, hash, type Hash } from 'node:crypto';

/** Bytes that are hashed together. Most accounts have fewer. */
const MOST_WAITING = 4096;

/** A character of a text takes at most so many bytes in UTF-8. */
const BYTES_OF_CHARACTER = 3;

/**
 * SHA-256 over many parts. Few bytes are hashed in one call, because a `Hash` for each account takes more time, and memory that is
 * only collected later.
 */
export class PartsHash {
  private readonly waiting = Buffer.allocUnsafeSlow(MOST_WAITING);
  private used = 0;
  private begun: Hash | undefined;

  add(part: string | Buffer): void {
    const isText = typeof part === 'string';
    const most = isText ? part.length * BYTES_OF_CHARACTER : part.length;
    if (this.used + most > MOST_WAITING) {
      this.begun = this.all();
      this.used = 0;
    }
    if (most > MOST_WAITING) this.begun!.update(part);
    else this.used += isText ? this.waiting.write(part, this.used) : part.copy(this.waiting, this.used);
  }

  /** The hash in hexadecimal. The next part begins another hash. */
  take(): string {
    const digest = this.begun ? this.all().digest('hex') : hash('sha256', this.bytes());
    this.begun = undefined;
    this.used = 0;
    return digest;
  }

  private all(): Hash {
    return (this.begun ?? createHash('sha256')).update(this.bytes());
  }

  private bytes(): Buffer {
    return this.waiting.subarray(0, this.used);
  }
}
