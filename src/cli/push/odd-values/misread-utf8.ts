/** Encodings of one byte a character that UTF-8 is read in by mistake, by the names that people know. */
const ENCODINGS: readonly (readonly [name: string, bytes: ReadonlyMap<string, number>])[] = [
  ['Windows-1252', bytesOf((bytes) => new TextDecoder('windows-1252').decode(bytes))],
  ['Windows-1250', bytesOf((bytes) => new TextDecoder('windows-1250').decode(bytes))],
  // Node takes the name of ISO 8859-1 for Windows-1252.
  ['ISO-8859-1', bytesOf((bytes) => Buffer.from(bytes).toString('latin1'))],
  ['ISO-8859-2', bytesOf((bytes) => new TextDecoder('iso-8859-2').decode(bytes))],
];

/** The bytes from 80 to FF by their characters. */
function bytesOf(decode: (bytes: Uint8Array) => string): ReadonlyMap<string, number> {
  const bytes = Uint8Array.from({ length: 128 }, (_, at) => at + 128);
  return new Map([...decode(bytes)].map((character, at) => [character, at + 128]));
}

/** The first byte of UTF-8 in each of the encodings. A text without one was not misread. */
const FIRST = /[ÂÃÄÅÈÎÏÐÑ×ØÙÚÛâãäåæçèéïĂĹČĎĐŃŘŮŰăĺćčď]/u;

/** The name of the encoding that a text of UTF-8 was read in, so that its letters became two characters each. */
export function misreadAs(text: string): string | undefined {
  if (!FIRST.test(text)) return undefined;
  return ENCODINGS.find(([, bytes]) => isMisread(text, bytes))?.[0];
}

/** Alphabets whose letters have two bytes: Greek, Cyrillic, Hebrew, Arabic. Japanese and Chinese letters have three. */
const isOtherAlphabet = (byte: number): boolean =>
  (byte >= 0xce && byte <= 0xd1) || (byte >= 0xd7 && byte <= 0xdb) || (byte >= 0xe3 && byte <= 0xe9);

const lengthOf = (first: number): number => (first >= 0xe0 ? 3 : 2);

function isMisread(text: string, bytes: ReadonlyMap<string, number>): boolean {
  /** Where the letter before ends, if it is of another alphabet. Two of them in a row are no chance. */
  let otherEnd = -1;
  for (let at = 0; at < text.length; at++) {
    const first = bytes.get(text[at]!);
    if (first === undefined || first < 0xc2 || first > 0xef) continue;
    const later = Array.from(text.slice(at + 1, at + lengthOf(first)), (each) => bytes.get(each) ?? 0);
    if (later.length < lengthOf(first) - 1 || later.some((byte) => byte < 0x80 || byte > 0xbf)) continue;
    if (lengthOf(first) === 3 ? isPunctuation(first, later) : isLatin(first, later[0]!)) {
      if (lengthOf(first) === 3 || isNoWord(text, at)) return true;
    } else if (isOtherAlphabet(first)) {
      const end = at + lengthOf(first);
      if (otherEnd === at && /[^\p{L}\s»”“’…–—]/u.test(text.slice(at - 1, end))) return true;
      otherEnd = end;
    }
  }
  return false;
}

/** Dashes, quotation marks, `€`, `™`, the byte order mark and the mark of a lost character. */
function isPunctuation(first: number, [second, third]: readonly number[]): boolean {
  if (first === 0xe2) return second === 0x80 || second === 0x82 || second === 0x84;
  return first === 0xef && ((second === 0xbb && third === 0xbf) || (second === 0xbf && third === 0xbd));
}

/** Latin letters and signs up to U+017F, and the letters of Romanian with a comma below. */
function isLatin(first: number, second: number): boolean {
  return first <= 0xc5 || (first === 0xc8 && second >= 0x98 && second <= 0x9b);
}

/** Characters that come after a word that ends in a capital letter, as in `MANHÃ…` or `12 Å²`. */
const AFTER_WORD = /[\u00A0…–—’”“»›´°²³™©®]/u;

/**
 * Whether the two characters at a place are in no word. The first one is a capital letter, and capital words of Portuguese,
 * Romanian, Slovak, German and Nordic languages have some of such pairs: `DĹŽKA`, `RĂŞINĂ`, `PÅ”`.
 */
function isNoWord(text: string, at: number): boolean {
  const [before, first, second, after] = [text[at - 1] ?? '', text[at]!, text[at + 1]!, text[at + 2] ?? ''];
  if (/\p{Ll}/u.test(before)) return true;
  if (AFTER_WORD.test(second)) {
    if (first === 'Â' || (first === 'Ã' && !/\p{L}/u.test(before))) return true;
    return second !== '’' && second !== '´' && second !== '\u00A0' && /\p{Ll}/u.test(after);
  }
  if (/[ÂĂ]/u.test(first)) return !/[Şş]/u.test(second);
  if (/[ÈČ]/u.test(first)) return !/\p{L}/u.test(second);
  return first === 'Ã' || !/\p{Lu}/u.test(second);
}
