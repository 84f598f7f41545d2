import type { SourceRecord } from '../../src/cli/comparison/ports.ts';

/** A record of a comparison, of either side: `a` on account 1, unless the test says otherwise. */
export function comparedRecord(given: Partial<SourceRecord> = {}): SourceRecord {
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
    ...given,
  };
}
