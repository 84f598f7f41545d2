import { ONE_BYTE_ENCODINGS, type OneByteEncoding } from './alphabets.ts';
import { countBetween, type ByteProfile } from './byte-profile.ts';
import type { EncodingChoice, EncodingFinding } from '../inspection.ts';
import { counted } from '../column/occurrences.ts';
import { characterOf, differingFit, wordFit, type WordBytes, type WordFit } from './word-bytes.ts';

/** The part of an encoding finding that is decided. */
export type EncodingChosen = Pick<EncodingFinding, 'name' | 'certainty' | 'because' | 'choices'>;

/** Share of the bytes inside words that a language has to explain. The rest are names from elsewhere, and typos. */
const PLAUSIBLE = 0.9;
/** Fewer letters inside words prove no language. */
const ENOUGH = 3;

/** A file in Cyrillic or Greek; undefined for others. Japanese comes later, because its bytes are none of these letters. */
export function scriptFinding(profile: ByteProfile, bytes: WordBytes): EncodingChosen | undefined {
  const [best, ...others] = plausibleFits(profile, bytes);
  if (!best || best.total < ENOUGH || !isOfOtherScript(best)) return undefined;
  const rivals = others.filter((other) => isOfOtherScript(other) && isRival(other, best, bytes));
  return rivals.length > 0 ? open([best, ...rivals], bytes) : assumed(best);
}

function isOfOtherScript({ encoding }: WordFit): boolean {
  return encoding === 'windows-1251' || encoding === 'windows-1253';
}

/** An encoding of one byte a character. The characters that it has inside words decide, or leave a choice of several. */
export function oneByteFinding(profile: ByteProfile, bytes: WordBytes, dosLetters: number): EncodingChosen {
  const [best, ...others] = plausibleFits(profile, bytes);
  if (!best || best.total === 0) return westernFinding(profile, dosLetters);
  const rivals = others.filter((other) => isRival(other, best, bytes));
  const choices = distinctReadings([best, ...rivals], bytes);
  if (choices.length > 1) return open(choices, bytes);
  if (best.encoding === 'windows-1252') return westernFinding(profile, dosLetters);
  if (best.total >= ENOUGH) return assumed(best);
  const western = wordFit('windows-1252', bytes);
  return { ...assumed(best), certainty: 'open', choices: choicesOf([best, western], bytes) };
}

/** Whether a file could be in an encoding of one byte a character, and why. */
export function oneByteCandidate(
  name: OneByteEncoding,
  profile: ByteProfile,
  bytes: WordBytes,
): { possible: boolean; because: string } {
  const western = westernCandidate(name, profile);
  if (western?.possible === false) return western;
  const undefinedBytes = undefinedIn(name, profile);
  if (undefinedBytes > 0)
    return { possible: false, because: `${counted(undefinedBytes, 'byte')} with no character in it` };
  const { explained, total, language } = wordFit(name, bytes);
  if (total === 0) return western ?? { possible: true, because: 'no byte is inside a word, so none decides' };
  const because = `${explained} of ${total} characters inside words are ${language}`;
  return {
    possible: explained >= total * PLAUSIBLE,
    because: western ? `${western.because}; ${because}` : because,
  };
}

/** Best first. Of equal fits the encoding that is believed first comes first. */
function plausibleFits(profile: ByteProfile, bytes: WordBytes): readonly WordFit[] {
  return ONE_BYTE_ENCODINGS.filter((encoding) => undefinedIn(encoding, profile) === 0)
    .map((encoding) => wordFit(encoding, bytes))
    .filter(({ explained, total }) => explained >= total * PLAUSIBLE)
    .toSorted((a, b) => b.explained - a.explained);
}

/** Whether its language explains at least half of the bytes that the two read differently. */
function isRival(other: WordFit, best: WordFit, bytes: WordBytes): boolean {
  const { explained, total } = differingFit(other, best.encoding, bytes);
  return total > 0 && explained * 2 >= total && !hasOnlyMarks(best, bytes);
}

/** Whether the bytes are apostrophes and dashes, which other encodings read as letters. */
function hasOnlyMarks({ encoding }: WordFit, bytes: WordBytes): boolean {
  return bytes.every(({ byte }) => !/\p{L}/u.test(characterOf(encoding, byte)));
}

/** Keeps the first of encodings that read every byte inside words alike. */
function distinctReadings(fits: readonly WordFit[], bytes: WordBytes): readonly WordFit[] {
  const readings = fits.map(({ encoding }) =>
    bytes.map(({ byte }) => characterOf(encoding, byte)).join('\0'),
  );
  return fits.filter((_, at) => readings.indexOf(readings[at]!) === at);
}

/** How many bytes have no character in an encoding. */
function undefinedIn(encoding: OneByteEncoding, profile: ByteProfile): number {
  return countWhere(profile, (byte) => characterOf(encoding, byte) === '');
}

function countWhere({ counts }: ByteProfile, matches: (byte: number) => boolean): number {
  let found = 0;
  for (let byte = 0x80; byte <= 0xff; byte++) if (matches(byte)) found += counts[byte]!;
  return found;
}

function assumed(fit: WordFit): EncodingChosen {
  return { name: fit.encoding, certainty: 'assumed', because: `not UTF-8; ${fitText(fit)}` };
}

function open(fits: readonly WordFit[], bytes: WordBytes): EncodingChosen {
  return {
    name: fits[0]!.encoding,
    certainty: 'open',
    because: `not UTF-8; ${fits.map(fitText).join('; ')}`,
    choices: choicesOf(fits, bytes),
  };
}

function fitText({ encoding, language, explained, total }: WordFit): string {
  return `${explained} of ${total} characters inside words are ${language} in ${encoding}`;
}

/** Each encoding with its characters where it differs from the first. */
function choicesOf(fits: readonly WordFit[], bytes: WordBytes): readonly EncodingChoice[] {
  return fits.map((fit, at) => ({
    name: fit.encoding,
    language: fit.language,
    characters: differingFit(fit, fits[at === 0 ? 1 : 0]!.encoding, bytes).characters,
  }));
}

/** One of the three encodings of western Europe. The bytes that these do not have in common decide. */
function westernFinding(profile: ByteProfile, dosLetters: number): EncodingChosen {
  const { windows, iso, latin9 } = westernBytes(profile);
  if (dosLetters > 0) {
    const because = `not UTF-8; bytes 80–9F (${dosLetters} of them) are between letters, as the umlauts of DOS code pages are (850, 437): convert the file to UTF-8`;
    return { name: windows > 0 ? null : 'windows-1252', certainty: 'open', because };
  }
  if (windows > 0) {
    const because = `not UTF-8, and ${windows} bytes (81, 8D, 8F, 90, 9D) have no character in windows-1252`;
    return { name: null, certainty: 'open', because };
  }
  const name = 'windows-1252';
  if (iso > 0) {
    const because = `not UTF-8; bytes 80–9F (${iso} of them) are quotation marks, dashes or € in windows-1252 and control characters in iso-8859`;
    return { name, certainty: 'assumed', because };
  }
  if (latin9 > 0) {
    const because = `not UTF-8; ${latin9} bytes read differently in windows-1252 and iso-8859-15 (A4 is ¤ or €)`;
    return { name, certainty: 'open', because };
  }
  const because = 'not UTF-8; windows-1252, iso-8859-1 and iso-8859-15 read every byte of it alike';
  return { name, certainty: 'assumed', because };
}

/** Whether a file could be in an encoding of western Europe, by all of its bytes; undefined for other encodings. */
function westernCandidate(
  name: OneByteEncoding,
  profile: ByteProfile,
): { possible: boolean; because: string } | undefined {
  if (name !== 'windows-1252' && name !== 'iso-8859-1' && name !== 'iso-8859-15') return undefined;
  const { windows, iso, latin9 } = westernBytes(profile);
  const controls = `bytes 80–9F (${iso} of them)`;
  if (name === 'windows-1252') {
    if (windows > 0) return { possible: false, because: `${windows} bytes have no character in it` };
    const because = iso > 0 ? `${controls} are characters of it` : 'every byte is a character of it';
    return { possible: true, because };
  }
  if (iso > 0) return { possible: false, because: `${controls} would be control characters` };
  const differing = name === 'iso-8859-15' ? latin9 : 0;
  const because =
    differing > 0
      ? `${differing} bytes are other characters than in windows-1252`
      : 'it reads every byte as windows-1252 does';
  return { possible: true, because };
}

/** Counts of the bytes that the encodings of western Europe do not have in common. */
function westernBytes(profile: ByteProfile): {
  /** Bytes that windows-1252 does not define. */
  windows: number;
  /** Bytes that are control characters in ISO 8859. */
  iso: number;
  /** Bytes that windows-1252 and iso-8859-15 read as different characters. */
  latin9: number;
} {
  return {
    windows: undefinedIn('windows-1252', profile),
    iso: countBetween(profile.counts, 0x80, 0x9f),
    latin9: countWhere(profile, (byte) => {
      const [windows, latin9] = [characterOf('windows-1252', byte), characterOf('iso-8859-15', byte)];
      return windows !== '' && latin9 !== '' && windows !== latin9;
    }),
  };
}
