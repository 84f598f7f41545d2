import type { RepeatedHashes } from '../../push/ports/staging.ts';
import { guard } from '../database/integrity.ts';
import type { RunDatabase } from '../database/run-database.ts';

/** Hashes are kept apart by their highest bits, so that equal ones meet in one bucket and a bucket fits into memory. */
const BUCKETS = 16;
const BUCKET_SHIFT = 28;

/** Hashes of a bucket in memory. A full bucket is moved to the disk. */
const HASHES_IN_MEMORY = 4096;

/** Hashes that are sorted at once. More hashes are sorted part by part, so that memory does not grow with them. */
const MOST_SORTED = 2 ** 19;

interface Bucket {
  /** Pairs of low and high halves. */
  readonly halves: Uint32Array;
  used: number;
  /** Hashes on the disk. */
  moved: number;
}

/**
 * Finds out whether any hash occurs twice: 8 bytes for each hash on the disk, half a megabyte of memory, and 4 MB while it looks.
 * `mostSorted`: tests sort fewer hashes at once.
 */
export function repeatedHashes(db: RunDatabase, mostSorted = MOST_SORTED): RepeatedHashes {
  const buckets = Array.from({ length: BUCKETS }, (): Bucket => ({
    halves: new Uint32Array(2 * HASHES_IN_MEMORY),
    used: 0,
    moved: 0,
  }));
  let table: string | undefined;

  const move = (bucket: Bucket, number: number): void =>
    guard(db, () => {
      table ??= createTable(db);
      const block = Buffer.from(bucket.halves.buffer, 0, bucket.used * Uint32Array.BYTES_PER_ELEMENT);
      db.prepare(`INSERT INTO ${table} (bucket, hashes) VALUES (?, ?)`).run(number, block);
      bucket.moved += bucket.used / 2;
      bucket.used = 0;
    });

  function* blocksOf({ halves, used }: Bucket, number: number): Generator<Uint32Array> {
    yield halves.subarray(0, used);
    if (table !== undefined) yield* movedBlocks(db, table, number);
  }

  return {
    add({ low, high }) {
      const number = high >>> BUCKET_SHIFT;
      const bucket = buckets[number]!;
      bucket.halves[bucket.used++] = low;
      bucket.halves[bucket.used++] = high;
      if (bucket.used === bucket.halves.length) move(bucket, number);
    },
    hasRepeated: () =>
      guard(db, () => {
        const list = new HashList();
        return buckets.some((bucket, number) => {
          const parts = Math.max(1, Math.ceil(bucket.moved / (0.9 * mostSorted)));
          for (let part = 0; part < parts; part++) {
            list.clear();
            for (const block of blocksOf(bucket, number))
              for (let at = 0; at < block.length; at += 2) {
                if (block[at]! % parts !== part) continue;
                list.add(block[at]!, block[at + 1]!);
                // So many hashes in one part are no accident, so they are not all kept.
                if (list.size === mostSorted && list.hasEqual()) return true;
              }
            if (list.hasEqual()) return true;
          }
          return false;
        });
      }),
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

/**
 * The blocks of a bucket on the disk, one after the other in the same memory. They are read as text, because V8 lets 64 MB of
 * buffers lie before it collects them, and texts are collected with the young objects.
 */
function* movedBlocks(db: RunDatabase, table: string, bucket: number): Generator<Uint32Array> {
  const block = new Uint32Array(2 * HASHES_IN_MEMORY);
  const room = Buffer.from(block.buffer);
  const texts = db.prepare<[number], string>(`SELECT hex(hashes) FROM ${table} WHERE bucket = ?`).pluck();
  for (const text of texts.iterate(bucket)) {
    room.write(text, 'hex');
    yield block;
  }
}

/** Hashes that are sorted together. The next hashes get the same memory. */
class HashList {
  private halves = new Uint32Array(2 * HASHES_IN_MEMORY);
  private used = 0;

  get size(): number {
    return this.used / 2;
  }

  clear(): void {
    this.used = 0;
  }

  add(low: number, high: number): void {
    if (this.used === this.halves.length) {
      const larger = new Uint32Array(2 * this.halves.length);
      larger.set(this.halves);
      this.halves = larger;
    }
    this.halves[this.used++] = low;
    this.halves[this.used++] = high;
  }

  hasEqual(): boolean {
    const { halves, used } = this;
    new BigUint64Array(halves.buffer, 0, used / 2).sort();
    for (let pair = 2; pair < used; pair += 2)
      if (halves[pair] === halves[pair - 2] && halves[pair + 1] === halves[pair - 1]) return true;
    return false;
  }
}
