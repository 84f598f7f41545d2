import { gzipSync } from 'node:zlib';
import type { PlatformAnswer } from '../../src/cli/push/ports/platform.ts';
import { bytesOf, type RawAnswer } from './raw-server.ts';

type Answer = Extract<PlatformAnswer, { kind: 'answer' }>;

/** Informational answers before the real one. */
const FLOOD = 1_000;

const flooded =
  (line: string) =>
  (answer: Answer): RawAnswer =>
    whole(
      Buffer.concat([
        Buffer.from(`HTTP/1.1 ${line}\r\n\r\n`.repeat(FLOOD)),
        bytesOf(answer, 'content-length'),
      ]),
    );

const whole = (bytes: Uint8Array): RawAnswer => ({ bytes, close: false });

/** An answer with these headers, in place of those that describe its content. */
function labelled(body: Buffer, headers: Readonly<Record<string, string>>): RawAnswer {
  const all = { 'content-type': 'application/json', ...headers, 'content-length': String(body.length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return whole(Buffer.concat([Buffer.from(`HTTP/1.1 201 Created\r\n${lines.join('')}\r\n`), body]));
}

/** Answers to a request that was applied, as servers and proxies get them wrong on the wire. */
export const ODD_ANSWERS: Readonly<Record<string, (answer: Answer) => RawAnswer>> = {
  'a flood of 100 Continue': flooded('100 Continue'),
  'a flood of 103 Early Hints': flooded('103 Early Hints\r\nlink: </x>'),
  'trailers that say the contrary': (answer) => {
    const chunked = Buffer.from(bytesOf(answer, 'chunked'));
    const end = Buffer.from('x-status: TRANSACTION_IMPORT_ERROR\r\nstatus: 400\r\n\r\n');
    return whole(Buffer.concat([chunked.subarray(0, -2), end]));
  },
  compressed: ({ body }) => labelled(gzipSync(body), { 'content-encoding': 'gzip' }),
  'compressed without a label': ({ body }) => labelled(gzipSync(body), {}),
  'labelled as compressed': ({ body }) => labelled(Buffer.from(body), { 'content-encoding': 'gzip' }),
  'labelled as a page': ({ body }) => labelled(Buffer.from(body), { 'content-type': 'text/html' }),
  'labelled as UTF-16': ({ body }) =>
    labelled(Buffer.from(body, 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }),
  'a drip without end': () => ({
    bytes: Buffer.from(
      'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    ),
    close: false,
    drip: Buffer.from('1\r\n \r\n'),
  }),
};
