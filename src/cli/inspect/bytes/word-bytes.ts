import { ENCODINGS } from '../../csv/encodings.ts';
import { ALPHABETS, ONE_BYTE_ENCODINGS, type Alphabet, type OneByteEncoding } from './alphabets.ts';

/** The kinds of neighbours of a byte inside a word. */
const BESIDE = ['lower', 'upper', 'foreign'] as const;
type Beside = (typeof BESIDE)[number];

/** A byte beyond ASCII inside a word, between two kinds of neighbours. */
type WordByte = Readonly<{ byte: number; before: Beside; after: Beside; count: number }>;

/** Bytes beyond ASCII inside words. The characters that they become there distinguish encodings. */
export type WordBytes = readonly WordByte[];

/** The bytes inside words, read in one encoding. */
export interface WordFit {
  readonly encoding: OneByteEncoding;
  /** The language that explains the most of them. */
  readonly language: string;
  /** Bytes that are letters of that language, in the case of their neighbours, or apostrophes and dashes. */
  readonly explained: number;
  readonly total: number;
}

const KINDS = BESIDE.length;

/** Counts bytes inside words. */
export class WordByteCounter {
  private readonly counts = new Float64Array(0x80 * KINDS * KINDS);

  /** @param chunk whole lines */
  accept(chunk: Buffer): void {
    for (let at = 1; at + 1 < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte < 0x80) continue;
      const [before, after] = [besideOf(chunk[at - 1]!), besideOf(chunk[at + 1]!)];
      if (before >= 0 && after >= 0) this.counts[((byte - 0x80) * KINDS + before) * KINDS + after]!++;
    }
  }

  result(): WordBytes {
    return [...this.counts].flatMap((count, at) => {
      if (count === 0) return [];
      const before = BESIDE[Math.floor(at / KINDS) % KINDS]!;
      return [{ byte: 0x80 + Math.floor(at / KINDS / KINDS), before, after: BESIDE[at % KINDS]!, count }];
    });
  }
}

/** The index in BESIDE; -1 for a byte that is no part of a word. */
function besideOf(byte: number): number {
  if (byte >= 0x61 && byte <= 0x7a) return 0;
  if (byte >= 0x41 && byte <= 0x5a) return 1;
  return byte >= 0x80 ? 2 : -1;
}

/** The bytes in one encoding, with the language that explains the most. */
export function wordFit(encoding: OneByteEncoding, bytes: WordBytes): WordFit {
  const total = bytes.reduce((sum, { count }) => sum + count, 0);
  const fits = ALPHABETS[encoding].map((alphabet: Alphabet) => ({
    encoding,
    language: alphabet.language,
    explained: bytes.reduce((sum, each) => sum + (isExplained(each, encoding, alphabet) ? each.count : 0), 0),
    total,
  }));
  return fits.toSorted((a, b) => b.explained - a.explained)[0]!;
}

/** Looks at the bytes that two encodings read differently: how many the language of the first explains. */
export function differingFit(
  { encoding, language }: WordFit,
  other: OneByteEncoding,
  bytes: WordBytes,
): { explained: number; total: number; characters: readonly string[] } {
  const differing = bytes.filter(({ byte }) => characterOf(encoding, byte) !== characterOf(other, byte));
  const alphabet = (ALPHABETS[encoding] as readonly Alphabet[]).find((each) => each.language === language)!;
  const sum = (some: WordBytes): number => some.reduce((total, { count }) => total + count, 0);
  return {
    explained: sum(differing.filter((each) => isExplained(each, encoding, alphabet))),
    total: sum(differing),
    characters: telling(encoding, differing),
  };
}

const SHOWN = 4;

/** The most frequent characters. */
function telling(encoding: OneByteEncoding, bytes: WordBytes): readonly string[] {
  const counts = new Map<string, number>();
  for (const { byte, count } of bytes) {
    const character = characterOf(encoding, byte);
    if (character !== '') counts.set(character, (counts.get(character) ?? 0) + count);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SHOWN)
    .map(([character]) => character);
}

const JOINING = /[’‘–—\u00AD\u00A0·]/;

function isExplained(
  { byte, before, after }: WordByte,
  encoding: OneByteEncoding,
  alphabet: Alphabet,
): boolean {
  const character = characterOf(encoding, byte);
  if (JOINING.test(character)) return true;
  const small = character.toLowerCase();
  if (character === '' || !alphabet.letters.has(small)) {
    // The small letter of the Turkish İ is two characters.
    return character === 'İ' && alphabet.language === 'Turkish' && after !== 'lower';
  }
  // A word is written in one script.
  if (/[\u0370-\u04FF]/.test(character)) return before === 'foreign' && after === 'foreign';
  const isCapital = character !== small;
  if (isCapital) return before === 'foreign' || (before === 'upper' && after !== 'lower');
  return character === 'ß' || before !== 'upper' || after !== 'upper';
}

/** The character of a byte in an encoding; empty when it has none. */
export function characterOf(encoding: OneByteEncoding, byte: number): string {
  return CHARACTERS.get(encoding)![byte - 0x80]!;
}

const CHARACTERS = new Map(
  ONE_BYTE_ENCODINGS.map((encoding) => [
    encoding,
    Array.from(
      { length: 0x80 },
      (_, at) => ENCODINGS[encoding].toUtf8(Buffer.of(0x80 + at))?.toString('utf8') ?? '',
    ),
  ]),
);
