import type { ByteEncoding } from './byte-encoding.ts';

/** Bytes 80 to 9F; a space stands for the five that are not defined. Source: unicode.org, CP1252.TXT. */
const CP1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Where ISO 8859-15 differs from ISO 8859-1. */
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

// The decoders of the platform are no help: they take the names of ISO 8859-1 for Windows-1252, and that without errors.
export const WINDOWS_1252 = oneByte(/[\x81\x8D\x8F\x90\x9D]/, (text) =>
  text.replaceAll(/[\x80-\x9F]/g, (byte) => CP1252[byte.charCodeAt(0) - 0x80]!),
);

/** Bytes 80 to 9F are control characters that no text has; where they occur it is Windows-1252. */
export const CONTROL_CHARACTER = /[\x80-\x9F]/;

/** For encodings in which every byte is a character. */
export const NONE = /(?!)/;

export const ISO_8859_1 = oneByte(CONTROL_CHARACTER, (text) => text);

export const ISO_8859_15 = oneByte(CONTROL_CHARACTER, (text) =>
  text.replaceAll(/[\xA4\xA6\xA8\xB4\xB8\xBC\xBD\xBE]/g, (byte) => LATIN_9[byte]!),
);

/** An encoding of one byte a character, by the bytes it has no character for and by its text, made of that in ISO 8859-1 or of the bytes. */
export function oneByte(
  undefinedByte: RegExp,
  textOf: (latin1: string, bytes: Buffer) => string,
): ByteEncoding {
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
