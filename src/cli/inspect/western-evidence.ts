import type { OneByteEncoding } from './alphabets.ts';
import type { ByteCensus } from './byte-census.ts';
import type { EncodingDecision } from './encoding-finding.ts';
import { singleByteObjections, type LegacyCensus } from './legacy-census.ts';

/** Which of the three encodings of western Europe it is, by bytes that they do not have in common. */
export function westernDecision(census: ByteCensus, { dosLetters }: LegacyCensus): EncodingDecision {
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

/** What the bytes of the whole file say about an encoding of western Europe; undefined for others. */
export function westernCandidate(
  name: OneByteEncoding,
  census: ByteCensus,
): { possible: boolean; because: string } | undefined {
  if (name !== 'windows-1252' && name !== 'iso-8859-1' && name !== 'iso-8859-15') return undefined;
  const { windows, iso, latin9 } = singleByteObjections(census);
  if (name === 'windows-1252') {
    return windows > 0
      ? { possible: false, because: `${windows} bytes have no character in it` }
      : {
          possible: true,
          because:
            iso > 0 ? `bytes 80–9F (${iso} of them) are characters of it` : 'every byte is a character of it',
        };
  }
  if (iso > 0)
    return { possible: false, because: `bytes 80–9F (${iso} of them) would be control characters` };
  const differing = name === 'iso-8859-15' ? latin9 : 0;
  return {
    possible: true,
    because:
      differing > 0
        ? `${differing} bytes are other characters than in windows-1252`
        : 'it reads every byte as windows-1252 does',
  };
}
