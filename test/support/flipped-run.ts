import { randomUUID } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { projectRoot } from './source-tree.ts';

/** The checker of the examples: a program for strangers, without types. */
export interface ChainChecker {
  problemsOf(files: {
    readonly journal: string;
    readonly report: Pick<ChainedRun['report'], 'chain'> & { readonly run?: string };
    readonly sources: readonly string[];
    readonly inputs: readonly string[];
    readonly contract: string | undefined;
  }): readonly string[];
}

export async function chainChecker(): Promise<ChainChecker> {
  const file = pathToFileURL(join(projectRoot, 'examples', 'verify-chain.mjs'));
  return (await import(file.href)) as ChainChecker;
}

/** The files of a finished run, and the program that checks them. */
export interface ChainedRun {
  readonly checker: ChainChecker;
  readonly journal: string;
  readonly source: string;
  readonly mapping: string;
  readonly contract: string;
  /** The document of `runs show --json`. */
  readonly report: {
    readonly run: string;
    readonly chain: { readonly head: string; readonly links: number };
  };
}

/** The parts of a run in which a byte is flipped. `file`: any byte of the journal. */
export const FLIPPED = ['source', 'mapping', 'contract', 'rows', 'report', 'file'] as const;
export type Flipped = (typeof FLIPPED)[number];

/** Columns that the chain seals, by their table. */
const SEALED = {
  journal: ['resource', 'target', 'database', 'supplier', 'shard', 'tool_version', 'created_at'],
  reading: ['id', 'header', 'seal', 'rows'],
  source: ['reading_id', 'name', 'place'],
  attempt: ['batch_id', 'started_at', 'ended_at', 'status', 'result', 'reason'],
  event: ['at', 'kind', 'by', 'document'],
  outcome: ['seq', 'outcome', 'amount', 'link_id'],
  link: ['id', 'attempt_id', 'event_id', 'state', 'request', 'answer', 'outcomes', 'records', 'hash'],
  record: [
    'reading_id',
    'place',
    'source_id',
    'first_line',
    'last_line',
    'byte_start',
    'byte_end',
    'account_id',
    'id',
    'type',
    'amount',
    'payload_sha256',
    'state',
    'identity_key',
    'identity_variant',
    'content',
  ],
  problem: ['severity', 'code', 'source_id', 'line', 'document'],
  account: ['import_supplier', 'external_account_number'],
} as const;

/** The problems that the checker of the examples finds in the files of a run. */
export function chainProblems({
  checker,
  journal,
  source,
  mapping,
  contract,
  report,
}: ChainedRun): readonly string[] {
  return checker.problemsOf({ journal, report, sources: [source], inputs: [mapping], contract });
}

/** What a flip did. */
export interface Flip {
  /** The flipped part, with the column of a row. */
  readonly where: string;
  readonly isNoticed: boolean;
  /** Whether everything that the chain seals is still readable and unchanged. */
  readonly isHarmless: boolean;
}

/** Flips one bit in a copy of a part of a run. `random`: from 0 to below 1. */
export function flip(chained: ChainedRun, part: Flipped, folder: string, random: () => number): Flip {
  const below = (limit: number): number => Math.floor(random() * limit);
  const copy = join(folder, `flipped-${randomUUID()}`);
  try {
    return flipIn(copy, chained, part, below);
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true });
  }
}

function flipIn(copy: string, chained: ChainedRun, part: Flipped, below: (limit: number) => number): Flip {
  const inBytes = (file: string): string => {
    const bytes = readFileSync(file);
    bytes[below(bytes.length)]! ^= 1 << below(8);
    writeFileSync(copy, bytes);
    return copy;
  };
  if (part === 'report') {
    const { head, links } = chained.report.chain;
    const at = below(head.length);
    const digit = ((Number.parseInt(head[at]!, 16) + 1 + below(15)) % 16).toString(16);
    const report = {
      ...chained.report,
      chain: { head: head.slice(0, at) + digit + head.slice(at + 1), links },
    };
    return { where: part, isNoticed: isNoticed({ ...chained, report }), isHarmless: false };
  }
  if (part === 'rows') {
    copyFileSync(chained.journal, copy);
    const where = flipRow(copy, below);
    return { where, isNoticed: isNoticed({ ...chained, journal: copy }), isHarmless: false };
  }
  const key = part === 'file' ? 'journal' : part;
  const flipped = { ...chained, [key]: inBytes(chained[key]) };
  const isHarmless = part === 'file' && sealedText(copy) === sealedText(chained.journal);
  return { where: part, isNoticed: isNoticed(flipped), isHarmless };
}

function isNoticed(chained: ChainedRun): boolean {
  return chainProblems(chained).length > 0;
}

/** Flips one bit of a value that is not null, and returns its table and column. */
function flipRow(file: string, below: (limit: number) => number): string {
  const db = new Database(file);
  try {
    db.pragma('foreign_keys = OFF');
    db.pragma('ignore_check_constraints = ON');
    for (;;) {
      const table = Object.keys(SEALED)[below(Object.keys(SEALED).length)] as keyof typeof SEALED;
      const columns = SEALED[table];
      const column = columns[below(columns.length)]!;
      const rows = db
        .prepare<[], { number: number; value: unknown }>(
          `SELECT rowid AS number, "${column}" AS value FROM "${table}" WHERE "${column}" IS NOT NULL AND length("${column}") > 0`,
        )
        .all();
      const row = rows[below(rows.length)];
      if (row === undefined) continue;
      const value = flippedValue(row.value, below);
      const { changes } = db
        .prepare(`UPDATE OR IGNORE "${table}" SET "${column}" = ? WHERE rowid = ?`)
        .run(value, row.number);
      // A key that another row has already is no table that SQLite can keep.
      if (changes === 0) continue;
      return `${table}.${column}`;
    }
  } finally {
    db.close();
  }
}

function flippedValue(value: unknown, below: (limit: number) => number): unknown {
  if (typeof value === 'number') return value ^ (1 << below(16));
  const bytes = Buffer.from(value as string | Buffer);
  // The lowest bits keep a text of ASCII a text of ASCII.
  bytes[below(bytes.length)]! ^= 1 << below(typeof value === 'string' ? 4 : 8);
  return typeof value === 'string' ? bytes.toString() : bytes;
}

/** The sealed columns of all rows as one text; another text when they cannot be read. */
function sealedText(file: string): string {
  try {
    const db = new Database(file, { readonly: true });
    try {
      return JSON.stringify(
        Object.entries(SEALED).map(([table, columns]) =>
          db
            .prepare(
              `SELECT rowid, ${columns.map((column) => `"${column}"`).join()} FROM "${table}" ORDER BY rowid`,
            )
            // Without names, because a flip may change the case of a letter in the schema, which means nothing.
            .raw()
            .all(),
        ),
      );
    } finally {
      db.close();
    }
  } catch {
    return 'unreadable';
  }
}
