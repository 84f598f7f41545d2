import type { SentRecord, SourceRecord } from '../../src/cli/comparison/ports.ts';

/** A record of a comparison: `a` on account 1, unless the test says otherwise. */
export function sentRecord(given: Partial<SentRecord> = {}): SentRecord {
  const { key = 'a', seq = 1 } = given;
  return {
    import_supplier: 'ACME',
    external_account_number: '1',
    key,
    variant: '',
    seq,
    type: 'CREDIT',
    amount: '1.10',
    content: Buffer.from(key),
    source: 1,
    line: seq + 1,
    lastLine: seq + 1,
    byteStart: seq * 10,
    byteEnd: seq * 10 + 9,
    form: Buffer.from(key),
    checksum: 7,
    origin: 0,
    reading: 1,
    outcome: 'created',
    answered: null,
    sentBy: null,
    ...given,
  };
}

/** A record without an origin, as a row of a file has it. */
export const sourceRecord = (given: Partial<SentRecord> = {}): SourceRecord => sentRecord(given);
