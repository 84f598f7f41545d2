import { ENCODINGS } from '../csv/encodings.ts';
import type { SourceEncoding } from '../csv/source-format.ts';
import type { ByteCensus } from './byte-census.ts';
import type { EncodingEvidence } from './encoding-finding.ts';

/** An encoding that a person has named: taken, unless bytes do not fit. */
export async function givenEvidence(
  name: SourceEncoding,
  { mark }: ByteCensus,
  chunks: AsyncIterable<Buffer>,
): Promise<EncodingEvidence> {
  const place = await firstUnfit(name, chunks);
  const given = { name, byteOrderMark: mark !== null, candidates: [], places: [] };
  return place === undefined
    ? { ...given, certainty: 'proven', because: 'given by --encoding, and every byte fits' }
    : {
        ...given,
        certainty: 'open',
        because: `given by --encoding, but byte ${place} is no character of it`,
      };
}

/** Zero-based offset of the first byte that does not fit; undefined when all do. */
async function firstUnfit(name: SourceEncoding, chunks: AsyncIterable<Buffer>): Promise<number | undefined> {
  const { unfinished, wellFormed } = ENCODINGS[name];
  let offset = 0;
  let carry: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([carry, chunk]);
    const whole = bytes.length - unfinished(bytes);
    const good = wellFormed(bytes.subarray(0, whole));
    if (good < whole) return offset + good;
    carry = Buffer.from(bytes.subarray(whole));
    offset += whole;
  }
  return carry.length > 0 ? offset : undefined;
}
