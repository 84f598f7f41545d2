import { fileWord } from '../../../core/command-line.ts';
import { type SourceEncoding, ENCODINGS, SOURCE_ENCODINGS } from '../../csv/encodings.ts';
import { utf16Of } from '../../csv/opening.ts';
import { markOf, type ByteProfile } from './byte-profile.ts';

/** The encoding of a file, and why. */
export interface EncodingFinding {
  /** That of the first candidate when it is open. */
  readonly name: SourceEncoding;
  readonly certainty: 'proven' | 'open';
  readonly because: string;
  /** The encodings that a question offers. Empty where the file decides. */
  readonly candidates: readonly EncodingCandidate[];
}

/** An encoding that a person may choose, and words of the file as it reads them. All candidates have the same words. */
type EncodingCandidate = Readonly<{ name: SourceEncoding; words: readonly string[] }>;

/**
 * The encoding of a file. A byte order mark or well-formed UTF-8 decides it, or NULs that only one order of UTF-16 has.
 * Any other file is a question. A person may have answered it before (`given`).
 */
export async function encodingFinding(
  profile: ByteProfile,
  chunks: () => AsyncIterable<Buffer>,
  given: SourceEncoding | undefined,
): Promise<EncodingFinding> {
  const { head, notUtf8 } = profile;
  const decided = (name: EncodingFinding['name'], because: string): EncodingFinding => ({
    name,
    certainty: 'proven',
    because,
    candidates: [],
  });
  // The rows end at a byte that does not fit.
  if (given !== undefined) return decided(given, 'named by a person');
  const mark = markOf(head);
  if (mark !== undefined && (mark !== 'utf-8' || !notUtf8))
    return decided(mark, 'it begins with the byte order mark');
  const order = utf16Of(head);
  if (order !== undefined) return decided(order, 'NULs are only at one byte of each pair');
  if (!notUtf8) return decided('utf-8', 'all bytes are well-formed UTF-8');
  const candidates = candidatesFor(await wordsOf(chunks()));
  const because = `byte ${notUtf8.byte} on line ${notUtf8.line} is no UTF-8`;
  return { ...decided(candidates[0]!.name, because), certainty: 'open', candidates };
}

/** The answer for a file in an encoding that is none of the candidates. */
export function conversionOf(file: string): string {
  const name = file === '<stdin>' ? 'FILE' : file;
  const plain = name.replace(/\.gz$/i, '');
  const converted = fileWord(plain.replace(/(\.[^./\\]*)?$/, '.utf8$1'));
  const [first, read] = plain === name ? ['', ` ${fileWord(name)}`] : [`gunzip -c ${fileWord(name)} | `, ''];
  return `none of these: convert the file, \`${first}iconv -f CP850 -t UTF-8${read} > ${converted}\`, with the name of its encoding for CP850 (CP437, CP852, KOI8-R, CP949, GB18030 …; \`iconv -l\` lists all)`;
}

/** Encodings with characters of several bytes. */
const LONG = ['shift_jis', 'euc-kr', 'gbk', 'euc-jp', 'big5'] as const;
const isLong = (name: SourceEncoding): boolean => LONG.some((each) => each === name);
/** Encodings in which every character is one byte. */
const SHORT = SOURCE_ENCODINGS.filter((name) => !name.startsWith('utf-') && !isLong(name));
/** Of encodings that read equally many words, the first one comes first. Text of one byte a character hardly ever fits a long one. */
const IN_ORDER = [...new Set<SourceEncoding>(['windows-1252', ...LONG, ...SHORT])];

const MOST_CANDIDATES = 3;
/** A few words with an even number of bytes each fit them all. */
const MOST_LONG = 2;
const SHOWN_WORDS = 3;
const SHOWN_CHARACTERS = 20;

/** Different words that are remembered, and bytes of the longest one. */
const MOST_WORDS = 300;
const LONGEST_WORD = 4096;

/** A word with a byte beyond ASCII. Bytes from 40 on keep the characters of every encoding whole, whatever their length. */
const WORD = /[\x40-\xFF]*[\x80-\xFF][\x40-\xFF]*/g;

/** Different words of a file that is not Unicode, of which each byte is a character here. */
async function wordsOf(chunks: AsyncIterable<Buffer>): Promise<readonly string[]> {
  const words = new Set<string>();
  // The next bytes may continue a word at the end of the bytes so far.
  let waiting = '';
  for await (const chunk of chunks) {
    const text = waiting + chunk.toString('latin1');
    let end = text.length;
    while (end > 0 && text[end - 1]! >= '\x40') end--;
    waiting = text.slice(end).slice(-LONGEST_WORD);
    for (const [word] of text.slice(0, end).matchAll(WORD)) words.add(word);
    if (words.size >= MOST_WORDS) break;
  }
  for (const [word] of waiting.matchAll(WORD)) words.add(word);
  return [...words].slice(0, MOST_WORDS);
}

/**
 * The encodings to choose from, each with the same words: those that read the most words as words, and of encodings that read all words alike
 * the first one.
 */
function candidatesFor(words: readonly string[]): readonly EncodingCandidate[] {
  const readings = IN_ORDER.flatMap((name) => {
    const texts = words.flatMap((word) => textOf(word, name) ?? []);
    return texts.length < words.length ? [] : { name, texts, key: texts.join('\0') };
  });
  const ranked = readings
    .filter(({ key }, at) => readings.findIndex((each) => each.key === key) === at)
    .toSorted((one, other) => oddWords(one) - oddWords(other));
  const tooMany = ranked.filter(({ name }) => isLong(name)).slice(MOST_LONG);
  const chosen = ranked.filter((each) => !tooMany.includes(each)).slice(0, MOST_CANDIDATES);
  const differing = words.filter((word) => new Set(chosen.map(({ name }) => textOf(word, name))).size > 1);
  const shown = tellingWords(differing.length > 0 ? differing : words);
  return chosen.map(({ name }) => ({
    name,
    words: shown.map((word) => shortened(textOf(word, name)!)),
  }));
}

const KANA = /[\u3041-\u30FA]/;

/** How many texts are no words. Japanese has kana, and what is read as another language has none. */
function oddWords({ name, texts }: { name: SourceEncoding; texts: readonly string[] }): number {
  const isOdd = isLong(name) && texts.some((text) => KANA.test(text)) !== /jis|jp/.test(name);
  return texts.filter((text) => !isWord(text)).length + (isOdd ? 1 : 0);
}

/** Undefined where the encoding has no such bytes. */
function textOf(word: string, name: SourceEncoding): string | undefined {
  return ENCODINGS[name].toUtf8(Buffer.from(word, 'latin1'))?.toString();
}

/** Words for a person to look at: each has the most bytes beyond ASCII that the words before do not have. A sign alone says little. */
function tellingWords(words: readonly string[]): readonly string[] {
  const shown: string[] = [];
  const fresh = (word: string): number =>
    new Set([...word].filter((byte) => byte >= '\x80' && !shown.join('').includes(byte))).size -
    (word.length === 1 ? 0.5 : 0);
  while (shown.length < Math.min(SHOWN_WORDS, words.length)) {
    const others = words.filter((word) => !shown.includes(word));
    shown.push(others.toSorted((one, other) => fresh(other) - fresh(one))[0]!);
  }
  return shown;
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > SHOWN_CHARACTERS ? `${characters.slice(0, SHOWN_CHARACTERS).join('')}…` : text;
}

/** Letters that are written together. Half-width kana are a script of their own. No Latin word has only letters beyond ASCII. */
const SCRIPTS = [
  ...['Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Thai', 'Hangul'].map((name) => `\\p{Script=${name}}`),
  String.raw`\p{Script=Han}\p{Script=Hiragana}\u30A0-\u30FF`,
  String.raw`\uFF61-\uFF9F`,
].map((letters) => new RegExp(`^[${letters}\\p{M}]*$`, 'u'));
const LATIN = /^(?=.*[A-Za-z]|.{0,2}$)[\p{Script=Latin}\p{M}]*$/u;
/** Capital letters are in front, or there are no others. */
const CASE = /^(?:\p{Lu}+|\p{Lu}?[^\p{Lu}]*)$/u;
const BETWEEN_WORDS = /[\0-@[-`{-\x7F\u2010-\u203A\u3000-\u3004\u3008-\u303F\uFF01-\uFF20]+/u;

/** Whether a text is words: letters of one script, with one sign at most before and behind them. */
function isWord(text: string): boolean {
  return (
    text !== '' &&
    text.split(BETWEEN_WORDS).every((part) => {
      const letters = part.replaceAll(/^[^\p{L}\p{M}]|[^\p{L}\p{M}]$/gu, '');
      return (
        !/^\p{M}/u.test(letters) &&
        CASE.test(letters) &&
        [LATIN, ...SCRIPTS].some((script) => script.test(letters))
      );
    })
  );
}
