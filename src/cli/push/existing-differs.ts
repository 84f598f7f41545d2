import type { Resource } from '../../core/contract/resources.ts';
import { compareDecimals, Decimal } from '../../core/values/decimal.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import type { BatchRecord } from './ports/batch.ts';
import type { RecordReading } from './ports/run.ts';

type Differing = ReadonlyMap<BatchRecord, NonNullable<RecordReading['differsIn']>>;
type Fields = Readonly<Record<string, unknown>>;

/**
 * The records of which the platform holds another amount or type under the same id: it goes by the id alone (interface.md
 * 3.3), and answers with what it holds. The date is not compared, because the platform moves it, nor are notes. What an
 * answer does not have, or has unreadably, tells nothing. `existing`: the records that were there, of a body that accounts
 * for every record.
 */
export function differingIn(resource: Resource, existing: readonly BatchRecord[], body: string): Differing {
  if (resource !== 'transactions' || existing.length === 0) return new Map();
  const stored = storedIn(body);
  return new Map(
    existing.flatMap((record) => {
      const field = fieldThatDiffers(parseExactJson(record.payload) as Fields, stored.get(record.id!) ?? {});
      return field === undefined ? [] : [[record, field] as const];
    }),
  );
}

function fieldThatDiffers(sent: Fields, stored: Fields): RecordReading['differsIn'] {
  const amounts = [decimalOf(sent['amount']), decimalOf(stored['amount'])] as const;
  if (amounts[0] && amounts[1] && compareDecimals(amounts[0], amounts[1]) !== 0) return 'amount';
  return typeof stored['type'] === 'string' && stored['type'] !== sent['type'] ? 'type' : undefined;
}

/** An amount as a number or as text. */
function decimalOf(value: unknown): Decimal | undefined {
  if (value instanceof Decimal) return value;
  return typeof value === 'string' ? Decimal.parse(value) : undefined;
}

/** The transactions of an answer by their ids, with every number digit for digit. */
function storedIn(body: string): ReadonlyMap<unknown, Fields> {
  try {
    const { results } = parseExactJson(body) as { results: readonly { transaction_data: Fields }[] };
    return new Map(results.map(({ transaction_data: data }) => [data['transaction_id'], data]));
  } catch {
    // A field that stands there twice, with two values, is not readable.
    return new Map();
  }
}
