import type { ByteEncoding } from './byte-encoding.ts';
import { EUC_JP, SHIFT_JIS } from './encoding-japanese.ts';
import { ISO_8859_1, ISO_8859_15, WINDOWS_1252 } from './encoding-one-byte.ts';
import { UTF_16BE, UTF_16LE } from './encoding-utf16.ts';
import { UTF_8 } from './encoding-utf8.ts';
import type { SourceEncoding } from './source-format.ts';

export const ENCODINGS: Readonly<Record<SourceEncoding, ByteEncoding>> = {
  'utf-8': UTF_8,
  'windows-1252': WINDOWS_1252,
  'iso-8859-1': ISO_8859_1,
  'iso-8859-15': ISO_8859_15,
  'utf-16le': UTF_16LE,
  'utf-16be': UTF_16BE,
  shift_jis: SHIFT_JIS,
  'euc-jp': EUC_JP,
};
