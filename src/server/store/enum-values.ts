import type { Database } from 'better-sqlite3';

/** The open enums of the interface, by their names in a seed. */
export const ENUM_FIELDS = [
  'reason',
  'payment_type',
  'rate_band',
  'tax_type',
  'unit_type',
  'instruction_type',
] as const;
export type EnumField = (typeof ENUM_FIELDS)[number];

export interface EnumValue {
  readonly field: EnumField;
  /** The type of transaction that may have the value; '' for all types, and for records without types. */
  readonly transactionType: string;
  readonly value: string;
}

export function enumValuesIn(database: Database) {
  const drop = database.prepare<[]>('DELETE FROM enum_values');
  const add = database.prepare<[EnumValue]>(
    'INSERT INTO enum_values (field, transaction_type, value) VALUES (@field, @transactionType, @value) ON CONFLICT DO NOTHING',
  );
  const closed = database.prepare<[], EnumField>('SELECT DISTINCT field FROM enum_values').pluck();
  const takes = database
    .prepare<[EnumValue], 0 | 1 | null>(
      "SELECT max(value = @value) FROM enum_values WHERE field = @field AND transaction_type IN ('', @transactionType)",
    )
    .pluck();

  return {
    /** Replaces the values of all enums. An enum without values is open. */
    replace: (values: readonly EnumValue[]) => {
      drop.run();
      for (const value of values) add.run(value);
    },
    /** The fields with values for at least one type. */
    closed: () => new Set(closed.all()),
    /** Whether an enum allows a value; undefined while it is open. */
    takes: (value: EnumValue) => {
      const found = takes.get(value) ?? null;
      return found === null ? undefined : found === 1;
    },
  };
}
