/** Size of the pieces that lines are put together to, in UTF-16 units: larger ones do not make it faster. */
const CHUNK_LENGTH = 64 * 1024;

/** A body of one JSON document a line, made while it is sent; so its length does not matter. */
export class NdJson {
  readonly #lines: Iterable<string>;

  constructor(lines: Iterable<string>) {
    this.#lines = lines;
  }

  *chunks(): Generator<string> {
    let chunk = '';
    for (const line of this.#lines) {
      chunk += `${line}\n`;
      if (chunk.length < CHUNK_LENGTH) continue;
      yield chunk;
      chunk = '';
    }
    if (chunk !== '') yield chunk;
  }
}
