import { describe, expect, test } from 'vitest';
import type { SentRecord } from '../../../src/cli/comparison/ports.ts';
import { judgeSent } from '../../../src/cli/comparison/sent-record.ts';
import { sentRecord } from '../../support/compared-record.ts';

const row = sentRecord();
const judged = (sent: Partial<SentRecord>, isSameFile = true) => judgeSent(row, sentRecord(sent), isSameFile);

describe('a row and the record that was sent for it', () => {
  test('are equal with equal facts, however the amount is written', () => {
    expect(judged({})).toEqual({ code: null, fields: [] });
    expect(judged({ amount: '1.1' })).toEqual({ code: null, fields: [] });
  });

  test.each<readonly [string, Partial<SentRecord>, readonly string[]]>([
    ['type', { type: 'PAYMENT' }, ['type']],
    ['amount', { amount: '1.11' }, ['amount']],
    ['amount that one lacks', { amount: null }, ['amount']],
    ['content', { content: Buffer.from('b') }, ['content']],
    ['source', { source: 2 }, ['source']],
    ['first line', { line: 9 }, ['line']],
    ['last line', { lastLine: 9 }, ['line']],
    ['first byte', { byteStart: 0 }, ['byte']],
    ['last byte', { byteEnd: 0 }, ['byte']],
    ['checksum', { checksum: 8 }, ['checksum']],
    ['content and checksum', { content: Buffer.from('b'), checksum: 8 }, ['content']],
    ['several facts', { type: 'PAYMENT', amount: '2', line: 9 }, ['type', 'amount', 'line']],
  ])('differ by another %s', (_name, sent, fields) => {
    expect(judged(sent)).toEqual({ code: 'record_differs', fields });
  });

  test.each([{ line: 9 }, { byteEnd: 0 }, { source: 2 }, { checksum: 8 }])(
    'may be at another place in another version of the file: %j',
    (sent) => {
      expect(judged(sent, false)).toEqual({ code: null, fields: [] });
    },
  );

  test('differ by the amount that the answer names', () => {
    expect(judged({ answered: '1.10' }).code).toBeNull();
    expect(judged({ answered: '1.1' }).code).toBeNull();
    expect(judged({ answered: '1.11' })).toEqual({ code: 'record_differs', fields: ['answer'] });
  });
});
