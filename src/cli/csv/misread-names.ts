import { isUtf8 } from 'node:buffer';
import { ENCODINGS } from './encodings.ts';
import { ONE_BYTE_ENCODINGS } from './encoding-one-byte.ts';
import type { SourceEncoding } from './source-format.ts';

/** Encodings whose bytes another encoding reads without an error, the most frequent first. */
const POSSIBLE = [
  'utf-8',
  ...(Object.keys(ONE_BYTE_ENCODINGS) as (keyof typeof ONE_BYTE_ENCODINGS)[]),
] as const;

/**
 * The encoding in which a file has the name of a column. `found`: the names as the file was read, in the encoding `wrong`.
 * Undefined when none of them is the name in another encoding.
 */
export function encodingOfName(
  name: string,
  found: readonly string[],
  wrong: SourceEncoding,
): SourceEncoding | undefined {
  if (wrong === 'utf-16le' || wrong === 'utf-16be') {
    const bytes = bytesOfUtf16(found, wrong);
    // Text that is UTF-16 has a NUL beside each character of ASCII, and is hardly ever UTF-8, too.
    return isUtf8(bytes) && !bytes.includes(0) && bytes.includes(Buffer.from(name)) ? 'utf-8' : undefined;
  }
  if (!/[^\0-\x7F]/.test(name)) return undefined;
  return POSSIBLE.find((encoding) => {
    const bytes = encoding === wrong ? undefined : bytesIn(name, encoding);
    const misread = bytes && ENCODINGS[wrong].toUtf8(bytes)?.toString();
    return misread !== undefined && found.includes(misread);
  });
}

/** The bytes of names that were read as UTF-16, which reads two bytes of other text as one character. */
function bytesOfUtf16(names: readonly string[], order: 'utf-16le' | 'utf-16be'): Buffer {
  const bytes = Buffer.from(names.join(''), 'utf16le');
  return order === 'utf-16le' ? bytes : bytes.swap16();
}

/** The bytes of a text; undefined when the encoding does not have one of its characters. */
function bytesIn(text: string, encoding: (typeof POSSIBLE)[number]): Buffer | undefined {
  if (encoding === 'utf-8') return Buffer.from(text);
  const { toUtf8 } = ONE_BYTE_ENCODINGS[encoding];
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [toUtf8(Buffer.of(byte))?.toString(), byte] as const),
  );
  const all = Array.from(text, (character) => bytes.get(character));
  return all.every((byte) => byte !== undefined) ? Buffer.from(all) : undefined;
}
