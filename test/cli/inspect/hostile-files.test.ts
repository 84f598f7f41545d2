import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { shownInspection } from '../../../src/cli/inspect/inspect.ts';
import { documentOf } from '../../../src/cli/output/result.ts';
import { inspectionDocument } from '../../support/json-documents.ts';
import { shownText } from '../../support/shown-text.ts';
import { inspected } from '../../support/inspected.ts';

/** Bytes that look random and are the same in every run. */
function noise(length: number, seed: string): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
    createHash('sha256').update(`${seed}${at}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

const FILES: readonly (readonly [string, Buffer])[] = [
  ['0 bytes', Buffer.alloc(0)],
  ['1 byte', Buffer.from('a')],
  ['a byte order mark and nothing else', Buffer.from('\uFEFF')],
  ['half a UTF-16 mark', Buffer.from([0xff])],
  ['line ends only', Buffer.from('\n\r\n\n')],
  ['delimiters only', Buffer.from(';;;;\n;;;;\n')],
  ['quotes only', Buffer.from('"'.repeat(1_001))],
  ['a quote that is never closed', Buffer.from('a,b\n"x,1\n'.repeat(1_000))],
  [
    '10,000 columns',
    Buffer.from(`${Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(',')}\n${'1,'.repeat(9_999)}1\n`),
  ],
  ['one line of 10 MB', Buffer.alloc(10 * 1024 * 1024, 'x')],
  ['one quoted cell of 200,000 lines', Buffer.from(`a,b\n"${'y\n'.repeat(200_000)}",1\n`)],
  ['names that every object has', Buffer.from('__proto__,constructor,toString\n1,2,3\n')],
  ['names with escape codes and line breaks', Buffer.from('"a\u001B[2J","b\nc",d\n1,2,3\n')],
  ['text without an end of its last character', Buffer.from('a,b\nü,1\nü').subarray(0, -1)],
  ...Array.from({ length: 20 }, (_, seed) => [`random bytes ${seed}`, noise(5_000, `n${seed}`)] as const),
  ...Array.from(
    { length: 20 },
    (_, seed) =>
      [
        `random printable characters ${seed}`,
        Buffer.from(noise(5_000, `p${seed}`).map((byte) => (byte % 12 === 0 ? 10 : 32 + (byte % 95)))),
      ] as const,
  ),
];

describe('an inspection ends with a document and a text', () => {
  test.each(FILES)('%s', async (name, content) => {
    const inspection = await inspected(content);
    expect(inspection.bytes).toBe(content.length);
    const shown = shownInspection(inspection, 'next');
    const document = inspectionDocument.parse(documentOf(shown, 'OK'));
    expect(document.bytes).toBe(content.length);
    const text = shownText(shown);
    // oxlint-disable-next-line no-control-regex
    expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/);
    expect(text.endsWith('next: next\n')).toBe(true);
    const { columns = [], table } = inspection.content ?? {};
    // Only the first of many columns are looked at, and the number of the others is reported.
    if (name === '10,000 columns') {
      expect(columns.length + table!.columnsLeftOut).toBe(10_000);
      expect(table!.columnsLeftOut).toBeGreaterThan(0);
    }
  });
});
