import { createHash } from 'node:crypto';
import { descriptorOfKind } from '../../core/contract/resources.ts';
import { Decimal, sum } from '../../core/values/decimal.ts';
import { isJsonObject } from '../../core/values/plain-json.ts';
import type { LedgerRecord } from '../push/ports/platform.ts';
import type { LedgerLine } from './expectation.ts';

/** Digits of a digest: enough to show a difference, few enough to be read. */
const DIGITS = 16;

/** The lines of an expectation for the ledger of a platform, in the order of kind and type. */
export function ledgerLines(records: readonly LedgerRecord[]): readonly LedgerLine[] {
  const typeOf = ({ kind, data }: LedgerRecord): string => {
    const { typeField } = descriptorOfKind(kind);
    return typeField === null ? '' : String(data[typeField]);
  };
  const groups = Map.groupBy(records, (record) => `${record.kind} ${typeOf(record)}`);
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, own]) => {
      const [{ kind }, type] = [own[0]!, typeOf(own[0]!)];
      const { amount } = descriptorOfKind(kind);
      const amounts = own.map(({ data }) => amount && data[amount.field]);
      const texts = amounts.filter((text) => typeof text === 'string');
      return {
        kind,
        ...(type !== '' && { type }),
        count: own.length,
        ...(amount && { sum: sum(texts.map((text) => Decimal.of(text))).text }),
        content: contentOf(own),
      };
    });
}

/** A digest of the records, whatever the order in which they were stored. Locations follow from the paths of a record and from the seed. */
function contentOf(records: readonly LedgerRecord[]): string {
  const hashes = records.map((record) =>
    hashOf(JSON.stringify({ ...record, seq: undefined, documents: undefined }, withSortedKeys)),
  );
  return hashOf(hashes.toSorted().join()).slice(0, DIGITS);
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const withSortedKeys = (_: string, value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
