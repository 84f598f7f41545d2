import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync, type InputType } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bodyOf, MAX_ANSWER_BYTES } from '../../../src/cli/client/requests.ts';

const TEXT = '{"detail":"Žluť 😀"}';

const CODINGS: Readonly<Record<string, (text: InputType) => Buffer>> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  GZIP: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  identity: (text) => Buffer.from(text as string),
};

describe('a body that a proxy packed', () => {
  test.each(Object.entries(CODINGS))('as %s is unpacked', (coding, pack) => {
    expect(bodyOf({ 'content-encoding': coding }, [pack(TEXT)])).toEqual({ body: TEXT });
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
    ['by its label alone', 'gzip', Buffer.from(TEXT)],
    ['and cut', 'gzip', gzipSync(TEXT).subarray(0, -8)],
  ])('%s is unreadable', (_, coding, bytes) => {
    expect(bodyOf({ 'content-encoding': coding }, [bytes])).toEqual({
      body: '',
      unreadable: `it cannot be unpacked (${coding})`,
    });
  });

  test('without a label is unreadable', () => {
    expect(bodyOf({}, [gzipSync(TEXT)])).toEqual({ body: '', unreadable: 'it is not UTF-8' });
  });
});

test('a body of UTF-8 is read, whatever its charset says, and no other', () => {
  for (const charset of ['utf-8', 'ISO-8859-1', 'utf-16']) {
    const headers = { 'content-type': `text/html;charset=${charset}` };
    expect(bodyOf(headers, [Buffer.from(TEXT)])).toEqual({ body: TEXT });
    const unreadable = { body: '', unreadable: 'it is not UTF-8' };
    expect(bodyOf(headers, [Buffer.from('{"detail":"ungültig"}', 'latin1')])).toEqual(unreadable);
  }
  expect(bodyOf({}, [Buffer.from(`\uFEFF${TEXT}`)])).toEqual({ body: TEXT });
});
