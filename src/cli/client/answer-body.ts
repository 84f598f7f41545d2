import { brotliDecompressSync, unzipSync, zstdDecompressSync } from 'node:zlib';

/** Longest body that is read, in bytes, packed or not. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** The reason of a body that is longer. */
export const TOO_LONG = 'it is larger than 16 MiB';

/** A body as text. `unreadable`: why it is empty although bytes came. */
export type AnswerBody = { readonly body: string; readonly unreadable?: string };

const LIMIT = { maxOutputLength: MAX_ANSWER_BYTES };

/** Undoes the codings of RFC 9110, 8.4.1. `unzip` knows both of gzip and deflate by their heads. */
const DECODERS: Readonly<Record<string, (bytes: Buffer, limit: typeof LIMIT) => Buffer>> = {
  gzip: unzipSync,
  'x-gzip': unzipSync,
  deflate: unzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** Reads the body of an answer in the form that it has, because a proxy may choose another one than we ask for. */
export function bodyOf(headers: Readonly<Record<string, string>>, chunks: readonly Buffer[]): AnswerBody {
  const bytes = Buffer.concat(chunks);
  const codings = (headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  // A proxy may unpack a body and leave its label. Packed bytes are no UTF-8.
  if (codings.length === 0 || utf8Of(bytes) !== undefined) return textOf(bytes, headers);
  try {
    return textOf(codings.reduceRight(unpacked, bytes), headers);
  } catch (error) {
    const isTooLong = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    return { body: '', unreadable: isTooLong ? TOO_LONG : `it cannot be unpacked (${codings.join(', ')})` };
  }
}

function unpacked(bytes: Buffer, coding: string): Buffer {
  const decode = DECODERS[coding];
  if (!decode) throw new Error('an unknown coding');
  return decode(bytes, LIMIT);
}

/** UTF-8, else what the header says, else Windows-1252, which has ISO-8859-1 in it. A page has no control characters. */
function textOf(bytes: Buffer, headers: Readonly<Record<string, string>>): AnswerBody {
  const named = /;\s*charset="?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1];
  const text = utf8Of(bytes) ?? (named === undefined ? undefined : decoded(bytes, named));
  const guessed = text ?? decoded(bytes, 'windows-1252');
  if (guessed === undefined || (text === undefined && CONTROLS.test(guessed)))
    return { body: '', unreadable: 'it is no text' };
  return { body: guessed };
}

/** UTF-16 with a name of its own may pass for UTF-8 with zeros. */
function utf8Of(bytes: Buffer): string | undefined {
  return bytes.includes(0) ? undefined : decoded(bytes, 'utf-8');
}

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x08\x0e-\x1f]/;

/** Undefined for bytes that the encoding does not have, and for an encoding that is not known. */
function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
