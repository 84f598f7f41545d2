import type { SourceEncoding } from '../csv/source-format.ts';
import { countBetween, type ByteCensus } from './byte-census.ts';
import {
  LEGACY_ENCODINGS,
  singleByteObjections,
  type ForeignByte,
  type JapaneseReading,
  type LegacyCensus,
  type LegacyEncoding,
} from './legacy-census.ts';

/**
 * How sure a conclusion is: `proven` by the whole file; `assumed`, with nothing against it and to be confirmed;
 * `open`, because the file does not decide it.
 */
export const CERTAINTIES = ['proven', 'assumed', 'open'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** What the encoding of a file is, and why. */
export interface EncodingEvidence {
  /** Null when it is none that can be named in a mapping. */
  readonly name: SourceEncoding | null;
  readonly certainty: Certainty;
  readonly because: string;
  readonly byteOrderMark: boolean;
  /** Encodings that were weighed; empty when the bytes left no choice. */
  readonly candidates: readonly EncodingCandidate[];
  /** Where the first characters beyond ASCII stand; empty when the bytes left no choice. */
  readonly places: readonly ForeignByte[];
}

export interface EncodingCandidate {
  readonly name: LegacyEncoding;
  readonly possible: boolean;
  readonly because: string;
}

/** What Unicode explains, or undefined when the bytes are neither UTF-8 nor UTF-16. */
export function unicodeEvidence(census: ByteCensus): EncodingEvidence | undefined {
  const { mark, nuls, bytes, notUtf8, counts } = census;
  const alone = { candidates: [], places: [], byteOrderMark: mark !== null };
  if (mark === 'utf-32') {
    return {
      ...alone,
      name: null,
      certainty: 'proven',
      because: 'it begins with the byte order mark of UTF-32',
    };
  }
  if (mark === 'utf-16le' || mark === 'utf-16be') {
    return { ...alone, name: mark, certainty: 'proven', because: 'it begins with the byte order mark' };
  }
  const nulCount = nuls.even + nuls.odd;
  if (nulCount * 5 >= bytes && bytes > 1) {
    const order = nuls.odd >= nulCount * 0.95 ? 'utf-16le' : nuls.even >= nulCount * 0.95 ? 'utf-16be' : null;
    const side = order === 'utf-16le' ? 'second' : 'first';
    const because = `${nulCount} NULs stand almost only at the ${side} byte of each pair`;
    if (order) return { ...alone, name: order, certainty: 'assumed', because };
  }
  if (notUtf8) return undefined;
  const marked = mark === null ? '' : 'it begins with the byte order mark, and ';
  // Every character beyond ASCII has one lead byte; the mark is not one of the text.
  const foreign = countBetween(counts, 0xc0, 0xff) - (mark === null ? 0 : 1);
  const because =
    foreign === 0
      ? `${marked}every byte is ASCII`
      : `${marked}all ${foreign} characters beyond ASCII are well-formed UTF-8`;
  return { ...alone, name: 'utf-8', certainty: 'proven', because };
}

/** What is left when the bytes are no Unicode: an assumption at best, never a proof. */
export function legacyEvidence(census: ByteCensus, legacy: LegacyCensus): EncodingEvidence {
  const candidates = LEGACY_ENCODINGS.map((name) => candidateOf(name, census, legacy));
  const decision =
    mixedUtf8(census, legacy) ?? japaneseDecision(candidates, legacy) ?? westernDecision(census, legacy);
  return { ...decision, byteOrderMark: census.mark !== null, candidates, places: legacy.places };
}

type Decision = Pick<EncodingEvidence, 'name' | 'certainty' | 'because'>;

function mixedUtf8({ counts, notUtf8 }: ByteCensus, { utf8Sequences }: LegacyCensus): Decision | undefined {
  const starts = countBetween(counts, 0xc0, 0xff);
  if (utf8Sequences < 3 || utf8Sequences * 4 < starts * 3) return undefined;
  const because = `most of it is UTF-8 (${utf8Sequences} characters beyond ASCII), but byte ${notUtf8!.byte} on line ${notUtf8!.line} is not: the file mixes encodings`;
  return { name: 'utf-8', certainty: 'open', because };
}

function japaneseDecision(
  candidates: readonly EncodingCandidate[],
  { japanese }: LegacyCensus,
): Decision | undefined {
  const possible = (['shift_jis', 'euc-jp'] as const)
    .filter((name) => candidates.some((candidate) => candidate.name === name && candidate.possible))
    .toSorted((a, b) => weight(japanese[b]) - weight(japanese[a]));
  const [best, other] = possible;
  if (best === undefined || weight(japanese[best]) <= 0) return undefined;
  // The one read as the other is mostly half-width kana.
  const isClear = other === undefined || weight(japanese[other]) * 2 < weight(japanese[best]);
  return {
    name: best,
    certainty: isClear ? 'assumed' : 'open',
    because: `not UTF-8; read as ${best} it has ${japanese[best].characters} kana and kanji and no byte that does not fit`,
  };
}

function weight({ characters, halfWidth }: JapaneseReading): number {
  return characters - halfWidth;
}

function westernDecision(census: ByteCensus, { dosLetters }: LegacyCensus): Decision {
  const { windows, iso, latin9 } = singleByteObjections(census);
  if (dosLetters > 0) {
    const because = `not UTF-8; bytes 80–9F (${dosLetters} of them) stand between letters, as the umlauts of DOS code pages do (850, 437): convert the file to UTF-8`;
    return { name: windows > 0 ? null : 'windows-1252', certainty: 'open', because };
  }
  if (windows > 0) {
    const because = `not UTF-8, and ${windows} bytes (81, 8D, 8F, 90, 9D) have no character in windows-1252`;
    return { name: null, certainty: 'open', because };
  }
  if (iso > 0) {
    const because = `not UTF-8; bytes 80–9F (${iso} of them) are quotation marks, dashes or € in windows-1252 and control characters in iso-8859`;
    return { name: 'windows-1252', certainty: 'assumed', because };
  }
  if (latin9 > 0) {
    const because = `not UTF-8; ${latin9} bytes read differently in windows-1252 and iso-8859-15 (A4 is ¤ or €)`;
    return { name: 'windows-1252', certainty: 'open', because };
  }
  const because = 'not UTF-8; windows-1252, iso-8859-1 and iso-8859-15 read every byte of it alike';
  return { name: 'windows-1252', certainty: 'assumed', because };
}

function candidateOf(name: LegacyEncoding, census: ByteCensus, legacy: LegacyCensus): EncodingCandidate {
  if (name === 'shift_jis' || name === 'euc-jp') return { name, ...japaneseCandidate(legacy.japanese[name]) };
  const { windows, iso, latin9 } = singleByteObjections(census);
  if (name === 'windows-1252') {
    return windows > 0
      ? { name, possible: false, because: `${windows} bytes have no character in it` }
      : {
          name,
          possible: true,
          because:
            iso > 0 ? `bytes 80–9F (${iso} of them) are characters of it` : 'every byte is a character of it',
        };
  }
  if (iso > 0)
    return { name, possible: false, because: `bytes 80–9F (${iso} of them) would be control characters` };
  const differing = name === 'iso-8859-15' ? latin9 : 0;
  return {
    name,
    possible: true,
    because:
      differing > 0
        ? `${differing} bytes are other characters than in windows-1252`
        : 'it reads every byte as windows-1252 does',
  };
}

function japaneseCandidate({ isValid, characters, halfWidth, besideLatin }: JapaneseReading): {
  possible: boolean;
  because: string;
} {
  if (!isValid) return { possible: false, because: 'some bytes do not fit' };
  if (characters === 0)
    return { possible: false, because: `it would have no kana or kanji, only ${halfWidth} half-width kana` };
  const because = `${characters} kana and kanji, of which ${besideLatin} stand beside small Latin letters`;
  return { possible: besideLatin * 5 < characters, because };
}
