import type { ReadItem } from '../../src/cli/csv/source-row.ts';
import type { SourceEncoding } from '../../src/cli/csv/source-format.ts';

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
  const bytesOf = bytesByCharacter(encoding);
  return Buffer.concat(
    Array.from(text, (character) => {
      const bytes = character < '\x80' ? Buffer.from(character) : bytesOf.get(character);
      if (bytes === undefined) throw new Error(`${encoding} has no ${character}`);
      return bytes;
    }),
  );
}

function bytesByCharacter(encoding: SourceEncoding): ReadonlyMap<string, Buffer> {
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
