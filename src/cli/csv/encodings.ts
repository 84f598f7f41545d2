import { isUtf8 } from 'node:buffer';
import type { ByteEncoding } from './byte-encoding.ts';

/** Refuses bytes that are no UTF-8. A lenient decoder would turn them into U+FFFD and send that to the platform. */
const UTF_8: ByteEncoding = {
  unit: 1,
  low: 0,
  unfinished(bytes) {
    for (let back = 1; back <= Math.min(3, bytes.length); back++) {
      const byte = bytes[bytes.length - back]!;
      if (byte < 0x80) return 0;
      if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    }
    return 0;
  },
  toUtf8: (bytes) => (isUtf8(bytes) ? bytes : undefined),
};

/** Two or four bytes a character, whose low byte comes first (0) or second (1). Half of a surrogate pair is no character. */
function utf16(low: 0 | 1): ByteEncoding {
  return {
    unit: 2,
    low,
    unfinished(bytes) {
      const odd = bytes.length % 2;
      const last = bytes.length - odd - 2;
      return last >= 0 && (bytes[last + 1 - low]! & 0xfc) === 0xd8 ? odd + 2 : odd;
    },
    toUtf8(bytes) {
      if (bytes.length % 2 > 0) return undefined;
      const text = (low === 0 ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
      return text.isWellFormed() ? Buffer.from(text) : undefined;
    },
  };
}

/** Node's decoders turn a byte that has no character into a control character, or into one of these private characters. */
const NO_CHARACTER = /[\x80-\x9F\uF8C0-\uF8FE]/;

/** How many bytes a character has that begins with these two. */
type CharacterBytes = (lead: number, next: number) => number;

/** An encoding that is not Unicode. `characterBytes`: for one in which a character may have several bytes. */
function legacy(textOf: (bytes: Buffer) => string, characterBytes?: CharacterBytes): ByteEncoding {
  return {
    unit: 1,
    low: 0,
    unfinished(bytes) {
      if (!characterBytes) return 0;
      // A byte below 0x30 is always a character of its own, so counting may begin there.
      let at = bytes.findLastIndex((byte) => byte < 0x30) + 1;
      while (at < bytes.length) {
        const next = at + characterBytes(bytes[at]!, bytes[at + 1] ?? 0);
        if (next > bytes.length) break;
        at = next;
      }
      return bytes.length - at;
    },
    toUtf8(bytes) {
      try {
        const text = textOf(bytes);
        return NO_CHARACTER.test(text) ? undefined : Buffer.from(text);
      } catch (error) {
        if (error instanceof TypeError) return undefined;
        throw error;
      }
    },
  };
}

/** Some versions of Node exchange these control characters in some encodings, as code pages of IBM do. */
const EXCHANGED: Readonly<Record<string, string>> = { '\x1C': '\x1A', '\x7F': '\x1C', '\x1A': '\x7F' };
// oxlint-disable-next-line no-control-regex
const MAY_BE_EXCHANGED = /[\x1A\x1C\x7F]/;

/** An encoding that Node's decoder reads. */
function decoded(label: string, characterBytes?: CharacterBytes): ByteEncoding {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const decode = (bytes: Buffer): string =>
    (decoder ??= new TextDecoder(label, { fatal: true, ignoreBOM: true })).decode(bytes);
  const textOf = (bytes: Buffer): string => {
    const text = decode(bytes);
    return MAY_BE_EXCHANGED.test(text) && decode(Buffer.of(0x1a)) !== '\x1A'
      ? Array.from(text, (character) => EXCHANGED[character] ?? character).join('')
      : text;
  };
  return legacy(textOf, characterBytes);
}

/** Bytes 80 to 9F of Windows-1252. The five undefined bytes are spaces here. Source: unicode.org, CP1252.TXT. */
const CP1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

// Decoders take ISO 8859-1 for another name of Windows-1252, and Node 22 reads both wrongly, so these two are decoded here.
const latin1 = (bytes: Buffer): string => bytes.toString('latin1');
const windows1252 = (bytes: Buffer): string =>
  latin1(bytes).replaceAll(/[\x80-\x9F]/g, (byte) => CP1252[byte.charCodeAt(0) - 0x80]!.replace(' ', byte));

/** Encodings that can be named, by the names of the Encoding Standard. Each is read strictly, byte by byte. The usual ones come first. */
export const ENCODINGS = {
  'utf-8': UTF_8,
  'utf-16le': utf16(0),
  'utf-16be': utf16(1),
  'windows-1252': legacy(windows1252),
  'windows-1250': decoded('windows-1250'),
  'iso-8859-1': legacy(latin1),
  'iso-8859-15': decoded('iso-8859-15'),
  'iso-8859-2': decoded('iso-8859-2'),
  'windows-1254': decoded('windows-1254'),
  'windows-1257': decoded('windows-1257'),
  macintosh: decoded('macintosh'),
  'windows-1251': decoded('windows-1251'),
  'windows-1255': decoded('windows-1255'),
  'koi8-r': decoded('koi8-r'),
  'windows-1253': decoded('windows-1253'),
  'windows-1256': decoded('windows-1256'),
  'windows-874': decoded('windows-874'),
  'windows-1258': decoded('windows-1258'),
  ibm866: decoded('ibm866'),
  'koi8-u': decoded('koi8-u'),
  'iso-8859-5': decoded('iso-8859-5'),
  'iso-8859-7': decoded('iso-8859-7'),
  shift_jis: decoded('shift_jis', (lead) => ((lead > 0x80 && lead < 0xa0) || lead >= 0xe0 ? 2 : 1)),
  'euc-jp': decoded('euc-jp', (lead) => (lead === 0x8f ? 3 : lead === 0x8e || lead > 0xa0 ? 2 : 1)),
  'euc-kr': decoded('euc-kr', (lead) => (lead < 0xa1 ? 1 : 2)),
  // Node reads the characters of four bytes of GB 18030, too. Their second byte is a digit.
  gbk: decoded('gbk', (lead, next) => (lead < 0x81 ? 1 : next >= 0x30 && next <= 0x39 ? 4 : 2)),
  big5: decoded('big5', (lead) => (lead < 0x81 ? 1 : 2)),
} as const satisfies Readonly<Record<string, ByteEncoding>>;

export type SourceEncoding = keyof typeof ENCODINGS;
export const SOURCE_ENCODINGS = Object.keys(ENCODINGS) as [SourceEncoding, ...SourceEncoding[]];
