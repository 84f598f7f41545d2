import type { RepeatedHashes } from '../push/ports/staging.ts';
import { guard } from './integrity.ts';
import type { RunDatabase } from './run-database.ts';

/** Hashes are kept apart by their highest bits, so that equal ones meet in one bucket and a bucket fits into memory. */
const BUCKETS = 16;
const BUCKET_SHIFT = 28;

/** Hashes of a bucket in memory. A full bucket is moved to the disk. */
const HASHES_IN_MEMORY = 8192;

interface Bucket {
  /** Pairs of low and high halves. */
  readonly halves: Uint32Array;
  used: number;
}

/** Finds out whether any hash occurs twice: 8 bytes for each hash on the disk, and a megabyte of memory. */
export function repeatedHashes(db: RunDatabase): RepeatedHashes {
  const buckets = Array.from({ length: BUCKETS }, (): Bucket => ({
    halves: new Uint32Array(2 * HASHES_IN_MEMORY),
    used: 0,
  }));
  let table: string | undefined;

  const move = (bucket: Bucket, number: number): void =>
    guard(db, () => {
      table ??= createTable(db);
      const block = Buffer.from(bucket.halves.buffer, 0, bucket.used * Uint32Array.BYTES_PER_ELEMENT);
      db.prepare(`INSERT INTO ${table} (bucket, hashes) VALUES (?, ?)`).run(number, block);
      bucket.used = 0;
    });

  return {
    add({ low, high }) {
      const number = high >>> BUCKET_SHIFT;
      const bucket = buckets[number]!;
      bucket.halves[bucket.used++] = low;
      bucket.halves[bucket.used++] = high;
      if (bucket.used === bucket.halves.length) move(bucket, number);
    },
    hasRepeated: () =>
      guard(db, () =>
        buckets.some(({ halves, used }, number) =>
          hasEqual([...(table === undefined ? [] : blocksOf(db, table, number)), halves.subarray(0, used)]),
        ),
      ),
  };
}

function createTable(db: RunDatabase): string {
  // Temporary tables go with the connection. Each finder of a run has its own.
  const { n } = db
    .prepare<[], { n: number }>("SELECT count(*) AS n FROM temp.sqlite_schema WHERE name GLOB 'hashes_*'")
    .get()!;
  const name = `temp.hashes_${n + 1}`;
  db.exec(`CREATE TABLE ${name} (bucket INTEGER NOT NULL, hashes BLOB NOT NULL)`);
  return name;
}

function blocksOf(db: RunDatabase, table: string, bucket: number): readonly Uint32Array[] {
  return db
    .prepare<[number], Buffer>(`SELECT hashes FROM ${table} WHERE bucket = ?`)
    .pluck()
    .all(bucket)
    .map((bytes) => new Uint32Array(new Uint8Array(bytes).buffer));
}

function hasEqual(blocks: readonly Uint32Array[]): boolean {
  const halves = new Uint32Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    halves.set(block, at);
    at += block.length;
  }
  new BigUint64Array(halves.buffer).sort();
  for (let pair = 2; pair < halves.length; pair += 2)
    if (halves[pair] === halves[pair - 2] && halves[pair + 1] === halves[pair - 1]) return true;
  return false;
}
