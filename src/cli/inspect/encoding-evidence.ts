import { countBetween, type ByteCensus } from './byte-census.ts';
import type { EncodingCandidate, EncodingDecision, EncodingEvidence } from './encoding-finding.ts';
import {
  LEGACY_ENCODINGS,
  type JapaneseReading,
  type LegacyCensus,
  type LegacyEncoding,
} from './legacy-census.ts';
import { oneByteCandidate, oneByteDecision, scriptDecision } from './one-byte-evidence.ts';

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
    mixedUtf8(census, legacy) ??
    scriptDecision(census, legacy.wordBytes) ??
    japaneseDecision(candidates, legacy) ??
    oneByteDecision(census, legacy);
  return { ...decision, byteOrderMark: census.mark !== null, candidates, places: legacy.places };
}

function mixedUtf8(
  { counts, notUtf8 }: ByteCensus,
  { utf8Sequences }: LegacyCensus,
): EncodingDecision | undefined {
  const starts = countBetween(counts, 0xc0, 0xff);
  if (utf8Sequences < 3 || utf8Sequences * 4 < starts * 3) return undefined;
  const because = `most of it is UTF-8 (${utf8Sequences} characters beyond ASCII), but byte ${notUtf8!.byte} on line ${notUtf8!.line} is not: the file mixes encodings`;
  return { name: 'utf-8', certainty: 'open', because };
}

function japaneseDecision(
  candidates: readonly EncodingCandidate[],
  { japanese }: LegacyCensus,
): EncodingDecision | undefined {
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

function candidateOf(name: LegacyEncoding, census: ByteCensus, legacy: LegacyCensus): EncodingCandidate {
  if (name === 'shift_jis' || name === 'euc-jp') return { name, ...japaneseCandidate(legacy.japanese[name]) };
  return { name, ...oneByteCandidate(name, census, legacy.wordBytes) };
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
