import { isSameMoney } from '../../core/values/decimal.ts';
import type { ComparedRecord } from '../comparison/ports.ts';
import type { FoundReading, OpenJournals } from '../journal/found-readings.ts';
import { ARRIVED } from '../push/ports/report.ts';

/** The run of ours that has sent a record of the platform; undefined without one. `contents`: the hashes that it may have; any when left out. */
export type SenderOf = (
  record: ComparedRecord,
  contents: readonly Buffer[] | undefined,
) => string | undefined;

/** Outcomes of records that the platform has. */
const THERE: readonly string[] = [...ARRIVED, 'verify'];

/** Looks records up in the journals that some readings are in. */
export function sendersIn(found: readonly FoundReading[], journals: OpenJournals): SenderOf {
  const files = [...Map.groupBy(found, ({ file }) => file)].map(([, readings]) => {
    const ids = new Map(readings.map(({ number, header }) => [number, header.id]));
    return { proving: journals.reading(readings[0]!).proving, ids };
  });
  return (record, contents) => {
    for (const { proving, ids } of files) {
      // The platform gives a time to a note that has none, and then its variant is another.
      const sent = proving.recordOf(record) ?? proving.recordOf({ ...record, variant: '' });
      if (!sent || !THERE.includes(sent.outcome)) continue;
      if (sent.type !== record.type || !isSameMoney(sent.amount, record.amount)) continue;
      if (contents?.some((each) => each.equals(sent.content)) !== false) return ids.get(sent.reading);
    }
    return undefined;
  };
}
