import type { DocumentListing } from '../push/ports/documents.ts';
import { inPortions } from './portions.ts';
import { openScratch } from '../journal/database/run-database.ts';

/** How many documents are looked for below every folder before the listing is taken for one without a folder around it. */
const TRIALS = 20;

/** Opens an empty listing on disk, so that ten million paths take no memory. It is gone when it is closed. */
export function openListingStore() {
  const db = openScratch();
  db.exec(
    'CREATE TABLE listed (path TEXT PRIMARY KEY, used INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID',
  );
  const insert = db.prepare('INSERT OR IGNORE INTO listed (path) VALUES (?)');
  const mark = db.prepare('UPDATE listed SET used = 1 WHERE path = ?');
  const below = db
    .prepare<{ path: string }, string>(
      "SELECT path FROM listed WHERE substr(path, -length(@path) - 1) = '/' || @path LIMIT 1",
    )
    .pluck();
  const unused = db.prepare<[], number>('SELECT count(*) FROM listed WHERE used = 0').pluck();
  const count = db.prepare<[], number>('SELECT count(*) FROM listed').pluck();
  const paths = inPortions<string>(db, (path) => void insert.run(path));
  let folder: string | undefined;
  let trials = 0;
  /** The folder of the supplier, when the listing begins above it. */
  const folderAround = (path: string): string | undefined => {
    if (folder !== undefined || trials >= TRIALS) return folder;
    trials++;
    const found = below.get({ path });
    if (found !== undefined) folder = found.slice(0, -path.length);
    return folder;
  };
  return {
    add: paths.add,
    /** The listing once every path is in. */
    listing(name: string): DocumentListing {
      paths.flush();
      return {
        name,
        has(path) {
          if (mark.run(path).changes > 0) return true;
          const around = folderAround(path);
          return around !== undefined && mark.run(around + path).changes > 0;
        },
        counts: () => ({ listed: count.get()!, unused: unused.get()! }),
      };
    },
    close: () => void db.close(),
  };
}
