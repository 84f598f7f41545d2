import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync, type InputType } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bodyOf, MAX_ANSWER_BYTES } from '../../../src/cli/client/requests.ts';

const TEXT = '{"detail":"Žluť 😀"}';
const ACCENTS = '{"detail":"Betrag ungültig"}';

const CODINGS: Readonly<Record<string, (text: InputType) => Buffer>> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  GZIP: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  'deflate, gzip': (text) => gzipSync(deflateSync(text)),
  identity: (text) => Buffer.from(text as string),
};

describe('a body that a proxy packed', () => {
  test.each(Object.entries(CODINGS))('as %s is unpacked', (coding, pack) => {
    expect(bodyOf({ 'content-encoding': coding }, [pack(TEXT)])).toEqual({ body: TEXT });
  });

  test.each(['gzip', 'deflate', 'br', 'compress'])('is read as it is when %s is a wrong label', (coding) => {
    expect(bodyOf({ 'content-encoding': coding }, [Buffer.from(TEXT)])).toEqual({ body: TEXT });
    expect(bodyOf({ 'content-encoding': coding }, [])).toEqual({ body: '' });
  });

  test('is not unpacked beyond the longest body', () => {
    const bomb = gzipSync(Buffer.alloc(MAX_ANSWER_BYTES + 1, ' '));
    expect(bodyOf({ 'content-encoding': 'gzip' }, [bomb])).toEqual({
      body: '',
      unreadable: 'it is larger than 16 MiB',
    });
    const longest = gzipSync(Buffer.alloc(MAX_ANSWER_BYTES, ' '));
    expect(bodyOf({ 'content-encoding': 'gzip' }, [longest]).body).toHaveLength(MAX_ANSWER_BYTES);
  });

  test.each([
    ['in a way that nobody knows', 'compress', gzipSync(TEXT)],
    ['and cut', 'gzip', gzipSync(TEXT).subarray(0, -8)],
  ])('%s is unreadable', (_, coding, bytes) => {
    expect(bodyOf({ 'content-encoding': coding }, [bytes])).toEqual({
      body: '',
      unreadable: `it cannot be unpacked (${coding})`,
    });
  });

  test('without a label is no text', () => {
    expect(bodyOf({}, [gzipSync(TEXT)])).toEqual({ body: '', unreadable: 'it is no text' });
  });
});

describe('a body that is not UTF-8', () => {
  test.each([
    ['ISO-8859-1', 'latin1'],
    ['"iso-8859-1"', 'latin1'],
    ['utf-16', 'utf16le'],
    ['no-such-charset', 'latin1'],
    ['utf-8', 'latin1'],
  ] as const)('is read as %s says, or as Western', (charset, encoding) => {
    const type = `application/json; charset=${charset}`;
    expect(bodyOf({ 'content-type': type }, [Buffer.from(ACCENTS, encoding)])).toEqual({ body: ACCENTS });
  });

  test('without a charset is read as Western', () => {
    expect(bodyOf({}, [Buffer.from(ACCENTS, 'latin1')])).toEqual({ body: ACCENTS });
  });
});

test('a body of UTF-8 is read as UTF-8, whatever its charset says', () => {
  for (const charset of ['utf-8', 'ISO-8859-1', 'utf-16'])
    expect(bodyOf({ 'content-type': `text/html;charset=${charset}` }, [Buffer.from(TEXT)])).toEqual({
      body: TEXT,
    });
  expect(bodyOf({}, [Buffer.from(`\uFEFF${TEXT}`)])).toEqual({ body: TEXT });
});
