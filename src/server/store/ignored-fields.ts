import type { Database } from 'better-sqlite3';
import type { Resource } from '../../core/contract/resources.ts';

/** An unlisted field and how often it was dropped. */
export interface IgnoredField {
  readonly resource: Resource;
  /** Its path in the payload, with `*` for the indexes of lists. */
  readonly field: string;
  readonly times: number;
}

export function ignoredFieldsIn(database: Database) {
  const count = database.prepare<[Resource, string]>(`
    INSERT INTO ignored_fields (resource, field, times) VALUES (?, ?, 1)
    ON CONFLICT (resource, field) DO UPDATE SET times = times + 1`);
  const all = database.prepare<[], IgnoredField>('SELECT * FROM ignored_fields ORDER BY resource, field');
  const drop = database.prepare<[]>('DELETE FROM ignored_fields');

  return {
    count: (resource: Resource, field: string) => void count.run(resource, field),
    /** By resource and field. */
    all: () => all.all(),
    drop: () => void drop.run(),
  };
}
