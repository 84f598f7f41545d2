import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { namedRows } from '../csv/named-rows.ts';
import { TIE_COLUMNS } from '../output/formats/reasons-csv.ts';
import type { FileRow } from '../push/stage-job.ts';

/**
 * The rows that the rows of a rejects file were copied from, by the lines of the rejects file, as the reasons file beside it says.
 * Undefined without one, and when it cannot be read as one. Rows of a file that has changed since are left out.
 */
export async function tiedRows(
  file: string,
  sources: ReadonlySet<string>,
  cwd: string,
): Promise<ReadonlyMap<number, FileRow> | undefined> {
  const reasons = `${file}.reasons.csv`;
  if (!existsSync(resolve(cwd, reasons))) return undefined;
  const ties = new Map<number, FileRow>();
  try {
    for await (const { cell } of namedRows(reasons, TIE_COLUMNS, {
      cwd,
      refuse: (_, reason) => new NoTies(reason),
    })) {
      const [rejectsLine, line, sha256] = TIE_COLUMNS.map(cell) as [string, string, string];
      if (sources.has(sha256))
        ties.set(Number.parseInt(rejectsLine, 10), { sha256, line: Number.parseInt(line, 10) });
    }
  } catch (error) {
    if (error instanceof NoTies) return undefined;
    throw error;
  }
  return ties;
}

/** The file has the name of a reasons file and is none, or one of an earlier version of this program. */
class NoTies extends Error {}
