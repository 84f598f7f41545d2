import { fileWord } from '../../../core/command-line.ts';
import type { SourceEncoding } from '../../csv/encodings.ts';
import { utf16Of } from '../../csv/opening.ts';
import type { EncodingFinding } from '../inspection.ts';
import { countBetween, markOf, type ByteProfile } from './byte-profile.ts';
import { LegacyText } from './encoding-candidates.ts';

type Chunks = () => AsyncIterable<Buffer>;

/**
 * The encoding of a file. A byte order mark or well-formed UTF-8 decides it, or NULs that only one order of UTF-16 has.
 * Any other file is a question. A person may have answered it before (`given`).
 */
export async function encodingFinding(
  profile: ByteProfile,
  chunks: Chunks,
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
  if (mark !== undefined && mark !== 'utf-8') return decided(mark, 'it begins with the byte order mark');
  const order = utf16Of(head);
  if (order !== undefined) return decided(order, 'NULs are only at one byte of each pair');
  if (!notUtf8) return decided('utf-8', utf8Reason(profile));
  const legacy = new LegacyText();
  for await (const chunk of chunks()) legacy.accept(chunk);
  const readings = legacy.candidates();
  const candidates = readings.flatMap(({ name, words }) => (name === 'CP850' ? [] : { name, words }));
  const [{ name: first, words }] = readings as [(typeof readings)[number]];
  const dos = first === 'CP850' ? `; CP850, to be converted, has ${words.join(' | ')}` : '';
  const because = `byte ${notUtf8.byte} on line ${notUtf8.line} is no UTF-8${dos}`;
  return { ...decided(candidates[0]!.name, because), certainty: 'open', candidates };
}

function utf8Reason({ head, counts }: ByteProfile): string {
  const isMarked = markOf(head) !== undefined;
  const marked = !isMarked ? '' : 'it begins with the byte order mark, and ';
  // Every character beyond ASCII has one lead byte. The byte order mark is no character of the text.
  const foreign = countBetween(counts, 0xc0, 0xff) - (isMarked ? 1 : 0);
  return foreign === 0
    ? `${marked}every byte is ASCII`
    : `${marked}all ${foreign} characters beyond ASCII are well-formed UTF-8`;
}

/** The answer for a file in an encoding that is none of the candidates. */
export function conversionOf(file: string): string {
  const name = file === '<stdin>' ? 'FILE' : file;
  const plain = name.replace(/\.gz$/i, '');
  const converted = fileWord(plain.replace(/(\.[^./\\]*)?$/, '.utf8$1'));
  const [first, read] = plain === name ? ['', ` ${fileWord(name)}`] : [`gunzip -c ${fileWord(name)} | `, ''];
  return `none of these: convert the file, \`${first}iconv -f CP850 -t UTF-8${read} > ${converted}\`, with the name of its encoding for CP850 (CP437, CP852, KOI8-R, CP949, GB18030 …; \`iconv -l\` lists all)`;
}
