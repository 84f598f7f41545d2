import type { ReadItem } from '../../src/cli/csv/source-row.ts';
import type { SourceEncoding } from '../../src/cli/csv/encodings.ts';

/** Why a file could not be read on, as one flat object. */
export function failureOf(end: ReadItem | undefined): object | undefined {
  return end?.kind === 'unreadable'
    ? { line: end.line, code: end.problem.code, ...end.problem.facts }
    : undefined;
}

/** The bytes of a text, found with the decoder of Node. @throws Error when the encoding has no such character */
export function inEncoding(text: string, encoding: SourceEncoding): Buffer {
  if (encoding === 'utf-8' || encoding === 'utf-16le')
    return Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const bytesOf = bytesByCharacter.get(encoding) ?? decodedCharacters(encoding);
  bytesByCharacter.set(encoding, bytesOf);
  // Runs of ASCII and single other characters.
  return Buffer.concat(
    (text.match(/[\0-\x7F]+|[^]/gu) ?? []).map((part) => {
      const bytes = part < '\x80' ? Buffer.from(part) : bytesOf.get(part);
      if (bytes === undefined) throw new Error(`${encoding} has no ${part}`);
      return bytes;
    }),
  );
}

/** The tables that were needed so far. A table takes 25,000 calls of the decoder. */
const bytesByCharacter = new Map<SourceEncoding, ReadonlyMap<string, Buffer>>();

function decodedCharacters(encoding: SourceEncoding): ReadonlyMap<string, Buffer> {
  // Node takes `iso-8859-1` for another name of windows-1252.
  if (encoding === 'iso-8859-1')
    return new Map(Array.from({ length: 256 }, (_, byte) => [String.fromCharCode(byte), Buffer.of(byte)]));
  const decoder = new TextDecoder(encoding);
  const found = new Map<string, Buffer>();
  const add = (bytes: Buffer): void => {
    const text = decoder.decode(bytes);
    if (Array.from(text).length === 1 && !found.has(text)) found.set(text, bytes);
  };
  for (let lead = 0x80; lead < 0x100; lead++) add(Buffer.of(lead));
  for (let lead = 0x80; lead < 0x100; lead++)
    for (let next = 0x40; next < 0x100; next++) add(Buffer.of(lead, next));
  return found;
}
