import type { ByteEncoding } from './byte-encoding.ts';

/** Bytes 80 to 9F. The five undefined bytes are spaces here. Source: unicode.org, CP1252.TXT. */
const CP1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** The bytes that ISO 8859-15 reads differently from ISO 8859-1. */
const LATIN_9: Readonly<Record<string, string>> = {
  '\xA4': '€',
  '\xA6': 'Š',
  '\xA8': 'š',
  '\xB4': 'Ž',
  '\xB8': 'ž',
  '\xBC': 'Œ',
  '\xBD': 'œ',
  '\xBE': 'Ÿ',
};

/** Bytes 80 to 9F are control characters in ISO 8859, which no text has. A text with these bytes is Windows-1252. */
const CONTROL_CHARACTER = /[\x80-\x9F]/;

export const ONE_BYTE_ENCODINGS = {
  // Node's decoder takes the names of ISO 8859-1 for Windows-1252, and reports no error, so these three are decoded here.
  'windows-1252': oneByte(/[\x81\x8D\x8F\x90\x9D]/, (text) =>
    text.replaceAll(/[\x80-\x9F]/g, (byte) => CP1252[byte.charCodeAt(0) - 0x80]!),
  ),
  'iso-8859-1': oneByte(CONTROL_CHARACTER, (text) => text),
  'iso-8859-15': oneByte(CONTROL_CHARACTER, (text) =>
    text.replaceAll(/[\xA4\xA6\xA8\xB4\xB8\xBC\xBD\xBE]/g, (byte) => LATIN_9[byte]!),
  ),
  // The bytes that are no character come from the tables at unicode.org (VENDORS/MICSFT/WINDOWS, ISO8859). Node's decoders
  // let most of them through as control characters, and not the same ones in every version.
  'windows-1250': codePage('windows-1250', /[\x81\x83\x88\x90\x98]/),
  'iso-8859-2': codePage('iso-8859-2', CONTROL_CHARACTER),
  'windows-1251': codePage('windows-1251', /\x98/),
  'windows-1253': codePage('windows-1253', /[\x81\x88\x8A\x8C-\x90\x98\x9A\x9C-\x9F\xAA\xD2\xFF]/),
  'windows-1254': codePage('windows-1254', /[\x81\x8D-\x90\x9D\x9E]/),
  'windows-1257': codePage('windows-1257', /[\x81\x83\x88\x8A\x8C\x90\x98\x9A\x9C\x9F\xA1\xA5]/),
  // Every byte is a character.
  macintosh: codePage('macintosh', /(?!)/),
};

function codePage(label: string, undefinedByte: RegExp): ByteEncoding {
  return oneByte(undefinedByte, (_, bytes) => new TextDecoder(label).decode(bytes));
}

/** An encoding of one byte a character. `textOf` makes its text from the text in ISO 8859-1, or from the bytes. */
function oneByte(undefinedByte: RegExp, textOf: (latin1: string, bytes: Buffer) => string): ByteEncoding {
  return {
    unit: 1,
    low: 0,
    unfinished: () => 0,
    toUtf8(bytes) {
      const text = bytes.toString('latin1');
      return undefinedByte.test(text) ? undefined : Buffer.from(textOf(text, bytes));
    },
    wellFormed(bytes) {
      const at = bytes.toString('latin1').search(undefinedByte);
      return at < 0 ? bytes.length : at;
    },
  };
}
