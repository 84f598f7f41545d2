import { WholeCharacters } from '../../csv/byte-encoding.ts';
import { ENCODINGS } from '../../csv/encodings.ts';
import type { SourceEncoding } from '../../csv/source-format.ts';
import { countBetween, type ByteProfile } from './byte-profile.ts';
import type { EncodingFinding } from '../inspection.ts';
import {
  LEGACY_ENCODINGS,
  type JapaneseProfile,
  type LegacyEncoding,
  type LegacyProfile,
} from './legacy-profile.ts';
import { oneByteCandidate, oneByteFinding, scriptFinding, type EncodingChosen } from './one-byte-finding.ts';

/** The encoding of a file in Unicode; undefined when the bytes are neither UTF-8 nor UTF-16. */
export function unicodeFinding(profile: ByteProfile): EncodingFinding | undefined {
  const { mark, nuls, bytes, notUtf8, counts } = profile;
  const alone = { candidates: [], places: [], byteOrderMark: mark !== null };
  if (mark === 'utf-32') {
    const because = 'it begins with the byte order mark of UTF-32';
    return { ...alone, name: null, certainty: 'proven', because };
  }
  if (mark === 'utf-16le' || mark === 'utf-16be') {
    return { ...alone, name: mark, certainty: 'proven', because: 'it begins with the byte order mark' };
  }
  const nulCount = nuls.even + nuls.odd;
  if (nulCount * 5 >= bytes && bytes > 1) {
    const order = nuls.odd >= nulCount * 0.95 ? 'utf-16le' : nuls.even >= nulCount * 0.95 ? 'utf-16be' : null;
    const side = order === 'utf-16le' ? 'second' : 'first';
    const because = `${nulCount} NULs are almost only at the ${side} byte of each pair`;
    if (order) return { ...alone, name: order, certainty: 'assumed', because };
  }
  if (notUtf8) return undefined;
  const marked = mark === null ? '' : 'it begins with the byte order mark, and ';
  // Every character beyond ASCII has one lead byte. The byte order mark is no character of the text.
  const foreign = countBetween(counts, 0xc0, 0xff) - (mark === null ? 0 : 1);
  const because =
    foreign === 0
      ? `${marked}every byte is ASCII`
      : `${marked}all ${foreign} characters beyond ASCII are well-formed UTF-8`;
  return { ...alone, name: 'utf-8', certainty: 'proven', because };
}

/** The encoding of a file that is not Unicode. An assumption at best, never a proof. */
export function legacyFinding(profile: ByteProfile, legacy: LegacyProfile): EncodingFinding {
  const words = legacy.words.result();
  const candidates = LEGACY_ENCODINGS.map((name) => ({
    name,
    ...(name === 'shift_jis' || name === 'euc-jp'
      ? japaneseCandidate(legacy.japanese[name])
      : oneByteCandidate(name, profile, words)),
  }));
  const possible = new Set(candidates.flatMap((each) => (each.possible ? [each.name] : [])));
  const chosen =
    mixedUtf8(profile, legacy) ??
    scriptFinding(profile, words) ??
    japaneseFinding(possible, legacy) ??
    oneByteFinding(profile, words, legacy.dosLetters);
  return { ...chosen, byteOrderMark: profile.mark !== null, candidates, places: legacy.places };
}

function mixedUtf8(
  { counts, notUtf8 }: ByteProfile,
  { utf8Sequences }: LegacyProfile,
): EncodingChosen | undefined {
  const starts = countBetween(counts, 0xc0, 0xff);
  if (utf8Sequences < 3 || utf8Sequences * 4 < starts * 3) return undefined;
  const because = `most of it is UTF-8 (${utf8Sequences} characters beyond ASCII), but byte ${notUtf8!.byte} on line ${notUtf8!.line} is not: the file mixes encodings`;
  return { name: 'utf-8', certainty: 'open', because };
}

function japaneseFinding(
  possible: ReadonlySet<LegacyEncoding>,
  { japanese }: LegacyProfile,
): EncodingChosen | undefined {
  const [best, other] = (['shift_jis', 'euc-jp'] as const)
    .filter((name) => possible.has(name))
    .toSorted((a, b) => weight(japanese[b]) - weight(japanese[a]));
  if (best === undefined || weight(japanese[best]) <= 0) return undefined;
  // A text read in the other encoding is mostly half-width kana.
  const isClear = other === undefined || weight(japanese[other]) * 2 < weight(japanese[best]);
  return {
    name: best,
    certainty: isClear ? 'assumed' : 'open',
    because: `not UTF-8; read as ${best} it has ${japanese[best].characters} kana and kanji and no byte that does not fit`,
  };
}

const weight = ({ characters, halfWidth }: JapaneseProfile): number => characters - halfWidth;

function japaneseCandidate({ isValid, characters, halfWidth, besideLatin }: JapaneseProfile): {
  possible: boolean;
  because: string;
} {
  if (!isValid) return { possible: false, because: 'some bytes do not fit' };
  if (characters === 0)
    return { possible: false, because: `it would have no kana or kanji, only ${halfWidth} half-width kana` };
  const because = `${characters} kana and kanji, of which ${besideLatin} are beside small Latin letters`;
  return { possible: besideLatin * 5 < characters, because };
}

/** The encoding that a person has named. It is used unless bytes do not fit. */
export async function givenFinding(
  name: SourceEncoding,
  { mark }: ByteProfile,
  chunks: AsyncIterable<Buffer>,
): Promise<EncodingFinding> {
  const unfit = await firstUnfit(name, chunks);
  return {
    name,
    certainty: unfit === undefined ? 'proven' : 'open',
    because: `given by --encoding, ${unfit === undefined ? 'and every byte fits' : `but byte ${unfit} is no character of it`}`,
    byteOrderMark: mark !== null,
    candidates: [],
    places: [],
  };
}

/** Zero-based offset of the first byte that does not fit; undefined when all fit. */
async function firstUnfit(name: SourceEncoding, chunks: AsyncIterable<Buffer>): Promise<number | undefined> {
  const characters = new WholeCharacters(ENCODINGS[name]);
  let offset = 0;
  for await (const chunk of chunks) {
    const bytes = characters.take(chunk);
    const good = ENCODINGS[name].wellFormed(bytes);
    if (good < bytes.length) return offset + good;
    offset += bytes.length;
  }
  return characters.rest.length > 0 ? offset : undefined;
}
