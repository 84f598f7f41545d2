import type { ByteEncoding } from './byte-encoding.ts';

/** Node decodes with ICU, which exchanges these three bytes, as the code page of IBM does. */
const IBM_CONTROLS: Readonly<Record<string, string>> = { '\x1C': '\x1A', '\x7F': '\x1C', '\x1A': '\x7F' };

export const JAPANESE_ENCODINGS = {
  shift_jis: japanese({
    label: 'shift_jis',
    characterBytes: (lead) => ((lead > 0x80 && lead < 0xa0) || lead >= 0xe0 ? 2 : 1),
    repaired: (text) =>
      Object.keys(IBM_CONTROLS).some((control) => text.includes(control))
        ? Array.from(text, (character) => IBM_CONTROLS[character] ?? character).join('')
        : text,
  }),
  'euc-jp': japanese({
    label: 'euc-jp',
    characterBytes: (lead) => (lead === 0x8f ? 3 : lead === 0x8e || lead > 0xa0 ? 2 : 1),
    repaired: (text) => text,
  }),
};

interface JapaneseEncoding {
  readonly label: string;
  readonly characterBytes: (lead: number) => number;
  readonly repaired: (text: string) => string;
}

function japanese({ label, characterBytes, repaired }: JapaneseEncoding): ByteEncoding {
  const toUtf8 = (bytes: Buffer): Buffer | undefined => {
    const text = decoded(label, bytes);
    // Single bytes from 80 on that are no character become control characters, although decoding is fatal.
    return text === undefined || /[\x80-\x9F]/.test(text) ? undefined : Buffer.from(repaired(text));
  };
  return {
    unit: 1,
    low: 0,
    toUtf8,
    unfinished(bytes) {
      let at = lastCertainEnd(bytes);
      while (at + characterBytes(bytes[at] ?? 0) <= bytes.length && at < bytes.length) {
        at += characterBytes(bytes[at]!);
      }
      return bytes.length - at;
    },
    wellFormed(bytes) {
      let at = 0;
      while (at < bytes.length) {
        const next = at + characterBytes(bytes[at]!);
        if (next > bytes.length || toUtf8(bytes.subarray(at, next)) === undefined) return at;
        at = next;
      }
      return at;
    },
  };
}

/** Where counting characters may begin. A byte below 0x80 always ends a character, alone or as its second half. */
function lastCertainEnd(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at > 0 && bytes[at]! >= 0x80) at--;
  return Math.max(at, 0);
}

function decoded(label: string, bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
