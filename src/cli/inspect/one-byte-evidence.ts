import { ONE_BYTE_ENCODINGS, type OneByteEncoding } from './alphabets.ts';
import type { ByteCensus } from './byte-census.ts';
import { counted } from './counted.ts';
import type { EncodingChoice, EncodingDecision } from './encoding-finding.ts';
import type { LegacyCensus } from './legacy-census.ts';
import { westernDecision, westernCandidate } from './western-evidence.ts';
import { characterOf, differingFit, wordFit, type WordBytes, type WordFit } from './word-bytes.ts';

/** Share of the bytes inside words that a language has to explain; the rest are names from elsewhere, and slips. */
const PLAUSIBLE = 0.9;
/** Fewer letters inside words prove no language. */
const ENOUGH = 3;

/** A file in Cyrillic or Greek; undefined for others. Japanese is asked for later: its bytes are none of these letters. */
export function scriptDecision(census: ByteCensus, bytes: WordBytes): EncodingDecision | undefined {
  const [best, ...others] = plausibleFits(census, bytes);
  if (!best || best.total < ENOUGH || !isOfOtherScript(best)) return undefined;
  const rivals = others.filter((other) => isOfOtherScript(other) && isRival(other, best, bytes));
  return rivals.length > 0 ? open([best, ...rivals], bytes) : assumed(best);
}

function isOfOtherScript({ encoding }: WordFit): boolean {
  return encoding === 'windows-1251' || encoding === 'windows-1253';
}

/** An encoding of one byte a character: the best by what bytes inside words become in it, or a choice of several. */
export function oneByteDecision(census: ByteCensus, legacy: LegacyCensus): EncodingDecision {
  const bytes = legacy.wordBytes;
  const [best, ...others] = plausibleFits(census, bytes);
  if (!best || best.total === 0) return westernDecision(census, legacy);
  const rivals = others.filter((other) => isRival(other, best, bytes));
  const choices = distinctReadings([best, ...rivals], bytes);
  if (choices.length > 1) return open(choices, bytes);
  if (best.encoding === 'windows-1252') return westernDecision(census, legacy);
  if (best.total < ENOUGH) {
    return {
      ...assumed(best),
      certainty: 'open',
      choices: choicesOf([best, wordFit('windows-1252', bytes)], bytes),
    };
  }
  return assumed(best);
}

export function oneByteCandidate(
  name: OneByteEncoding,
  census: ByteCensus,
  bytes: WordBytes,
): { possible: boolean; because: string } {
  const undefinedBytes = undefinedIn(name, census);
  const western = westernCandidate(name, census);
  if (western?.possible === false) return western;
  if (undefinedBytes > 0)
    return { possible: false, because: `${counted(undefinedBytes, 'byte')} with no character in it` };
  const { explained, total, language } = wordFit(name, bytes);
  if (total === 0) return western ?? { possible: true, because: 'no byte stands inside a word to tell' };
  const because = `${explained} of ${total} characters inside words are ${language}`;
  return {
    possible: explained >= total * PLAUSIBLE,
    because: western ? `${western.because}; ${because}` : because,
  };
}

/** Best first; of equals the one that is believed first. */
function plausibleFits(census: ByteCensus, bytes: WordBytes): readonly WordFit[] {
  return ONE_BYTE_ENCODINGS.filter((encoding) => undefinedIn(encoding, census) === 0)
    .map((encoding) => wordFit(encoding, bytes))
    .filter(({ explained, total }) => explained >= total * PLAUSIBLE)
    .toSorted((a, b) => b.explained - a.explained);
}

/** Whether its language explains at least half of what the two read differently. */
function isRival(other: WordFit, best: WordFit, bytes: WordBytes): boolean {
  const { explained, total } = differingFit(other, best.encoding, bytes);
  return total > 0 && explained * 2 >= total && !hasOnlyMarks(best, bytes);
}

/** Apostrophes and dashes, which other encodings make letters of. */
function hasOnlyMarks({ encoding }: WordFit, bytes: WordBytes): boolean {
  return bytes.every(({ byte }) => !/\p{L}/u.test(characterOf(encoding, byte)));
}

/** Of encodings that read every byte inside words alike only the first. */
function distinctReadings(fits: readonly WordFit[], bytes: WordBytes): readonly WordFit[] {
  const readings = fits.map(({ encoding }) =>
    bytes.map(({ byte }) => characterOf(encoding, byte)).join('\0'),
  );
  return fits.filter((_, at) => readings.indexOf(readings[at]!) === at);
}

function undefinedIn(encoding: OneByteEncoding, { counts }: ByteCensus): number {
  let found = 0;
  for (let byte = 0x80; byte <= 0xff; byte++) if (characterOf(encoding, byte) === '') found += counts[byte]!;
  return found;
}

function assumed(fit: WordFit): EncodingDecision {
  return { name: fit.encoding, certainty: 'assumed', because: `not UTF-8; ${fitText(fit)}` };
}

function open(fits: readonly WordFit[], bytes: WordBytes): EncodingDecision {
  return {
    name: fits[0]!.encoding,
    certainty: 'open',
    because: `not UTF-8; ${fits.map(fitText).join(', but ')}`,
    choices: choicesOf(fits, bytes),
  };
}

function fitText({ encoding, language, explained, total }: WordFit): string {
  return `${explained} of ${total} characters inside words are ${language} in ${encoding}`;
}

/** What each has where the first and it differ. */
function choicesOf(fits: readonly WordFit[], bytes: WordBytes): readonly EncodingChoice[] {
  return fits.map((fit, at) => ({
    name: fit.encoding,
    language: fit.language,
    characters: differingFit(fit, fits[at === 0 ? 1 : 0]!.encoding, bytes).characters,
  }));
}
