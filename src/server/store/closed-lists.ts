import type { Database } from 'better-sqlite3';

/** The open enums of the interface, by their names in a seed. */
export type EnumField =
  | 'reason'
  | 'payment_type'
  | 'rate_band'
  | 'tax_type'
  | 'unit_type'
  | 'instruction_type';

/** The names of lists. `type`: of the transactions that may have the values; empty for all of them. */
export const listOf = {
  productCodes: () => 'product_code',
  documents: (supplier: string) => `document ${supplier}`,
  enumValues: (field: EnumField, type: string) => `enum ${field} ${type}`,
};

/** The values that the operator has listed. Without a list every value exists. */
export function closedListsIn(database: Database) {
  const drop = database.prepare<[string]>('DELETE FROM closed_lists WHERE list = ?');
  const dropEnums = database.prepare<[]>("DELETE FROM closed_lists WHERE list GLOB 'enum *'");
  const add = database.prepare<[string, string]>(
    'INSERT INTO closed_lists (list, value) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const enums = database
    .prepare<[], string>("SELECT DISTINCT list FROM closed_lists WHERE list GLOB 'enum *'")
    .pluck();
  const takes = database
    .prepare<[string, string, string], 0 | 1 | null>(
      'SELECT max(value = ?) FROM closed_lists WHERE list IN (?, ?)',
    )
    .pluck();
  const replace = (list: string, values: readonly string[]) => {
    drop.run(list);
    for (const value of values) add.run(list, value);
  };

  return {
    /** Replaces a list. */
    replace,
    /** Replaces the lists of all enums. */
    replaceEnums: (lists: readonly (readonly [list: string, values: readonly string[]])[]) => {
      dropEnums.run();
      for (const [list, values] of lists) for (const value of values) add.run(list, value);
    },
    /** The enums with values for at least one type. */
    closedEnums: () => new Set(enums.all().map((list) => list.split(' ')[1] as EnumField)),
    /** Whether one of two lists has a value; undefined while both are empty. */
    takes: (value: string, list: string, other = list) => {
      const found = takes.get(value, list, other) ?? null;
      return found === null ? undefined : found === 1;
    },
  };
}
