import type { Database } from 'better-sqlite3';

export function productCodesIn(database: Database) {
  const drop = database.prepare<[]>('DELETE FROM product_codes');
  const add = database.prepare<[string]>(
    'INSERT INTO product_codes (code) VALUES (?) ON CONFLICT DO NOTHING',
  );
  const has = database
    .prepare<[string], 0 | 1>(
      'SELECT NOT EXISTS (SELECT 1 FROM product_codes) OR EXISTS (SELECT 1 FROM product_codes WHERE code = ?)',
    )
    .pluck();

  return {
    /** Replaces the list. With an empty list every code exists. */
    replace: (codes: readonly string[]) => {
      drop.run();
      for (const code of codes) add.run(code);
    },
    /** Whether a product code exists; true for every code while there is no list. */
    has: (code: string) => has.get(code) === 1,
  };
}
