import type { ByteEncoding } from './byte-encoding.ts';
import { EUC_JP, SHIFT_JIS } from './encoding-japanese.ts';
import {
  ISO_8859_1,
  ISO_8859_15,
  ISO_8859_2,
  MACINTOSH,
  WINDOWS_1250,
  WINDOWS_1251,
  WINDOWS_1252,
  WINDOWS_1253,
  WINDOWS_1254,
  WINDOWS_1257,
} from './encoding-one-byte.ts';
import { UTF_16BE, UTF_16LE, UTF_8 } from './encoding-unicode.ts';
import type { SourceEncoding } from './source-format.ts';

export const ENCODINGS: Readonly<Record<SourceEncoding, ByteEncoding>> = {
  'utf-8': UTF_8,
  'windows-1252': WINDOWS_1252,
  'iso-8859-1': ISO_8859_1,
  'iso-8859-15': ISO_8859_15,
  'windows-1250': WINDOWS_1250,
  'iso-8859-2': ISO_8859_2,
  'windows-1251': WINDOWS_1251,
  'windows-1253': WINDOWS_1253,
  'windows-1254': WINDOWS_1254,
  'windows-1257': WINDOWS_1257,
  macintosh: MACINTOSH,
  'utf-16le': UTF_16LE,
  'utf-16be': UTF_16BE,
  shift_jis: SHIFT_JIS,
  'euc-jp': EUC_JP,
};
