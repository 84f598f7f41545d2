import type { ByteEncoding } from './byte-encoding.ts';
import { JAPANESE_ENCODINGS } from './encoding-japanese.ts';
import { ONE_BYTE_ENCODINGS } from './encoding-one-byte.ts';
import { UNICODE_ENCODINGS } from './encoding-unicode.ts';
import type { SourceEncoding } from './source-format.ts';

export const ENCODINGS: Readonly<Record<SourceEncoding, ByteEncoding>> = {
  ...UNICODE_ENCODINGS,
  ...ONE_BYTE_ENCODINGS,
  ...JAPANESE_ENCODINGS,
};
