import { ENCODINGS, SOURCE_ENCODINGS, type SourceEncoding } from './encodings.ts';

/**
 * The encoding in which a file has the name of a column. `found`: the names as the file was read, in the encoding `wrong`.
 * Undefined when none of them is the name in another encoding.
 */
export function encodingOfName(
  name: string,
  found: readonly string[],
  wrong: SourceEncoding,
): SourceEncoding | undefined {
  if (!/[^\0-\x7F]/.test(name)) return undefined;
  const every = Array.from({ length: 256 }, (_, byte) => Buffer.of(byte));
  const bytes = new Map(every.map((byte) => [ENCODINGS[wrong].toUtf8(byte)?.toString(), byte[0]!]));
  const written = found.map((text) =>
    Buffer.from(Array.from(text, (character) => bytes.get(character) ?? 0)),
  );
  return SOURCE_ENCODINGS.find((encoding) =>
    written.some((each) => ENCODINGS[encoding].toUtf8(each)?.toString() === name),
  );
}
