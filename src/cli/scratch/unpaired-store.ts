import type { ComparedRecord, Unpaired, UnpairedStore } from '../comparison/ports.ts';
import { inPortions } from './portions.ts';
import { openScratch } from '../journal/database/run-database.ts';

type Side = 'source' | 'found';

/**
 * Opens an empty store for records without a counterpart, on disk, because all records of a file may be missing. Records of
 * both sides with the same supplier, key and content belong together.
 */
export function openUnpairedStore(): UnpairedStore & { close(): void } {
  const db = openScratch();
  db.exec(`
    CREATE TABLE unpaired (
      id INTEGER PRIMARY KEY, side TEXT NOT NULL, import_supplier TEXT NOT NULL, key TEXT NOT NULL, content BLOB NOT NULL,
      record TEXT NOT NULL
    ) STRICT`);
  const insert = db.prepare(
    'INSERT INTO unpaired (side, import_supplier, key, content, record) VALUES (?, ?, ?, ?, ?)',
  );
  const unpaired = inPortions<readonly [Side, ComparedRecord]>(db, ([side, { content, ...record }]) => {
    insert.run(side, record.import_supplier, record.key, content, JSON.stringify(record));
  });
  return {
    addMissing: (record) => unpaired.add(['source', record]),
    addExtra: (record) => unpaired.add(['found', record]),
    *pairs() {
      unpaired.flush();
      const rows = db.prepare<[], { source: string | null; found: string | null }>(PAIRS).iterate();
      for (const { source, found } of rows)
        yield { source: recordOf(source), found: recordOf(found) } as Unpaired;
    },
    close: () => void db.close(),
  };
}

/** The n-th missing record belongs to the n-th extra record with the same content. */
const NUMBERED = `SELECT *, row_number() OVER (PARTITION BY import_supplier, key, content ORDER BY id) AS n FROM unpaired`;
const PAIRS = `
  SELECT missing.record AS source, extra.record AS found
  FROM (${NUMBERED} WHERE side = 'source') AS missing
  FULL JOIN (${NUMBERED} WHERE side = 'found') AS extra USING (import_supplier, key, content, n)
  ORDER BY coalesce(missing.id, extra.id)`;

function recordOf(text: string | null): unknown {
  return text === null ? null : { ...(JSON.parse(text) as object), content: Buffer.alloc(0) };
}
